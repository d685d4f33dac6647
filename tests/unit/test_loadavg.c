/* /proc/loadavg: depths with mean and maximum, from several reads a sample. */
#include "proc_test.h"

static int parse(const char *text, struct loadavg *l)
{
	return loadavg_parse(text, strlen(text), l);
}

TEST(fields)
{
	struct loadavg l;

	CHECK_EQ_INT(parse("0.07 1.10 22.33 3/128 4711\n", &l), 0);
	CHECK_EQ_U64(l.avg1_centi, 7);
	CHECK_EQ_U64(l.running, 3);
	CHECK_EQ_U64(l.tasks, 128);
}

TEST(C75_huge_loads)
{
	struct loadavg l;

	CHECK_EQ_INT(parse("1234567.00 1234567.00 1234567.00 99999/999999 "
			   "4194304\n", &l), 0);
	CHECK_EQ_U64(l.avg1_centi, 123456700);
	CHECK_EQ_U64(l.running, 99999);
	CHECK_EQ_U64(l.tasks, 999999);
	/* a count below zero, printed unsigned, is no depth */
	CHECK_EQ_INT(parse("0.00 0.00 0.00 4294967295/1 1\n", &l), -ERANGE);
}

TEST(texts_that_are_not_one)
{
	static const char *const bad[] = {
		"", "\n", "a cow\n", "0.07 1.10", "0.07 1.10 2.20 3/12",
		"0.07 1.10 2.20 3 12 9\n", "1 1 1 3/12 9\n",
		"0.07 1.10 2.20 /12 9\n",
		"0.07 1.10 2.20 -3/12 9\n", "0.7 1.10 2.20 3/12 9\n",
		"99999999999999999999.00 1.10 2.20 3/12 9\n",
	};
	struct loadavg l;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_EQ_INT(parse(bad[i], &l), -EINVAL);
}

TEST(mean_and_max_within_a_sample)
{
	struct proc_test t;

	proc_start(&t);
	proc_tree(&t);
	proc_open(&t, &loadavg_collector);
	proc_put(&t, "loadavg", "0.00 0.00 0.00 9/100 5\n");
	CHECK_EQ_INT(loadavg_collector.drain(t.state), 0);
	proc_put(&t, "loadavg", "0.00 0.00 0.00 2/100 5\n");
	CHECK_EQ_INT(loadavg_collector.drain(t.state), 0);
	proc_put(&t, "loadavg", "0.00 0.00 0.00 4/100 5\n");
	CHECK_EQ_INT(proc_collect(&t, &loadavg_collector), 0);
	CHECK_EQ_U64(proc_value(&t, LOAD_RUNNING, 0, 0), 4);
	CHECK_EQ_U64(proc_value(&t, LOAD_READS, 0, 0), 3);
	CHECK_EQ_U64(proc_value(&t, LOAD_SUM, 0, 0), 15);
	CHECK_EQ_U64(proc_value(&t, LOAD_MAX, 0, 0), 9);
	CHECK_EQ_INT(proc_collect(&t, &loadavg_collector), 0);
	CHECK_EQ_U64(proc_value(&t, LOAD_READS, 0, 0), 4);
	CHECK_EQ_U64(proc_value(&t, LOAD_SUM, 0, 0), 19);
	CHECK_EQ_U64(proc_value(&t, LOAD_MAX, 0, 0), 4);
	unlinkat(t.env.proc_fd, "loadavg", 0);
	CHECK_EQ_INT(proc_collect(&t, &loadavg_collector), -ENOENT);
	CHECK_EQ_U64(t.s.n, 0);
	loadavg_collector.close(t.state);
	loadavg_collector.close(NULL);
	proc_end(&t);
}

TEST(own_thread_is_taken_off_only_when_it_is_in_the_count)
{
	struct proc_test t;
	struct procfs_file f;
	struct loadavg l;
	int i, less = 0;

	proc_start(&t);
	proc_live(&t);
	f = (struct procfs_file) {
		.env = &t.env, .collector = "x", .part = "", .path = "loadavg",
	};
	proc_open(&t, &loadavg_collector);
	/* other tasks come and go: among many pairs one read between must
	 * have the depth of a plain read less one */
	for (i = 0; i < 1000 && !less; i++) {
		CHECK(procfs_read(&f) > 0);
		CHECK_EQ_INT(loadavg_parse(f.buf, f.len, &l), 0);
		CHECK(l.running >= 1);
		CHECK_EQ_INT(proc_collect(&t, &loadavg_collector), 0);
		less = proc_value(&t, LOAD_RUNNING, 0, 0) == l.running - 1;
	}
	CHECK(less);
	CHECK(proc_value(&t, LOAD_TASKS, 0, 0) > 1);
	procfs_free(&f);
	loadavg_collector.close(t.state);
	proc_end(&t);
}

TEST_MAIN
