/* The parts of the tasks collector that need no kernel. */
#include "proc_test.h"
#include "tasks_delay.h"
#include "tasks_rq.h"
#include "tasks_table.h"

static int parse_delay(const char *text, struct tasks_delay *d)
{
	return tasks_parse_delay(text, strlen(text), d);
}

TEST(run_delay_of_a_thread)
{
	struct tasks_delay d;

	CHECK_EQ_INT(parse_delay("1804193978928 9223372036854775807 3\n", &d),
		     0);
	CHECK_EQ_U64(d.run_ns, 1804193978928u);
	CHECK_EQ_U64(d.delay_ns, INT64_MAX);
	CHECK_EQ_U64(d.slices, 3);
	CHECK_EQ_INT(parse_delay("0 53240 1\n", &d), 0);
	/* sched_info is off: not a thread that never waited */
	CHECK_EQ_INT(parse_delay("0 0 0\n", &d), -ENODATA);
}

TEST(C27_run_delay_that_is_none)
{
	static const char *const bad[] = {
		"", "\n", "1 2\n", "1 2 3", " ______\n< moo! >\n", "1 2 -3\n",
	};
	struct tasks_delay d;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_EQ_INT(parse_delay(bad[i], &d), -EINVAL);
}

struct cpu_list {
	unsigned n, sum, last;
};

static void add_cpu(void *ctx, unsigned cpu)
{
	struct cpu_list *l = ctx;

	l->n++;
	l->sum += cpu;
	l->last = cpu;
}

static int parse_cpus(const char *text, struct cpu_list *l)
{
	memset(l, 0, sizeof(*l));
	return tasks_parse_cpus(text, strlen(text), add_cpu, l);
}

TEST(C11_lists_of_cpus)
{
	struct cpu_list l;

	CHECK_EQ_INT(parse_cpus("0\n", &l), 0);
	CHECK_EQ_INT((int)l.n, 1);
	CHECK_EQ_INT(parse_cpus("0-1,4-5,8-9,12-13\n", &l), 0);
	CHECK_EQ_INT((int)l.n, 8);
	CHECK_EQ_INT((int)l.sum, 52);
	CHECK_EQ_INT((int)l.last, 13);
	CHECK_EQ_INT(parse_cpus("", &l), -EINVAL);
	CHECK_EQ_INT(parse_cpus("\n", &l), -EINVAL);
	CHECK_EQ_INT(parse_cpus("3-1\n", &l), -EINVAL);
	CHECK_EQ_INT(parse_cpus("0-99999999999\n", &l), -EINVAL);
	CHECK_EQ_INT(parse_cpus("0,x\n", &l), -EINVAL);
}

/* See a task with these counts, named after its tid. */
static struct task *see(struct proc_test *t, struct tasks_table *table,
			int32_t tid, uint64_t start, uint64_t utime)
{
	struct task *task = tasks_table_see(table, tid, start);

	CHECK(task != NULL);
	task->id = names_task(t->s.names, tid, start, tid, "x", 1);
	task->state = 'S';
	task->count[TASK_COUNT_UTIME] = utime;
	return task;
}

static void sample(struct proc_test *t, struct tasks_table *table)
{
	sample_reset(&t->s);
	tasks_table_retire(table, t->s.names);
	CHECK_EQ_INT(tasks_table_add(table, &t->s), 0);
	CHECK_EQ_INT(t->s.sorted || t->s.n < 2, 1);
	sample_seal(&t->s);
}

TEST(an_ended_task_stays_two_samples_and_no_total_falls)
{
	struct tasks_table table = { .n = 0 };
	struct proc_test t;
	uint64_t sum, before = 0;
	uint32_t id;
	size_t n;
	int i;

	proc_start(&t);
	tasks_table_begin(&table);
	see(&t, &table, 10, 100, 7);
	id = see(&t, &table, 11, 100, 5000)->id;
	tasks_table_end(&table);
	sample(&t, &table);
	CHECK_EQ_U64(proc_value(&t, TASK_UTIME, 0, 0), 0);
	for (i = 1; i <= 4; i++) {
		tasks_table_begin(&table);
		see(&t, &table, 10, 100, 7);
		tasks_table_end(&table);
		sample(&t, &table);
		CHECK_EQ_U64(proc_value(&t, TASK_UTIME, id, 0),
			     i <= 2 ? 5000 : ABSENT);
		CHECK_EQ_U64(proc_value(&t, TASK_STATE, id, 0), ABSENT);
		CHECK_EQ_U64(proc_value(&t, TASK_UTIME, 0, 0),
			     i <= 2 ? 0 : 5000);
		CHECK_EQ_INT(names_get(t.s.names, id) != NULL, i <= 2);
		sum = proc_sum(&t, TASK_UTIME, &n);
		CHECK(sum >= before);
		before = sum;
	}
	CHECK_EQ_U64(before, 5007);
	tasks_table_free(&table);
	proc_end(&t);
}

TEST(a_tid_that_comes_back_is_another_task)
{
	struct tasks_table table = { .n = 0 };
	struct proc_test t;
	uint32_t first, second;

	proc_start(&t);
	tasks_table_begin(&table);
	first = see(&t, &table, 10, 100, 7)->id;
	tasks_table_end(&table);
	sample(&t, &table);
	tasks_table_begin(&table);
	second = see(&t, &table, 10, 200, 1)->id;
	tasks_table_end(&table);
	CHECK(first != second);
	sample(&t, &table);
	CHECK_EQ_U64(proc_value(&t, TASK_UTIME, first, 0), 7);
	CHECK_EQ_U64(proc_value(&t, TASK_UTIME, second, 0), 1);
	CHECK_EQ_U64(proc_value(&t, TASK_STATE, first, 0), ABSENT);
	CHECK_EQ_U64(proc_value(&t, TASK_STATE, second, 0), 'S');
	tasks_table_free(&table);
	proc_end(&t);
}

TEST(a_task_that_one_pass_missed_lives_on)
{
	struct tasks_table table = { .n = 0 };
	struct proc_test t;
	int i;

	proc_start(&t);
	for (i = 0; i < 6; i++) {
		tasks_table_begin(&table);
		see(&t, &table, 9, 100, 1);
		if (i != 2)
			see(&t, &table, 10, 100, 7);
		tasks_table_end(&table);
		CHECK_EQ_INT(tasks_table_saw(&table, 10), i != 2);
		sample(&t, &table);
	}
	CHECK_EQ_U64(table.n, 2);
	CHECK_EQ_U64(proc_value(&t, TASK_UTIME, 0, 0), 0);
	tasks_table_free(&table);
	proc_end(&t);
}

TEST(ten_thousand_tasks_of_which_half_change)
{
	struct tasks_table table = { .n = 0 };
	struct proc_test t;
	size_t n;
	int round, i;

	proc_start(&t);
	for (round = 0; round < 6; round++) {
		tasks_table_begin(&table);
		for (i = 1; i <= 10000; i++)
			see(&t, &table, i, i % 2 ? 1 : 100 + (unsigned)round,
			    1);
		tasks_table_end(&table);
		sample(&t, &table);
		proc_sum(&t, TASK_STATE, &n);
		CHECK_EQ_U64(n, 10000);
		/* each task was seen with one tick of its own */
		CHECK_EQ_U64(proc_sum(&t, TASK_UTIME, &n),
			     10000u + 5000u * (unsigned)round);
	}
	CHECK(table.n <= 20000);
	CHECK_EQ_U64(names_count(t.s.names), table.n);
	tasks_table_free(&table);
	proc_end(&t);
}

TEST(tasks_above_the_limit_are_counted)
{
	struct tasks_table table = { .n = 0 };
	int i;

	tasks_table_begin(&table);
	for (i = 0; i < TASKS_MAX + 10; i++)
		tasks_table_see(&table, i + 1, 1);
	CHECK_EQ_U64(table.n, TASKS_MAX);
	CHECK_EQ_U64(table.over, 10);
	tasks_table_free(&table);
}

static void put_online(struct proc_test *t, const char *list)
{
	mkdirat(t->env.proc_fd, "devices", 0755);
	mkdirat(t->env.proc_fd, "devices/system", 0755);
	mkdirat(t->env.proc_fd, "devices/system/cpu", 0755);
	proc_put(t, "devices/system/cpu/online", list);
}

TEST(C13_depth_of_online_cpus)
{
	struct tasks_rq rq = { .n = 0 };
	struct proc_test t;

	proc_start(&t);
	proc_tree(&t);
	t.env.sys_fd = open(t.dir, O_PATH | O_DIRECTORY);
	put_online(&t, "0,2-3\n");
	tasks_rq_open(&rq, &t.env);
	tasks_rq_begin(&rq);
	tasks_rq_count(&rq, 3);
	tasks_rq_count(&rq, 3);
	tasks_rq_count(&rq, 1);		/* went offline meanwhile */
	tasks_rq_count(&rq, 99);
	tasks_rq_count(&rq, -1);
	tasks_rq_end(&rq);
	tasks_rq_begin(&rq);
	tasks_rq_count(&rq, 3);
	tasks_rq_end(&rq);
	CHECK_EQ_INT(tasks_rq_add(&rq, &t.s), 0);
	sample_seal(&t.s);
	CHECK_EQ_U64(proc_value(&t, RQ_NOW, 0, 0), 0);
	CHECK_EQ_U64(proc_value(&t, RQ_NOW, 1, 0), ABSENT);
	CHECK_EQ_U64(proc_value(&t, RQ_NOW, 3, 0), 1);
	CHECK_EQ_U64(proc_value(&t, RQ_READS, 3, 0), 2);
	CHECK_EQ_U64(proc_value(&t, RQ_SUM, 3, 0), 3);
	CHECK_EQ_U64(proc_value(&t, RQ_MAX, 3, 0), 2);
	put_online(&t, "0-2\n");
	tasks_rq_begin(&rq);
	tasks_rq_end(&rq);
	sample_reset(&t.s);
	CHECK_EQ_INT(tasks_rq_add(&rq, &t.s), 0);
	sample_seal(&t.s);
	CHECK_EQ_U64(proc_value(&t, RQ_MAX, 2, 0), 0);
	CHECK_EQ_U64(proc_value(&t, RQ_NOW, 1, 0), 0);
	CHECK_EQ_U64(proc_value(&t, RQ_NOW, 3, 0), ABSENT);
	tasks_rq_free(&rq);
	proc_end(&t);
}

TEST(no_list_of_cpus_no_depth)
{
	struct tasks_rq rq = { .n = 0 };
	struct proc_test t;

	proc_start(&t);
	proc_tree(&t);
	t.env.sys_fd = open(t.dir, O_PATH | O_DIRECTORY);
	tasks_rq_open(&rq, &t.env);
	tasks_rq_begin(&rq);
	tasks_rq_end(&rq);
	CHECK_EQ_INT(tasks_rq_add(&rq, &t.s), 0);
	CHECK_EQ_U64(t.s.n, 0);
	CHECK(health_why(&t.health, "tasks", RQ_NOW, -1) != NULL);
	tasks_rq_free(&rq);
	proc_end(&t);
}

TEST(the_64_busiest_are_read)
{
	struct tasks_delay_state d = { .n = 0 };
	struct tasks_table table = { .n = 0 };
	struct proc_test t;
	char path[32];
	struct task *task;
	int i;

	proc_start(&t);
	proc_tree(&t);
	d.env = &t.env;
	tasks_table_begin(&table);
	for (i = 1; i <= 200; i++) {
		task = see(&t, &table, i, 1, 0);
		tasks_delay_rank(task, (uint64_t)(i * 7 % 200));
		snprintf(path, sizeof(path), "%d/schedstat", i);
		proc_put(&t, path, i == 57 ? "0 0 0\n" : "5 6 7\n");
	}
	tasks_table_end(&table);
	tasks_delay_read(&d, &table);
	for (i = 1; i <= 200; i++)
		CHECK_EQ_INT(table.v[i - 1].has_delay,
			     i * 7 % 200 >= 200 - TASKS_BUSIEST && i != 57);
	sample(&t, &table);
	CHECK_EQ_U64(proc_value(&t, TASK_DELAY, table.v[27].id, 0), 6);
	CHECK_EQ_U64(proc_value(&t, TASK_DELAY, table.v[56].id, 0), ABSENT);
	tasks_table_free(&table);
	proc_end(&t);
}

TEST_MAIN
