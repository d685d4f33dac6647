// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of the kernel's list of threads: where each number goes, and times that
 * never fall.
 */
#include "test.h"
#include "tasks_pass.h"

static struct health health;
static struct env env;
static struct tasks_pass pass;
static struct tasks_table table;

static void begin(void)
{
	memset(&health, 0, sizeof(health));
	memset(&table, 0, sizeof(table));
	env = (struct env) { .names = names_new(), .health = &health };
	pass = (struct tasks_pass) { .env = &env, .tick_ns = 10000000 };
}

static void end(void)
{
	tasks_table_free(&table);
	names_free(env.names);
}

static struct tasks_row row_of(int tid, uint64_t start_ticks, const char *comm)
{
	struct tasks_row r = {
		.start_ns = start_ticks * 10000000 + 77, .tid = tid,
		.tgid = tid - 1, .cpu = 3, .state = 1, .run_ns = 100000000,
		.utime_ns = 30000000, .stime_ns = 10000000, .delay_ns = 55,
		.slices = 6, .minflt = 7, .majflt = 8, .nvcsw = 9,
		.nivcsw = 10, .cgroup = 11,
	};

	memcpy(r.comm, comm, strnlen(comm, sizeof(r.comm)));
	return r;
}

TEST(a_row_fills_a_task)
{
	struct tasks_row r = row_of(7, 500, "fifteen-letters");
	const struct task *task;
	const struct name *name;

	begin();
	tasks_table_begin(&table);
	tasks_pass_take(&pass, &table, &r);
	CHECK_EQ_U64(table.n, 1);
	task = table.v;
	name = names_get(env.names, task->id);
	CHECK_EQ_STR(name->text, "fifteen-letters");
	CHECK_EQ_INT(name->task.tid, 7);
	CHECK_EQ_INT(name->task.tgid, 6);
	CHECK_EQ_U64(name->task.start, 500);
	CHECK_EQ_INT(task->state, 'S');
	CHECK_EQ_INT(task->cpu, 3);
	CHECK_EQ_U64(task->count[TASK_COUNT_UTIME], 7);	/* 3/4 of 100 ms */
	CHECK_EQ_U64(task->count[TASK_COUNT_STIME], 2);
	CHECK_EQ_U64(task->count[TASK_COUNT_RUN], 100000000);
	CHECK_EQ_U64(task->count[TASK_COUNT_DELAY], 55);
	CHECK_EQ_U64(task->count[TASK_COUNT_SLICES], 6);
	CHECK_EQ_U64(task->count[TASK_COUNT_MINFLT], 7);
	CHECK_EQ_U64(task->count[TASK_COUNT_MAJFLT], 8);
	CHECK_EQ_U64(task->count[TASK_COUNT_NVCSW], 9);
	CHECK_EQ_U64(task->count[TASK_COUNT_NIVCSW], 10);
	CHECK_EQ_U64(task->cgroup, 11);
	end();
}

TEST(another_name_is_the_same_task)
{
	struct tasks_row r = row_of(7, 500, "cat");
	uint32_t id;

	begin();
	tasks_pass_take(&pass, &table, &r);
	id = table.v->id;
	r = row_of(7, 500, "dog");
	tasks_pass_take(&pass, &table, &r);
	CHECK_EQ_INT(table.v->id, id);
	CHECK_EQ_STR(names_str(env.names, id), "dog");
	r = row_of(7, 501, "dog");
	tasks_pass_take(&pass, &table, &r);
	CHECK_EQ_U64(table.n, 2);
	end();
}

TEST(cpu_times_add_up_to_the_run_time_and_never_fall)
{
	uint64_t user = 0, kernel = 0;

	tasks_cputime(100, 3, 1, &user, &kernel);
	CHECK_EQ_U64(user, 75);
	CHECK_EQ_U64(kernel, 25);
	tasks_cputime(110, 4, 0, &user, &kernel);	/* ticks say: all user */
	CHECK_EQ_U64(user, 85);
	CHECK_EQ_U64(kernel, 25);
	tasks_cputime(120, 0, 9, &user, &kernel);
	CHECK_EQ_U64(user, 85);
	CHECK_EQ_U64(kernel, 35);
	tasks_cputime(90, 0, 9, &user, &kernel);	/* no fall */
	CHECK_EQ_U64(user + kernel, 120);
	tasks_cputime(130, 0, 0, &user, &kernel);	/* no tick yet */
	CHECK_EQ_U64(user + kernel, 130);
	tasks_cputime(UINT64_MAX / 2, UINT64_MAX / 4, UINT64_MAX / 4, &user,
		      &kernel);
	CHECK_EQ_U64(user + kernel, UINT64_MAX / 2);
}

TEST_MAIN
