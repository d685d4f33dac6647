/* Which task is this, and what does it cost? */
#include <time.h>
#include "proc_test.h"

#define REST " 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 222622 9 9\n"

static int parse(const char *text, struct self_stat *s)
{
	return self_parse(text, strlen(text), s);
}

TEST(C2_comm_ends_at_the_last_parenthesis)
{
	static const char *const comm[] = {
		"sleep (2) .sh", "(a b ) ( c d) ", "(sd-pam)", "a\nb",
		") S 1 ", "", "\xff", "mozStorage #10", "\033]0;x\a",
	};
	struct self_stat s;
	char text[200];
	size_t i;

	for (i = 0; i < sizeof(comm) / sizeof(comm[0]); i++) {
		snprintf(text, sizeof(text), "584 (%s) R" REST, comm[i]);
		CHECK_EQ_INT(parse(text, &s), 0);
		CHECK_EQ_STR(s.comm, comm[i]);
		CHECK_EQ_INT(s.state, 'R');
		CHECK_EQ_U64(s.start, 222622);
	}
}

TEST(C9_comm_of_63_bytes)
{
	struct self_stat s;
	char text[300], comm[64];

	memset(comm, 'k', 63);
	comm[63] = '\0';
	snprintf(text, sizeof(text), "584 (%s) I" REST, comm);
	CHECK_EQ_INT(parse(text, &s), 0);
	CHECK_EQ_U64(s.len, 63);
	CHECK_EQ_STR(s.comm, comm);
}

TEST(texts_that_are_none)
{
	static const char *const bad[] = {
		"", "584", "584 (a", "584 a) R 1 2", "584 (a) R 1 2",
		"584 (a)", "584 (a) RR" REST, ")(",
	};
	struct self_stat s;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_EQ_INT(parse(bad[i], &s), -EINVAL);
}

TEST(own_task_and_cost_also_under_another_root)
{
	struct proc_test t;
	const struct name *n;
	struct timespec ts;
	uint64_t cpu;

	proc_start(&t);
	proc_tree(&t);
	proc_open(&t, &self_collector);
	CHECK_EQ_INT(proc_collect(&t, &self_collector), 0);
	n = names_get(t.s.names, (uint32_t)proc_value(&t, SELF_TASK, 0, 0));
	CHECK(n != NULL);
	CHECK_EQ_INT(n->task.tid, getpid());
	CHECK_EQ_STR(n->text, "test_self");
	CHECK(n->task.start > 0);
	CHECK(proc_value(&t, SELF_RSS, 0, 0) > 100000);
	CHECK(proc_value(&t, SELF_RSS, 0, 0) < ABSENT);
	cpu = proc_value(&t, SELF_CPU, 0, 0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	CHECK(cpu > 0 && cpu <= (uint64_t)ts.tv_sec * 1000000000u +
				(uint64_t)ts.tv_nsec);
	usleep(1000);
	usleep(1000);
	cpu = proc_value(&t, SELF_SWITCHES, 0, 0);
	CHECK_EQ_INT(proc_collect(&t, &self_collector), 0);
	CHECK(proc_value(&t, SELF_SWITCHES, 0, 0) >= cpu + 2);
	self_collector.close(t.state);
	self_collector.close(NULL);
	proc_end(&t);
}

TEST_MAIN
