// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sleeps in pipes by pipe and task: what is counted where, what becomes of the
 * tasks that ended and of pipes for which there is no room.
 */
#include "test.h"
#include "sched_pipes.h"

static struct names *names;
static struct sched_pipes p;
static uint32_t reader, writer, stack, other;

static uint32_t stack_of(const char *symbol)
{
	uint32_t frame = names_symbol(names, symbol, 0, 0);

	return names_stack(names, 'S', &frame, 1);
}

static void begin(void)
{
	names = names_new();
	CHECK_EQ_INT(sched_pipes_init(&p, names), 0);
	reader = names_task(names, 7, 70, 7, "cat", 3);
	writer = names_task(names, 8, 80, 8, "yes", 3);
	stack = stack_of("anon_pipe_read");
	other = stack_of("do_sys_poll");
}

static void end(void)
{
	sched_pipes_free(&p);
	names_free(names);
}

static struct sched_pipe pipe_of(uint64_t inode, int writes)
{
	return (struct sched_pipe) { .inode = inode, .dev = 14, .slots = 16,
				     .fill = writes ? 16 : 0,
				     .writes = (uint8_t)writes };
}

static uint32_t add(uint64_t inode, int writes, uint32_t task, uint64_t weight)
{
	struct sched_pipe at = pipe_of(inode, writes);

	return sched_pipes_add(&p, &at, stack, task, weight);
}

/* The reading, -1: none. */
static int64_t value(uint16_t metric, uint32_t key, uint32_t sub)
{
	const struct reading *r;
	struct sample to = { 0 };
	int64_t v;

	CHECK_EQ_INT(sample_init(&to), 0);
	CHECK_EQ_INT(sched_pipes_collect(&p, &to), 0);
	sample_seal(&to);
	r = sample_find(&to, metric, key, sub);
	v = r ? (int64_t)r->value : -1;
	sample_free(&to);
	return v;
}

static uint64_t sum(uint16_t metric)
{
	struct sample to = { 0 };
	const struct reading *r;
	uint64_t all = 0;
	size_t n = 0, i;

	CHECK_EQ_INT(sample_init(&to), 0);
	CHECK_EQ_INT(sched_pipes_collect(&p, &to), 0);
	sample_seal(&to);
	r = sample_range(&to, metric, &n);
	for (i = 0; i < n; i++)
		all += r[i].value;
	sample_free(&to);
	return all;
}

TEST(both_ends_of_a_pipe_by_task)
{
	uint32_t pipe;

	begin();
	pipe = add(4711, 0, reader, 10);
	CHECK_EQ_STR(names_str(names, pipe), "0:14 4711");
	CHECK_EQ_INT(add(4711, 1, writer, 5), pipe);
	add(4711, 0, reader, 20);
	sched_pipes_wait(&p, pipe, reader, 0, 900);
	CHECK_EQ_INT(value(PIPE_EMPTY_N, pipe, reader), 2);
	CHECK_EQ_INT(value(PIPE_EMPTY, pipe, reader), 30);
	CHECK_EQ_INT(value(PIPE_EMPTY_WAITS, pipe, reader), 1);
	CHECK_EQ_INT(value(PIPE_EMPTY_WAIT, pipe, reader), 900);
	CHECK_EQ_INT(value(PIPE_FULL, pipe, writer), 5);
	CHECK_EQ_INT(value(PIPE_FULL, pipe, reader), -1);
	CHECK_EQ_INT(value(PIPE_FULL_WAITS, pipe, writer), 0);
	CHECK_EQ_INT(value(PIPE_SLOTS, pipe, 0), 16);
	CHECK_EQ_INT(value(PIPE_FILL, pipe, 0), 0);
	end();
}

TEST(equal_inodes_of_two_file_systems_are_two_pipes)
{
	struct sched_pipe fifo = pipe_of(4, 0);
	uint32_t a, b;

	begin();
	a = sched_pipes_add(&p, &fifo, stack, reader, 1);
	fifo.dev = 259u << 20 | 1;
	b = sched_pipes_add(&p, &fifo, stack, reader, 1);
	CHECK(a != b);
	CHECK_EQ_STR(names_str(names, b), "259:1 4");
	end();
}

/* No guess: what could not be told is a number of its own, and only where the
 * task was in pipe code. */
TEST(unknown_is_of_pipe_code_alone)
{
	struct sched_pipe none = { .asked = 1 };

	begin();
	CHECK_EQ_INT(value(PIPE_UNKNOWN, 0, 0), 0);
	CHECK_EQ_INT(sched_pipes_add(&p, &none, stack, reader, 9), 0);
	CHECK_EQ_INT(sched_pipes_add(&p, &none, other, reader, 9), 0);
	none.asked = 0;
	CHECK_EQ_INT(sched_pipes_add(&p, &none, stack, reader, 9), 0);
	CHECK_EQ_INT(value(PIPE_UNKNOWN, 0, 0), 1);
	CHECK_EQ_U64(sum(PIPE_EMPTY_N), 0);
	end();
}

TEST(an_ended_task_leaves_its_sleeps_to_the_pipe)
{
	uint32_t pipe, gone[1];

	begin();
	gone[0] = reader;
	pipe = add(5, 0, reader, 10);
	add(5, 1, writer, 3);
	sched_pipes_retire(&p, gone, 1);
	CHECK_EQ_INT(value(PIPE_EMPTY, pipe, reader), -1);
	CHECK_EQ_INT(value(PIPE_EMPTY, pipe, 0), 10);
	CHECK_EQ_INT(value(PIPE_FULL, pipe, writer), 3);
	sched_pipes_wait(&p, pipe, reader, 0, 70);
	CHECK_EQ_INT(value(PIPE_EMPTY_WAIT, pipe, 0), 70);
	add(5, 0, writer, 1);
	sched_pipes_retire(&p, NULL, 0);
	CHECK_EQ_INT(value(PIPE_EMPTY, pipe, writer), 1);
	end();
}

/* The longest unseen go, with their names; no total falls. */
TEST(pipes_beyond_the_room_move_to_ended)
{
	uint32_t first, last = 0, i;

	begin();
	first = add(1, 0, reader, 2);
	for (i = 2; i <= 3 * SCHED_PIPE_PAIRS; i++) {
		last = add(i, 0, reader, 2);
		if (i % 1000 == 0)
			sched_pipes_retire(&p, NULL, 0);
	}
	sched_pipes_retire(&p, NULL, 0);
	CHECK_EQ_U64(sum(PIPE_EMPTY_N), 3 * SCHED_PIPE_PAIRS);
	CHECK_EQ_U64(sum(PIPE_EMPTY), 6 * SCHED_PIPE_PAIRS);
	CHECK(names_get(names, first) == NULL);
	CHECK_EQ_INT(value(PIPE_EMPTY, last, reader), 2);
	CHECK(p.n <= SCHED_PIPE_PAIRS / 4 * 3);
	CHECK(names_count(names) <= p.n + 8);
	end();
}

TEST(a_full_table_keeps_no_name_it_has_no_pair_for)
{
	uint32_t i;

	begin();
	for (i = 1; i <= 2 * SCHED_PIPE_PAIRS; i++)
		add(i, 0, reader, 1);
	CHECK_EQ_U64(sum(PIPE_EMPTY_N), 2 * SCHED_PIPE_PAIRS);
	CHECK(names_count(names) <= SCHED_PIPE_PAIRS + 8);
	end();
}

TEST_MAIN
