/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do pairs come and go without a total ever falling?
 */
#include "sched_table.h"
#include "test.h"

static struct sched_table t;
static uint32_t dropped[2 * SCHED_STACKS];
static size_t ndropped;

static void begin(void)
{
	sched_table_free(&t);
	ndropped = 0;
	CHECK_EQ_INT(sched_table_init(&t), 0);
}

static void drop(void *arg, uint32_t stack)
{
	(void)arg;
	CHECK(ndropped < sizeof(dropped) / sizeof(*dropped));
	dropped[ndropped++] = stack;
}

static void retire(const uint32_t *ended, size_t n)
{
	sched_table_retire(&t, ended, n, drop, NULL);
}

static const struct sched_pair *find(uint32_t stack, uint32_t task)
{
	size_t i;

	for (i = 0; i < t.n; i++)
		if (t.pair[i].stack == stack && t.pair[i].task == task)
			return &t.pair[i];
	return NULL;
}

struct totals { uint64_t n, w, w2, waits, wait_ns; };

static struct totals totals(void)
{
	struct totals sum = { 0 };
	size_t i;

	for (i = 0; i < t.n; i++) {
		sum.n += t.pair[i].n;
		sum.w += t.pair[i].w;
		sum.w2 += t.pair[i].w2;
		sum.waits += t.pair[i].waits;
		sum.wait_ns += t.pair[i].wait_ns;
	}
	return sum;
}

static void check_same(struct totals was)
{
	struct totals is = totals();

	CHECK_EQ_U64(is.n, was.n);
	CHECK_EQ_U64(is.w, was.w);
	CHECK_EQ_U64(is.w2, was.w2);
	CHECK_EQ_U64(is.waits, was.waits);
	CHECK_EQ_U64(is.wait_ns, was.wait_ns);
}

static void check_order(void)
{
	size_t i;

	CHECK_EQ_INT(t.pair[0].stack, 0);
	CHECK_EQ_INT(t.pair[0].task, 0);
	for (i = 1; i < t.n; i++)
		CHECK(t.pair[i].stack > t.pair[i - 1].stack ||
		      (t.pair[i].stack == t.pair[i - 1].stack &&
		       t.pair[i].task > t.pair[i - 1].task));
}

TEST(a_pair_sums_its_weights_and_their_squares)
{
	begin();
	sched_table_add(&t, 7, 3, 61, 1);
	sched_table_add(&t, 7, 3, 59, 1);
	sched_table_add(&t, 7, 4, 1, 1);
	sched_table_wait(&t, 7, 3, 1000, 0);
	CHECK_EQ_U64(find(7, 3)->n, 2);
	CHECK_EQ_U64(find(7, 3)->w, 120);
	CHECK_EQ_U64(find(7, 3)->w2, 61 * 61 + 59 * 59);
	CHECK_EQ_U64(find(7, 3)->waits, 1);
	CHECK_EQ_U64(find(7, 3)->wait_ns, 1000);
	CHECK_EQ_U64(find(7, 4)->w, 1);
}

TEST(pairs_stand_in_order_once_a_sample_is_made)
{
	uint32_t i;

	begin();
	for (i = 0; i < 1000; i++)
		sched_table_add(&t, 1 + i * 7919 % 101, 1 + i * 31 % 17, 1, 1);
	retire(NULL, 0);
	check_order();
	CHECK_EQ_U64(totals().n, 1000);
	sched_table_add(&t, 1 + 7919 % 101, 1 + 31 % 17, 1, 2);
	CHECK_EQ_U64(totals().n, 1001);
	check_order();		/* it was found, not added */
}

TEST(a_task_that_ended_moves_to_sub_0_of_its_stacks)
{
	static const uint32_t ended[] = { 3, 5 };
	struct totals was;

	begin();
	sched_table_add(&t, 7, 3, 10, 1);
	sched_table_add(&t, 7, 4, 20, 1);
	sched_table_add(&t, 7, 5, 30, 1);
	sched_table_add(&t, 8, 3, 40, 1);
	sched_table_wait(&t, 7, 5, 99, 0);
	was = totals();
	retire(ended, 2);
	check_same(was);
	check_order();
	CHECK(!find(7, 3) && !find(7, 5) && !find(8, 3));
	CHECK_EQ_U64(find(7, 0)->w, 40);
	CHECK_EQ_U64(find(7, 0)->waits, 1);
	CHECK_EQ_U64(find(7, 4)->w, 20);
	CHECK_EQ_U64(find(8, 0)->w, 40);
	sched_table_add(&t, 7, 5, 1, 2);
	retire(ended, 2);	/* sub 0 goes on growing */
	CHECK_EQ_U64(find(7, 0)->w, 41);
	CHECK_EQ_U64(ndropped, 0);
}

TEST(a_wait_that_ends_after_its_pair_went_is_not_lost)
{
	static const uint32_t ended[] = { 3 };

	begin();
	sched_table_add(&t, 7, 3, 10, 1);
	retire(ended, 1);
	sched_table_wait(&t, 7, 3, 5, 0);
	CHECK_EQ_U64(find(7, 0)->wait_ns, 5);
	sched_table_wait(&t, 9, 3, 6, 0);
	CHECK_EQ_U64(find(0, 0)->wait_ns, 6);
}

TEST(above_the_cap_the_pairs_longest_unseen_move_to_sub_0)
{
	struct totals was;
	uint32_t i;

	begin();
	for (i = 0; i < SCHED_PAIRS + 1; i++)
		sched_table_add(&t, 1 + i % 100, 1 + i, 3,
				i < 5000 ? 1 : i < 10000 ? 2 : 3);
	was = totals();
	retire(NULL, 0);
	check_same(was);
	check_order();
	CHECK(t.n <= SCHED_PAIRS / 4 * 3 + 101);
	CHECK(!find(1, 1));		/* unseen longest */
	CHECK(find(1 + SCHED_PAIRS % 100, 1 + SCHED_PAIRS));
	CHECK(find(1, 0));
	CHECK_EQ_U64(ndropped, 0);
	i = (uint32_t)t.n;
	retire(NULL, 0);		/* it is small enough now */
	CHECK_EQ_U64(t.n, i);
}

TEST(above_the_cap_the_stacks_longest_unseen_move_to_key_0)
{
	struct totals was;
	uint32_t i;

	begin();
	for (i = 0; i < SCHED_STACKS + 10; i++)
		sched_table_add(&t, 1 + i, 0, 2, i < 8000 ? 1 : 2);
	was = totals();
	retire(NULL, 0);
	check_same(was);
	check_order();
	CHECK_EQ_U64(ndropped, 8000);
	CHECK_EQ_INT(dropped[0], 1);
	CHECK(!find(1, 0) && !find(8000, 0));
	CHECK(find(8001, 0));
	CHECK_EQ_U64(find(0, 0)->w, 16000);
}

TEST(a_full_table_still_counts_everything)
{
	uint32_t i;

	begin();
	for (i = 0; i < 2 * SCHED_ROOM; i++)
		sched_table_add(&t, 1 + i / 4, i % 4, 1, 1);
	CHECK(!sched_table_room(&t));
	CHECK_EQ_U64(t.n, SCHED_ROOM);
	CHECK_EQ_U64(totals().w, 2 * SCHED_ROOM);
	retire(NULL, 0);
	CHECK_EQ_U64(totals().w, 2 * SCHED_ROOM);
	CHECK(sched_table_room(&t));
	check_order();
}

TEST(no_stack_means_key_0_whatever_the_task)
{
	begin();
	sched_table_add(&t, 0, 5, 7, 1);
	retire(NULL, 0);
	CHECK_EQ_U64(t.n, 1);
	CHECK_EQ_U64(find(0, 0)->w, 7);
}

TEST(a_pair_that_comes_back_begins_anew)
{
	static const uint32_t ended[] = { 5 };

	begin();
	sched_table_add(&t, 7, 5, 100, 1);
	sched_table_add(&t, 7, 6, 1, 1);
	retire(ended, 1);
	sched_table_add(&t, 7, 5, 3, 2);
	retire(NULL, 0);
	check_order();
	CHECK_EQ_U64(find(7, 5)->w, 3);
	CHECK_EQ_U64(find(7, 0)->w, 100);
	sched_table_free(&t);
	sched_table_free(&t);
}

TEST_MAIN
