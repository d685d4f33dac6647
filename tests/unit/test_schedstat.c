/* /proc/schedstat: what each version says, and what no version says. */
#include "proc_test.h"

#define EIGHT(n) #n "1 " #n "2 " #n "3 " #n "4 " #n "5 " #n "6 " #n "7 " #n "8 "
#define ELEVEN(n) EIGHT(n) #n "9 " #n "10 " #n "11 "
#define TWELVE "1 2 3 4 5 6 7 8 9 10 11 12"
#define CPU0 "cpu0 1 0 3 4 5 6 7000000000 8000000000 9\n"
#define HEAD(v) "version " #v "\ntimestamp 4294900000\n" CPU0

static int parse(struct proc_test *t, const char *text,
		 struct schedstat_facts *f)
{
	int got;

	sample_reset(&t->s);
	got = schedstat_parse(text, strlen(text), 1, &t->s, f);
	sample_seal(&t->s);
	return got;
}

static uint64_t domain(struct proc_test *t, uint16_t metric, const char *name)
{
	return proc_value(t, metric, 0,
			  names_text(t->s.names, name, strlen(name)));
}

TEST(groups_of_version_15)
{
	struct schedstat_facts f;
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, HEAD(15) "domain0 00000000,00000003 " EIGHT(1)
			   EIGHT(2) EIGHT(3) TWELVE "\n", &f), 1);
	CHECK_EQ_U64(domain(&t, SD_IDLE_CALLS, "domain0"), 11);
	CHECK_EQ_U64(domain(&t, SD_BUSY_CALLS, "domain0"), 21);
	CHECK_EQ_U64(domain(&t, SD_NEWIDLE_NOBUSYG, "domain0"), 38);
	CHECK_EQ_U64(domain(&t, SD_IDLE_IMBALANCE, "domain0"), 14);
	CHECK_EQ_U64(domain(&t, SD_IDLE_IMB_LOAD, "domain0"), ABSENT);
	CHECK_EQ_U64(domain(&t, SD_TTWU_BALANCE, "domain0"), 12);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_DELAY, 0, 0), 8000000000u);
	CHECK_EQ_U64(f.domains, 1);
	proc_end(&t);
}

TEST(groups_of_version_16)
{
	struct schedstat_facts f;
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, HEAD(16) "domain3 ff " EIGHT(1) EIGHT(2) EIGHT(3)
			   TWELVE "\n", &f), 1);
	CHECK_EQ_U64(domain(&t, SD_BUSY_CALLS, "domain3"), 11);
	CHECK_EQ_U64(domain(&t, SD_IDLE_CALLS, "domain3"), 21);
	CHECK_EQ_U64(domain(&t, SD_NEWIDLE_CALLS, "domain3"), 31);
	CHECK_EQ_U64(domain(&t, SD_ALB_COUNT, "domain3"), 1);
	proc_end(&t);
}

TEST(groups_and_names_of_version_17)
{
	struct schedstat_facts f;
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, HEAD(17) "domain0 MC 0003 " ELEVEN(1) ELEVEN(2)
			   ELEVEN(3) TWELVE " 77\n"
			   "domain1 NUMA 000f " ELEVEN(4) ELEVEN(5) ELEVEN(6)
			   TWELVE "\n"
			   "domain2 NUMA 00ff " ELEVEN(7) ELEVEN(8) ELEVEN(9)
			   TWELVE "\n", &f), 1);
	CHECK_EQ_U64(domain(&t, SD_BUSY_CALLS, "MC"), 11);
	CHECK_EQ_U64(domain(&t, SD_BUSY_IMB_MISFIT, "MC"), 17);
	CHECK_EQ_U64(domain(&t, SD_BUSY_GAINED, "MC"), 18);
	CHECK_EQ_U64(domain(&t, SD_IDLE_CALLS, "MC"), 21);
	CHECK_EQ_U64(domain(&t, SD_NEWIDLE_NOBUSYG, "MC"), 311);
	CHECK_EQ_U64(domain(&t, SD_SBF_PUSHED, "MC"), 9);
	CHECK_EQ_U64(domain(&t, SD_BUSY_IMBALANCE, "MC"), ABSENT);
	/* levels of one name are not one domain */
	CHECK_EQ_U64(domain(&t, SD_BUSY_CALLS, "NUMA"), 41);
	CHECK_EQ_U64(domain(&t, SD_BUSY_CALLS, "NUMA domain2"), 71);
	CHECK_EQ_U64(f.domains, 3);
	proc_end(&t);
}

TEST(C11_offline_cpus_leave_holes)
{
	struct schedstat_facts f;
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, "version 15\ntimestamp 1\n"
			   "cpu0 1 0 1 1 1 1 10 20 30\n"
			   "cpu8 1 0 1 1 1 1 11 21 31\n", &f), 2);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_RUN, 8, 0), 11);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_RUN, 1, 0), ABSENT);
	proc_end(&t);
}

TEST(C20_nanoseconds_near_2_63)
{
	struct schedstat_facts f;
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, "version 15\ncpu0 4294967295 0 1 1 1 1 "
			   "9223372036854775807 1804193978928 1\n", &f), 1);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_RUN, 0, 0), INT64_MAX);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_DELAY, 0, 0), 1804193978928u);
	CHECK_EQ_INT(metric_info(SCHEDSTAT_YIELD)->kind, COUNTER32);
	CHECK_EQ_INT(metric_info(SCHEDSTAT_RUN)->kind, COUNTER);
	proc_end(&t);
}

/* 14 is jiffies up to 2.6.22 and nanoseconds from 2.6.23: never a guess. */
TEST(C25_versions_up_to_14_are_refused)
{
	struct schedstat_facts f;
	struct proc_test t;
	char text[120];
	int v;

	proc_start(&t);
	for (v = 10; v <= 14; v++) {
		snprintf(text, sizeof(text), "version %d\ntimestamp 1\n"
			 "cpu0 0 0 0 1 2 3 4 5 6 1000 2000 30\n", v);
		CHECK_EQ_INT(parse(&t, text, &f), -EOPNOTSUPP);
		CHECK_EQ_INT((int)f.version, v);
		CHECK_EQ_U64(t.s.n, 0);
	}
	proc_end(&t);
}

TEST(C27_newer_version_gives_run_delay_slices_only)
{
	struct schedstat_facts f;
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, HEAD(18) "domain0 MC 3 " ELEVEN(1) ELEVEN(2)
			   ELEVEN(3) TWELVE "\n", &f), 1);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_RUN, 0, 0), 7000000000u);
	CHECK_EQ_U64(t.s.n, 3);
	/* one number more: which is which is not known */
	CHECK_EQ_INT(parse(&t, "version 18\ncpu0 1 0 3 4 5 6 7 8 9 10\n", &f),
		     -EOPNOTSUPP);
	CHECK_EQ_U64(t.s.n, 0);
	proc_end(&t);
}

TEST(C27_broken_texts)
{
	static const char *const bad[] = {
		"", "version\n", "version x\n", "timestamp 5\n" CPU0, CPU0,
		"version 15\n", "version 17", "version 15\ncpu0 1 2 3 4 5\n",
		" ______\n< moo! >\n ------\n",
		"version 99999999999999999999\n" CPU0,
	};
	struct schedstat_facts f;
	struct proc_test t;
	size_t i;

	proc_start(&t);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK_EQ_INT(parse(&t, bad[i], &f), -EINVAL);
		CHECK_EQ_U64(t.s.n, 0);
	}
	proc_end(&t);
}

TEST(C27_a_line_cut_short_is_left_out)
{
	struct schedstat_facts f;
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, HEAD(15) "domain0 3 1 2 3\n"
			   "cpu1 1 2 3 4 5\n", &f), 1);
	CHECK_EQ_U64(f.bad, 2);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_SCHEDULE, 1, 0), ABSENT);
	CHECK_EQ_U64(t.s.n, 8);
	proc_end(&t);
}

static const char off[] = "version 15\ntimestamp 4299\n"
			  "cpu0 0 0 0 0 0 0 26231 777 99\n";

TEST(C28_all_zero_events_are_not_counted)
{
	struct schedstat_facts f;
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, off, &f), 1);
	CHECK_EQ_INT(f.counting, 0);
	CHECK_EQ_U64(t.s.n, 3);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_SCHEDULE, 0, 0), ABSENT);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_DELAY, 0, 0), 777);
	proc_end(&t);
}

TEST(C28_sysctl_is_named_and_never_written)
{
	struct proc_test t;
	const struct health_item *i;
	char text[8];
	int fd;

	proc_start(&t);
	proc_tree(&t);
	mkdirat(t.env.proc_fd, "sys", 0755);
	mkdirat(t.env.proc_fd, "sys/kernel", 0755);
	proc_put(&t, "sys/kernel/sched_schedstats", "0\n");
	proc_put(&t, "schedstat", HEAD(15));	/* frozen, not zero */
	proc_open(&t, &schedstat_collector);
	CHECK_EQ_INT(proc_collect(&t, &schedstat_collector), 0);
	CHECK_EQ_U64(t.s.n, 3);
	proc_says(&t, "schedstat", "", HEALTH_PARTLY,
		  "kernel.sched_schedstats=0");
	i = proc_health(&t, "schedstat", "");
	CHECK_EQ_STR(i->remedy, "sysctl kernel.sched_schedstats=1");
	fd = openat(t.env.proc_fd, "sys/kernel/sched_schedstats", O_RDONLY);
	CHECK_EQ_INT(read(fd, text, sizeof(text)), 2);
	CHECK_EQ_INT(text[0], '0');
	close(fd);
	proc_put(&t, "sys/kernel/sched_schedstats", "1\n");
	CHECK_EQ_INT(proc_collect(&t, &schedstat_collector), 0);
	CHECK_EQ_U64(t.s.n, 8);
	proc_says(&t, "schedstat", "", HEALTH_OK, "version 15, 1 CPUs");
	schedstat_collector.close(t.state);
	schedstat_collector.close(NULL);
	proc_end(&t);
}

TEST(C28_no_file)
{
	struct proc_test t;

	proc_start(&t);
	proc_tree(&t);
	proc_open(&t, &schedstat_collector);
	CHECK_EQ_INT(proc_collect(&t, &schedstat_collector), -ENOENT);
	proc_says(&t, "schedstat", "", HEALTH_ABSENT, "CONFIG_SCHEDSTATS");
	proc_put(&t, "schedstat", "version 12\ncpu0 1\n");
	CHECK_EQ_INT(proc_collect(&t, &schedstat_collector), -EOPNOTSUPP);
	proc_says(&t, "schedstat", "", HEALTH_ABSENT,
		  "unsupported schedstat version 12");
	schedstat_collector.close(t.state);
	proc_end(&t);
}

/* The values are kept as printed; a delta too large is the model's to flag. */
TEST(C29_a_huge_wait_is_stored_as_printed)
{
	struct schedstat_facts f;
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, "version 15\ncpu0 1 0 1 1 1 1 26000000000 "
			   "2545228545876 9\n", &f), 1);
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_DELAY, 0, 0), 2545228545876u);
	proc_end(&t);
}

TEST(C13_time_line)
{
	struct proc_test t;
	uint32_t mc;
	int n;

	proc_start(&t);
	proc_line(&t, 0);
	proc_open(&t, &schedstat_collector);
	mc = names_text(t.s.names, "MC", 2);
	for (n = 0; n < 5; n++) {
		proc_line(&t, n);
		CHECK_EQ_INT(proc_collect(&t, &schedstat_collector), 0);
		CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_DELAY, 0, 0),
			     9000000000u + 150000000u * (unsigned)n);
		CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_SCHEDULE, 3, 0),
			     (uint32_t)(4294960000u + 20000u * (unsigned)n));
		CHECK_EQ_U64(proc_value(&t, SD_IDLE_CALLS, 1, mc),
			     211000u + 211u * (unsigned)n);
		CHECK_EQ_INT(proc_value(&t, SCHEDSTAT_RUN, 2, 0) == ABSENT,
			     n == 2);
	}
	CHECK_EQ_U64(proc_value(&t, SCHEDSTAT_RUN, 2, 0), 103000000);
	proc_says(&t, "schedstat", "", HEALTH_OK, "version 17, 4 CPUs, 8 dom");
	schedstat_collector.close(t.state);
	proc_end(&t);
}

TEST_MAIN
