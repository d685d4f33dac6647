/* /proc/pressure: totals, and the ways a kernel has to give none. */
#include <sys/syscall.h>
#include "proc_test.h"

#define AVG "avg10=0.10 avg60=20.00 avg300=3.00 "

static int psi_is_off, asked;

/* The reader's pread(), for a kernel with psi=0: open works, read does not. */
ssize_t pread(int fd, void *buf, size_t len, off_t at)
{
	asked++;
	if (!psi_is_off)
		return syscall(SYS_pread64, fd, buf, len, at);
	errno = EOPNOTSUPP;
	return -1;
}

static int parse(struct proc_test *t, const char *text)
{
	int got;

	sample_reset(&t->s);
	got = pressure_parse(text, strlen(text), PSI_IO_SOME, PSI_IO_FULL,
			     &t->s);
	sample_seal(&t->s);
	return got;
}

TEST(totals)
{
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, "some " AVG "total=18446744073709551615\n"
			   "full " AVG "total=7\n"), 3);
	CHECK_EQ_U64(proc_value(&t, PSI_IO_SOME, 0, 0), UINT64_MAX);
	CHECK_EQ_U64(proc_value(&t, PSI_IO_FULL, 0, 0), 7);
	CHECK_EQ_INT(parse(&t, "some " AVG "total=8\n"), 1);
	CHECK_EQ_U64(proc_value(&t, PSI_IO_FULL, 0, 0), ABSENT);
	proc_end(&t);
}

TEST(texts_that_are_none)
{
	static const char *const bad[] = {
		"", "cow\n", "some\n", "some total=\n", "some total=-1\n",
		"some total=5x\n", "some " AVG "total=12", "most total=1\n",
	};
	struct proc_test t;
	size_t i;

	proc_start(&t);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_EQ_INT(parse(&t, bad[i]), -EINVAL);
	CHECK_EQ_U64(t.s.n, 0);
	proc_end(&t);
}

TEST(C32_cpu_full_is_real_or_none)
{
	struct proc_test t;

	proc_start(&t);
	proc_tree(&t);
	proc_open(&t, &pressure_collector);
	proc_put(&t, "pressure/cpu", "some " AVG "total=5\nfull " AVG
		 "total=387245317\n");
	CHECK_EQ_INT(proc_collect(&t, &pressure_collector), 0);
	CHECK_EQ_U64(proc_value(&t, PSI_CPU_FULL, 0, 0), 387245317);
	proc_put(&t, "pressure/cpu", "some " AVG "total=6\nfull " AVG
		 "total=0\n");
	CHECK_EQ_INT(proc_collect(&t, &pressure_collector), 0);
	CHECK_EQ_U64(proc_value(&t, PSI_CPU_SOME, 0, 0), 6);
	CHECK_EQ_U64(proc_value(&t, PSI_CPU_FULL, 0, 0), ABSENT);
	CHECK(health_why(&t.health, "pressure", PSI_CPU_FULL, -1) != NULL);
	/* as from 4.20 to 5.12 */
	proc_put(&t, "pressure/cpu", "some " AVG "total=9\n");
	CHECK_EQ_INT(proc_collect(&t, &pressure_collector), 0);
	CHECK_EQ_U64(t.s.n, 1);
	proc_says(&t, "pressure", "", HEALTH_OK, "1 of 4 files");
	pressure_collector.close(t.state);
	pressure_collector.close(NULL);
	proc_end(&t);
}

TEST(C32_irq_has_only_full)
{
	struct proc_test t;

	proc_start(&t);
	proc_tree(&t);
	proc_open(&t, &pressure_collector);
	proc_put(&t, "pressure/irq", "full " AVG "total=53\n");
	CHECK_EQ_INT(proc_collect(&t, &pressure_collector), 0);
	CHECK_EQ_U64(proc_value(&t, PSI_IRQ_FULL, 0, 0), 53);
	CHECK_EQ_U64(t.s.n, 1);
	CHECK(!proc_health(&t, "pressure", "irq"));
	pressure_collector.close(t.state);
	proc_end(&t);
}

TEST(C32_unreadable_is_noted_once_and_the_panel_is_off)
{
	struct proc_test t;
	uint32_t version;
	int i;

	proc_start(&t);
	proc_tree(&t);
	proc_open(&t, &pressure_collector);
	mkdirat(t.env.proc_fd, "pressure", 0755);
	mkdirat(t.env.proc_fd, "pressure/cpu", 0755);
	CHECK(proc_collect(&t, &pressure_collector) < 0);
	proc_says(&t, "pressure", "", HEALTH_ABSENT, "no file");
	proc_says(&t, "pressure", "cpu", HEALTH_ABSENT, "is a directory");
	version = t.health.version;
	for (i = 0; i < 5; i++)
		CHECK(proc_collect(&t, &pressure_collector) < 0);
	CHECK_EQ_U64(t.health.version, version);
	pressure_collector.close(t.state);
	proc_end(&t);
}

TEST(C32_psi_is_off)
{
	const struct health_item *why;
	struct proc_test t;
	uint32_t version;
	int i, once;

	proc_start(&t);
	proc_live(&t);
	if (!procfs_exists(&t.env, "pressure/io")) {
		proc_end(&t);
		SKIP("no /proc/pressure");
	}
	proc_open(&t, &pressure_collector);
	psi_is_off = 1;
	CHECK_EQ_INT(proc_collect(&t, &pressure_collector), -EOPNOTSUPP);
	psi_is_off = 0;		/* it cannot come back, so it is not asked */
	once = asked;
	version = t.health.version;
	for (i = 0; i < 5; i++)
		CHECK_EQ_INT(proc_collect(&t, &pressure_collector),
			     -EOPNOTSUPP);
	CHECK_EQ_U64(t.s.n, 0);
	CHECK_EQ_INT(asked, once);
	CHECK_EQ_U64(t.health.version, version);
	proc_says(&t, "pressure", "", HEALTH_ABSENT, "boot with psi=1");
	why = health_why(&t.health, "pressure", PSI_IO_SOME, -1);
	CHECK(why && strstr(why->why, "boot with psi=1"));
	pressure_collector.close(t.state);
	proc_end(&t);
}

TEST(no_psi_in_the_kernel)
{
	const struct health_item *why;
	struct proc_test t;

	proc_start(&t);
	proc_tree(&t);
	proc_open(&t, &pressure_collector);
	CHECK_EQ_INT(proc_collect(&t, &pressure_collector), -ENOENT);
	proc_says(&t, "pressure", "", HEALTH_ABSENT, "CONFIG_PSI");
	why = health_why(&t.health, "pressure", PSI_IRQ_FULL, -1);
	CHECK(why && strstr(why->why, "CONFIG_IRQ_TIME_ACCOUNTING"));
	pressure_collector.close(t.state);
	proc_end(&t);
}

TEST(C37_time_line_empty_file_and_a_fall)
{
	struct proc_test t;
	int n;

	proc_start(&t);
	proc_line(&t, 0);
	proc_open(&t, &pressure_collector);
	for (n = 0; n < 5; n++) {
		proc_line(&t, n);
		CHECK_EQ_INT(proc_collect(&t, &pressure_collector), 0);
		CHECK_EQ_INT(proc_value(&t, PSI_IO_SOME, 0, 0) == ABSENT,
			     n == 3);
		CHECK_EQ_INT(proc_health(&t, "pressure", "io") != NULL, n == 3);
		CHECK_EQ_U64(proc_value(&t, PSI_CPU_SOME, 0, 0),
			     5000000u + 120000u * (unsigned)n);
		CHECK_EQ_U64(proc_value(&t, PSI_CPU_FULL, 0, 0), ABSENT);
		CHECK_EQ_U64(proc_value(&t, PSI_MEMORY_SOME, 0, 0),
			     (n < 3 ? 300000u : 0u) + 2000u * (unsigned)n);
	}
	CHECK_EQ_U64(proc_value(&t, PSI_IO_FULL, 0, 0), 628000);
	pressure_collector.close(t.state);
	proc_end(&t);
}

TEST_MAIN
