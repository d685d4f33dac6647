// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts of pairs: bounded, and no sum falls when names are let go.
 */
#include "test.h"
#include "sched_tally.h"

static struct sched_tally t;

static uint64_t count(uint32_t key, uint32_t sub)
{
	for (size_t i = 0; i < t.n; i++)
		if (t.pair[i].key == key && t.pair[i].sub == sub)
			return t.pair[i].n;
	return 0;
}

static uint64_t sum(void)
{
	uint64_t all = 0;

	for (size_t i = 0; i < t.n; i++)
		all += t.pair[i].n;
	return all;
}

static void add(uint32_t key, uint32_t sub, int times, uint32_t seq)
{
	while (times--)
		sched_tally_add(&t, key, sub, seq);
}

TEST(pairs_are_counted_and_come_out_in_order)
{
	struct sample s = { 0 };

	CHECK_EQ_INT(sample_init(&s), 0);
	CHECK_EQ_INT(sched_tally_init(&t, 16, 0, NULL), 0);
	add(9, 3, 2, 1);
	add(2, 7, 1, 1);
	add(9, 1, 5, 1);
	sched_tally_retire(&t, NULL, 0);
	CHECK_EQ_INT(sched_tally_collect(&t, SCHED_WAIT_HIST, &s), 0);
	CHECK(s.sorted);
	CHECK_EQ_U64(s.n, 3);
	CHECK_EQ_U64(s.v[1].key, 9);
	CHECK_EQ_U64(s.v[1].value, 5);
	add(9, 3, 1, 2);
	CHECK_EQ_U64(count(9, 3), 3);
	sample_free(&s);
	sched_tally_free(&t);
}

TEST(a_key_that_went_moves_to_zero_and_keeps_its_number)
{
	const uint32_t gone[] = { 5, 9 };

	CHECK_EQ_INT(sched_tally_init(&t, 16, 0, NULL), 0);
	add(9, 3, 2, 1);
	add(5, 3, 1, 1);
	add(4, 9, 1, 1);	/* 9 is a number here, no name */
	sched_tally_retire(&t, gone, 2);
	CHECK_EQ_U64(count(0, 3), 3);
	CHECK_EQ_U64(count(4, 9), 1);
	CHECK_EQ_U64(sum(), 4);
	sched_tally_free(&t);
}

TEST(a_sub_that_is_a_name_goes_too)
{
	const uint32_t gone[] = { 9 };

	CHECK_EQ_INT(sched_tally_init(&t, 16, 1, NULL), 0);
	add(4, 9, 1, 1);
	add(4, 8, 1, 1);
	add(9, 8, 2, 1);
	sched_tally_retire(&t, gone, 1);
	CHECK_EQ_U64(count(4, 0), 1);
	CHECK_EQ_U64(count(4, 8), 1);
	CHECK_EQ_U64(count(0, 0), 2);
	sched_tally_free(&t);
}

TEST(names_of_subs_are_held_as_long_as_a_pair_has_them)
{
	struct names *names = names_new();
	uint32_t sub = names_text(names, "waker", 5);
	const uint32_t first[] = { 4 }, second[] = { 5 };

	CHECK_EQ_INT(sched_tally_init(&t, 16, 1, names), 0);
	add(4, sub, 1, 1);
	add(5, sub, 1, 1);
	CHECK_EQ_U64(sched_tally_retire(&t, first, 1), 1);
	CHECK(names_get(names, sub) != NULL);
	CHECK_EQ_U64(sched_tally_retire(&t, second, 1), 1);
	CHECK(names_get(names, sub) == NULL);
	CHECK_EQ_U64(sum(), 2);
	sched_tally_free(&t);
	names_free(names);
}

TEST(when_full_it_counts_on_and_lets_the_longest_unseen_go)
{
	CHECK_EQ_INT(sched_tally_init(&t, 16, 0, NULL), 0);
	for (uint32_t i = 0; i < 40; i++)
		add(100 + i, 1, 1, i);
	CHECK_EQ_U64(t.n, 16);
	CHECK_EQ_U64(sum() + t.over, 40);
	sched_tally_retire(&t, NULL, 0);
	CHECK(t.n <= 12);
	CHECK_EQ_U64(count(100, 1), 0);
	CHECK_EQ_U64(count(115, 1), 1);
	add(100, 1, 1, 50);
	CHECK_EQ_U64(count(100, 1), 1);
	sched_tally_free(&t);
}

TEST_MAIN
