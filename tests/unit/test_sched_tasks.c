/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a tid bound to the right task, at a bounded number of questions?
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sched_tasks.h"
#include "test.h"

#define SECOND_NS 1000000000ull

static struct sched_tasks t;
static struct names *names;
static char root[32];
static int proc_fd = -1;
static uint32_t ended[64];

static void proc_set(int32_t tid, const char *comm, unsigned long long start)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%d", root, tid);
	mkdir(path, 0700);
	strcat(path, "/stat");
	f = fopen(path, "w");
	CHECK(f);
	fprintf(f, "%d (%s) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1 0 %llu "
		"1 2 3\n", tid, comm, start);
	fclose(f);
}

static void proc_unset(int32_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%d/stat", root, tid);
	unlink(path);
	snprintf(path, sizeof(path), "%s/%d", root, tid);
	rmdir(path);
}

static void end(void)
{
	int32_t tid;

	for (tid = 1; tid < 100 && root[0]; tid++)
		proc_unset(tid);
	rmdir(root);
	sched_tasks_free(&t);
	names_free(names);
	names = NULL;
	if (proc_fd >= 0)
		close(proc_fd);
	proc_fd = -1;
}

static void begin(void)
{
	end();
	strcpy(root, "/tmp/test_tasks.XXXXXX");
	CHECK(mkdtemp(root));
	proc_fd = open(root, O_PATH | O_DIRECTORY);
	names = names_new();
	CHECK(proc_fd >= 0 && names);
	CHECK_EQ_INT(sched_tasks_init(&t, proc_fd, names), 0);
	sched_tasks_allow(&t, 32);
}

/* A record of tid at this second and sample. */
static uint32_t meet(int32_t tid, const char *comm, uint32_t seq)
{
	return sched_tasks_id(&t, tid, tid, comm, strlen(comm), seq,
			      seq * SECOND_NS);
}

static const struct name *task(uint32_t id)
{
	const struct name *n = names_get(names, id);

	CHECK(n);
	CHECK_EQ_INT(n->kind, NAME_TASK);
	return n;
}

/* Sweep until `id` is handed out; the sample it happened in. */
static uint32_t sweep_for(uint32_t id, uint32_t seq)
{
	uint32_t limit = seq + 10;
	size_t n, i;

	for (; seq < limit; seq++) {
		n = sched_tasks_sweep(&t, seq, ended, 64);
		for (i = 0; i < n; i++)
			if (ended[i] == id) {
				sched_tasks_drop(&t, ended, n);
				return seq;
			}
		sched_tasks_drop(&t, ended, n);
	}
	return 0;
}

TEST(a_task_is_its_tid_and_start_time)
{
	uint32_t id;

	begin();
	proc_set(7, "bash", 4711);
	id = meet(7, "bash", 1);
	CHECK_EQ_INT(task(id)->task.tid, 7);
	CHECK_EQ_U64(task(id)->task.start, 4711);
	CHECK_EQ_STR(task(id)->text, "bash");
	CHECK_EQ_INT(meet(7, "bash", 1), id);
	CHECK_EQ_INT(meet(7, "bash", 9), id);
}

TEST(idle_is_one_task_of_all_CPUs)
{
	uint32_t id;

	begin();
	id = meet(0, "swapper/3", 1);
	CHECK_EQ_STR(task(id)->text, "swapper");
	CHECK_EQ_INT(meet(0, "swapper/0", 1), id);
}

TEST(a_task_that_is_gone_is_short_lived_with_the_records_name)
{
	uint32_t id;

	begin();
	id = meet(8, "true", 1);
	CHECK_EQ_U64(task(id)->task.start, 0);
	CHECK_EQ_STR(task(id)->text, "true");
	CHECK_EQ_INT(meet(8, "true", 1), id);
}

TEST(a_comm_of_16_bytes_without_an_end)
{
	begin();
	CHECK_EQ_STR(task(sched_tasks_id(&t, 8, 8, "0123456789abcdefXXXX", 20,
					 1, 1))->text, "0123456789abcdef");
}

TEST(a_tid_used_again_is_another_task)
{
	uint32_t was, is;

	begin();
	proc_set(7, "bash", 4711);
	was = meet(7, "bash", 1);
	proc_set(7, "bash", 9999);
	CHECK_EQ_INT(meet(7, "bash", 2), was);	/* asked a second ago */
	is = meet(7, "bash", 5);
	CHECK(is != was);
	CHECK_EQ_U64(task(is)->task.start, 9999);
	CHECK_EQ_INT(sweep_for(was, 5), 7);
	CHECK_EQ_INT(meet(7, "bash", 8), is);
}

TEST(an_exec_renames_the_task_at_once)
{
	uint32_t id;

	begin();
	proc_set(7, "sh", 4711);
	id = meet(7, "sh", 1);
	proc_set(7, "make", 4711);
	sched_tasks_allow(&t, 32);
	CHECK_EQ_INT(sched_tasks_id(&t, 7, 7, "make", 4, 1,
				    SECOND_NS + 100000000), id);
	CHECK_EQ_STR(task(id)->text, "make");
}

TEST(a_longer_name_in_proc_is_left_alone)
{
	uint32_t id, version;

	begin();
	proc_set(7, "kworker/0:1-events", 4711);
	id = meet(7, "kworker/0:1", 1);
	CHECK_EQ_STR(task(id)->text, "kworker/0:1-events");
	version = task(id)->version;
	meet(7, "kworker/0:1", 5);
	CHECK_EQ_INT(task(id)->version, version);
}

TEST(questions_are_bounded_and_asked_later)
{
	uint32_t id;
	int32_t tid;

	begin();
	sched_tasks_allow(&t, 3);
	for (tid = 1; tid <= 10; tid++)
		proc_set(tid, "x", 100 + (unsigned)tid);
	for (tid = 1; tid <= 10; tid++) {
		id = meet(tid, "x", 1);
		CHECK_EQ_U64(task(id)->task.start,
			     tid <= 3 ? 100 + (unsigned)tid : 0);
	}
	sched_tasks_allow(&t, 3);
	CHECK_EQ_U64(task(meet(9, "x", 2))->task.start, 109);
}

TEST(a_task_that_ended_goes_after_two_samples_more)
{
	uint32_t id;

	begin();
	proc_set(7, "bash", 4711);
	id = meet(7, "bash", 1);
	CHECK_EQ_INT(sched_tasks_sweep(&t, 4, ended, 64), 0);	/* it lives */
	proc_unset(7);
	CHECK_EQ_INT(sweep_for(id, 5), 7);
}

TEST(a_short_lived_task_goes_when_unseen)
{
	uint32_t id;

	begin();
	id = meet(8, "true", 1);
	CHECK_EQ_INT(sweep_for(id, 1), 5);
	CHECK(!names_get(names, id));	/* its name is nobody else's */
}

TEST(a_short_lived_tid_that_comes_again_keeps_a_name)
{
	uint32_t id;

	begin();
	meet(8, "true", 1);
	sched_tasks_sweep(&t, 3, ended, 64);
	id = meet(8, "true", 4);
	sched_tasks_drop(&t, ended, sched_tasks_sweep(&t, 5, ended, 64));
	CHECK_EQ_STR(task(id)->text, "true");
}

TEST(where_the_start_is_known_a_tid_used_again_is_another_task)
{
	uint32_t id, other;

	begin();
	id = sched_tasks_known(&t, 8, 8, 700, "cat", 3, 1);
	CHECK_EQ_INT(sched_tasks_known(&t, 8, 8, 700, "cat", 3, 1), id);
	CHECK_EQ_INT(sched_tasks_known(&t, 8, 8, 700, "dog", 3, 1), id);
	CHECK_EQ_STR(task(id)->text, "dog");
	CHECK_EQ_U64(task(id)->task.start, 700);
	other = sched_tasks_known(&t, 8, 8, 900, "dog", 3, 2);
	CHECK(other != id);
	CHECK_EQ_INT(sched_tasks_known(&t, 0, 0, 0, "swapper", 7, 2), t.idle);
	CHECK_EQ_INT(sweep_for(id, 2), 4);
	end();
	sched_tasks_free(&t);
}

TEST(more_tasks_than_there_is_room_for_have_no_id)
{
	int32_t tid;
	size_t n;

	begin();
	sched_tasks_allow(&t, 0);
	for (tid = 1; tid <= SCHED_TASKS; tid++)
		CHECK(meet(tid, "x", 1));
	CHECK_EQ_INT(meet(SCHED_TASKS + 1, "x", 1), 0);
	n = sched_tasks_sweep(&t, 5, ended, 64);	/* unseen: let go */
	CHECK_EQ_INT(n, 0);
	CHECK(meet(SCHED_TASKS + 1, "x", 5));
	CHECK_EQ_INT(sched_tasks_sweep(&t, 7, ended, 64), 64);
	end();
	sched_tasks_free(&t);
}

TEST_MAIN
