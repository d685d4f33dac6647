/* /proc/stat: CPU times by CPU number, switches, forks. */
#include "proc_test.h"

static int parse(struct proc_test *t, const char *text)
{
	int got;

	sample_reset(&t->s);
	got = stat_parse(text, strlen(text), &t->s);
	sample_seal(&t->s);
	return got;
}

TEST(C11_cpu_holes)
{
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, "cpu  9 9 9 9 9 9 9 9 9 9\n"
			   "cpu0 1 0 0 0 0 0 0 0 0 0\n"
			   "cpu4 2 0 0 0 0 0 0 0 0 0\n"
			   "cpu13 3 0 0 0 0 0 0 0 0 0\n"), 3);
	CHECK_EQ_U64(proc_value(&t, STAT_USER, 0, 0), 1);
	CHECK_EQ_U64(proc_value(&t, STAT_USER, 1, 0), ABSENT);
	CHECK_EQ_U64(proc_value(&t, STAT_USER, 4, 0), 2);
	CHECK_EQ_U64(proc_value(&t, STAT_USER, 13, 0), 3);
	CHECK_EQ_U64(t.s.n, 30);	/* and no sum line */
	proc_end(&t);
}

TEST(old_kernels_have_fewer_times)
{
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, "cpu0 1 2 3 4 5 6 7\n"
			   "cpu1 1 2 3 4 5 6 7 8\n"), 2);
	CHECK_EQ_U64(proc_value(&t, STAT_SOFTIRQ, 0, 0), 7);
	CHECK_EQ_U64(proc_value(&t, STAT_STEAL, 0, 0), ABSENT);
	CHECK_EQ_U64(proc_value(&t, STAT_STEAL, 1, 0), 8);
	CHECK_EQ_U64(proc_value(&t, STAT_GUEST, 1, 0), ABSENT);
	proc_end(&t);
}

TEST(C15_a_long_intr_line_costs_nothing)
{
	struct proc_test t;
	size_t len = 300000, at;
	char *text = malloc(len + 200);

	proc_start(&t);
	CHECK(text != NULL);
	at = (size_t)sprintf(text, "cpu0 1 2 3 4 5 6 7 8 9 10\nintr 1");
	while (at < len)
		at += (size_t)sprintf(text + at, " 0");
	sprintf(text + at, "\nctxt 77\nprocs_running 3\n");
	CHECK_EQ_INT(parse(&t, text), 1);
	CHECK_EQ_U64(proc_value(&t, STAT_SWITCHES, 0, 0), 77);
	CHECK_EQ_U64(proc_value(&t, STAT_RUNNING, 0, 0), 3);
	free(text);
	proc_end(&t);
}

TEST(C20_intr_above_2_53_and_full_64_bit_times)
{
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, "cpu0 18446744073709551615 0 0 0 0 0 0\n"
			   "intr 9007199254740993\n"
			   "ctxt 9007199254740993\n"), 1);
	CHECK_EQ_U64(proc_value(&t, STAT_USER, 0, 0), UINT64_MAX);
	CHECK_EQ_U64(proc_value(&t, STAT_SWITCHES, 0, 0), 9007199254740993u);
	proc_end(&t);
}

TEST(C21_processes_below_zero)
{
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, "cpu0 1 2 3 4 5 6 7 8 9 10\n"
			   "processes -2049041839\nprocs_blocked 2\n"), 1);
	CHECK_EQ_U64(proc_value(&t, STAT_FORKS, 0, 0), 2245925457u);
	CHECK_EQ_U64(proc_value(&t, STAT_BLOCKED, 0, 0), 2);
	CHECK_EQ_INT(parse(&t, "processes 4294967299\n"), 0);
	CHECK_EQ_U64(proc_value(&t, STAT_FORKS, 0, 0), 3);
	proc_end(&t);
}

TEST(C37_empty_and_cut_texts)
{
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, ""), -EINVAL);
	CHECK_EQ_INT(parse(&t, "a cow\nsays moo\n"), -EINVAL);
	CHECK_EQ_INT(parse(&t, "cpu0 1 2 3 4 5 6 7 8 9 10\ncpu1 1 2 3 45"), 1);
	CHECK_EQ_U64(proc_value(&t, STAT_USER, 1, 0), ABSENT);
	proc_end(&t);
}

TEST(C37_an_empty_file_gives_nothing_old)
{
	struct proc_test t;

	proc_start(&t);
	proc_tree(&t);
	proc_open(&t, &stat_collector);
	proc_put(&t, "stat", "cpu0 1 2 3 4 5 6 7 8 9 10\nctxt 5\n");
	CHECK_EQ_INT(proc_collect(&t, &stat_collector), 0);
	CHECK_EQ_U64(t.s.n, 11);
	proc_put(&t, "stat", "");
	CHECK_EQ_INT(proc_collect(&t, &stat_collector), -ENODATA);
	CHECK_EQ_U64(t.s.n, 0);
	proc_says(&t, "stat", "", HEALTH_ABSENT, "empty");
	proc_put(&t, "stat", "cpu0 2 2 3 4 5 6 7 8 9 10\n");
	CHECK_EQ_INT(proc_collect(&t, &stat_collector), 0);
	proc_says(&t, "stat", "", HEALTH_OK, "1 CPUs");
	stat_collector.close(t.state);
	stat_collector.close(NULL);
	proc_end(&t);
}

TEST(C13_time_line_cpu_goes_and_comes_back)
{
	static const int cpus[] = { 4, 4, 3, 4, 4 };
	struct proc_test t;
	size_t have;
	int n;

	proc_start(&t);
	proc_line(&t, 0);
	proc_open(&t, &stat_collector);
	for (n = 0; n < 5; n++) {
		proc_line(&t, n);
		CHECK_EQ_INT(proc_collect(&t, &stat_collector), 0);
		proc_sum(&t, STAT_IDLE, &have);
		CHECK_EQ_INT((int)have, cpus[n]);
		CHECK_EQ_U64(proc_value(&t, STAT_USER, 0, 0),
			     6000u + 60u * (unsigned)n);
		CHECK_EQ_U64(proc_value(&t, STAT_SWITCHES, 0, 0),
			     10000000u + 56283u * (unsigned)n);
		CHECK_EQ_INT(proc_value(&t, STAT_IDLE, 2, 0) == ABSENT, n == 2);
	}
	CHECK_EQ_U64(proc_value(&t, STAT_IDLE, 2, 0), 10300);
	CHECK_EQ_U64(proc_value(&t, STAT_IOWAIT, 1, 0), 508);
	stat_collector.close(t.state);
	proc_end(&t);
}

TEST_MAIN
