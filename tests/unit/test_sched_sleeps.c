// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sampled sleeps from their mark to their end: what is counted where, and what
 * happens to a sleep whose names were let go, or whose mark is used again.
 */
#include "test.h"
#include "buckets.h"
#include "sched_sleeps.h"

static struct health health;
static struct env env;
static struct sched_book *book;
static struct sched_sleeps s;
static uint32_t stack, task, waker;

static void begin(void)
{
	static const char text[] =
		"ffffffff81000000 T wake_up\nffffffff81000100 T pipe_write\n";
	uint32_t frame;

	memset(&health, 0, sizeof(health));
	env = (struct env) { .names = names_new(), .health = &health };
	book = calloc(1, sizeof(*book));
	book->env = &env;
	book->seq = 1;
	CHECK_EQ_INT(ksyms_parse(&book->ksyms, text, sizeof(text) - 1), 0);
	CHECK_EQ_INT(sched_table_init(&book->table), 0);
	CHECK_EQ_INT(sched_sleeps_init(&s, book), 0);
	frame = names_symbol(env.names, "pipe_read", 0, 0);
	stack = names_stack(env.names, 'S', &frame, 1);
	task = names_task(env.names, 7, 70, 7, "cat", 3);
	waker = names_task(env.names, 8, 80, 8, "dog", 3);
	sched_table_add(&book->table, stack, task, 10, 1);
}

static void end(void)
{
	sched_sleeps_free(&s);
	sched_table_free(&book->table);
	ksyms_free(book->ksyms);
	names_free(env.names);
	health_free(&health);
	free(book);
}

static void sleep_begin(uint32_t mark, uint32_t turn)
{
	struct sched_sample r = { .mark = mark, .turn = turn, .weight = 4 };

	r.pipe = (struct sched_pipe) { .inode = 9, .dev = 14, .slots = 16,
				       .fill = 16, .writes = 1 };
	sched_sleeps_begin(&s, &r, stack, task);
}

/* The value of (metric, key, sub) as a sample would have it; 0: none. */
static uint64_t value(uint16_t metric, uint32_t key, uint32_t sub)
{
	const struct reading *r;
	struct sample to = { 0 };
	uint64_t v;

	CHECK_EQ_INT(sample_init(&to), 0);
	CHECK_EQ_INT(sched_sleeps_collect(&s, &to), 0);
	sample_seal(&to);
	r = sample_find(&to, metric, key, sub);
	v = r ? r->value : 0;
	sample_free(&to);
	return v;
}

static const struct sched_pair *pair_of(uint32_t st, uint32_t ta)
{
	for (size_t i = 0; i < book->table.n; i++)
		if (book->table.pair[i].stack == st &&
		    book->table.pair[i].task == ta)
			return &book->table.pair[i];
	return NULL;
}

TEST(a_sleep_is_counted_at_its_end_with_its_waker)
{
	const uint64_t ip[] = { 0xffffffff81000010, 0xffffffff81000110 };
	const struct sched_sleep *sleep;
	size_t n = 0;
	const struct reading *from;
	struct sample to = { 0 };

	begin();
	sleep_begin(7, 3);
	sleep = sched_sleeps_find(&s, 7, 3);
	CHECK(sleep != NULL);
	sched_sleeps_wake(&s, sleep, ip, 2, waker);
	sched_sleeps_end(&s, sleep, 5000, 700);
	CHECK(sched_sleeps_find(&s, 7, 3) == NULL);
	CHECK_EQ_U64(pair_of(stack, task)->waits, 1);
	CHECK_EQ_U64(pair_of(stack, task)->wait_ns, 5000);
	CHECK_EQ_U64(pair_of(stack, task)->queued_ns, 700);
	CHECK_EQ_U64(value(SCHED_WAIT_HIST, stack, bucket_of(5000)), 1);
	CHECK_EQ_U64(value(SCHED_TASK_HIST, task, bucket_of(5000)), 1);
	CHECK_EQ_U64(value(SCHED_WOKEN_BY, task, waker), 1);
	CHECK_EQ_INT(sample_init(&to), 0);
	CHECK_EQ_INT(sched_sleeps_collect(&s, &to), 0);
	sample_seal(&to);
	from = sample_range(&to, SCHED_WOKEN_FROM, &n);
	CHECK_EQ_U64(n, 1);
	CHECK_EQ_STR(names_str(env.names, names_get(env.names, from->sub)->
			       stack.frame[1]), "pipe_write");
	sample_free(&to);
	end();
}

TEST(another_turn_of_the_mark_is_another_sleep)
{
	begin();
	sleep_begin(7, 3);
	CHECK(!sched_sleeps_find(&s, 7, 2));
	CHECK(!sched_sleeps_find(&s, 8, 3));
	CHECK(!sched_sleeps_find(&s, SCHED_NO_MARK, 3));
	end();
}

TEST(the_part_on_a_run_queue_is_no_longer_than_the_wait)
{
	begin();
	sleep_begin(7, 3);
	sched_sleeps_end(&s, sched_sleeps_find(&s, 7, 3), 500, 900);
	CHECK_EQ_U64(pair_of(stack, task)->queued_ns, 500);
	end();
}

TEST(a_sleep_whose_task_was_let_go_ends_among_the_ended)
{
	begin();
	sleep_begin(7, 3);
	book->gone[0] = task;
	book->ngone = 1;
	sched_sleeps_retire(&s);
	sched_sleeps_end(&s, sched_sleeps_find(&s, 7, 3), 5000, 0);
	CHECK_EQ_U64(value(SCHED_TASK_HIST, task, bucket_of(5000)), 0);
	CHECK_EQ_U64(value(SCHED_TASK_HIST, 0, bucket_of(5000)), 1);
	CHECK_EQ_U64(value(SCHED_WAIT_HIST, stack, bucket_of(5000)), 1);
	end();
}

TEST(the_pipe_of_a_sleep_has_its_wait)
{
	uint32_t pipe;

	begin();
	sleep_begin(7, 3);
	sleep_begin(SCHED_NO_MARK, 0);
	sched_sleeps_end(&s, sched_sleeps_find(&s, 7, 3), 500, 0);
	pipe = names_text(env.names, "0:14 9", 6);
	CHECK_EQ_U64(value(PIPE_FULL, pipe, task), 8);
	CHECK_EQ_U64(value(PIPE_FULL_N, pipe, task), 2);
	CHECK_EQ_U64(value(PIPE_FULL_WAITS, pipe, task), 1);
	CHECK_EQ_U64(value(PIPE_FULL_WAIT, pipe, task), 500);
	end();
}

TEST_MAIN
