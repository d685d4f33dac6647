// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When wakers are looked at: always on a calm box, now and then on one that
 * switches very often, and again only when it was calm for a while.
 */
#include "test.h"
#include "sched_waking.h"

#define SECOND	1000000000ull

static struct sched_waking w;

/* At second `at` past a whole period, after 100 ms with so many a second. */
static int wanted(double at, uint64_t per_sec)
{
	return sched_waking_wanted(&w, per_sec / 10, SECOND / 10,
				   800 * SECOND + (uint64_t)(at * SECOND));
}

TEST(a_calm_box_is_always_looked_at)
{
	memset(&w, 0, sizeof(w));
	for (int at = 0; at < 16; at++)
		CHECK(wanted(at, 40000));
}

TEST(one_that_switches_very_often_is_for_a_second_in_eight)
{
	int on = 0;

	memset(&w, 0, sizeof(w));
	for (int i = 0; i < 160; i++)
		on += wanted(i / 10., 400000);
	CHECK_EQ_INT(on, 20);
}

TEST(it_is_on_again_after_a_second_of_calm)
{
	memset(&w, 0, sizeof(w));
	CHECK(!wanted(2, 400000));
	CHECK(!wanted(2.5, 100));
	CHECK(!wanted(2.9, 100));
	CHECK(wanted(3.1, 100));
}

TEST_MAIN
