// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When counting flushes would be the load: does it stop, look again, go on
 * when it may, and is the time it was off left out?
 */
#include "test.h"
#include "tlb_watch.h"

#define MS 1000000ull

enum { CPUS = 3 };

static struct tlb_watch w;
static uint64_t now_ns;

static void begin(void)
{
	now_ns = 1000 * MS;
	CHECK_EQ_INT(tlb_watch_init(&w, CPUS), 0);
	tlb_watch_begin(&w, now_ns);
}

/* So many drains of 100 ms with this many switches/s on CPU 1; how often it
 * was switched on or off. */
static int drains(int n, uint64_t per_sec)
{
	int changes = 0;

	while (n--) {
		now_ns += 100 * MS;
		if (w.is_on)
			w.now[1] += per_sec / 10;
		changes += tlb_watch_step(&w, now_ns);
	}
	return changes;
}

TEST(a_quiet_box_is_always_watched)
{
	begin();
	CHECK_EQ_INT(drains(100, 90000), 0);
	CHECK(tlb_watch_counts(&w));
	CHECK_EQ_U64(tlb_watch_ns(&w, now_ns), 10000 * MS);
	tlb_watch_free(&w);
}

TEST(a_storm_of_switches_ends_it_and_is_told)
{
	begin();
	CHECK_EQ_INT(drains(1, 400000), 1);
	CHECK(!w.is_on);
	CHECK(!tlb_watch_counts(&w));
	CHECK_EQ_INT(w.cpu, 1);
	CHECK_EQ_U64(w.per_sec, 400000);
	tlb_watch_free(&w);
}

TEST(a_look_of_a_moment_says_nothing)
{
	begin();
	now_ns += 20 * MS;
	w.now[1] += 8000;		/* 400,000/s, if it went on */
	CHECK_EQ_INT(tlb_watch_step(&w, now_ns), 0);
	CHECK(w.is_on);
	tlb_watch_free(&w);
}

TEST(it_looks_again_after_five_seconds_and_shows_nothing_meanwhile)
{
	begin();
	drains(1, 400000);
	CHECK_EQ_INT(drains(49, 400000), 0);
	CHECK_EQ_INT(drains(1, 400000), 1);
	CHECK(w.is_on && w.is_trial);
	CHECK(!tlb_watch_counts(&w));
	CHECK_EQ_INT(drains(1, 400000), 1);
	CHECK(!w.is_on);
	tlb_watch_free(&w);
}

TEST(it_goes_on_when_the_storm_is_over)
{
	begin();
	drains(1, 400000);
	drains(50, 400000);
	CHECK_EQ_INT(drains(1, 1000), 0);
	CHECK(tlb_watch_counts(&w));
	CHECK_EQ_INT(drains(100, 90000), 0);
	CHECK(tlb_watch_counts(&w));
	tlb_watch_free(&w);
}

TEST(it_does_not_flutter_near_the_limit)
{
	begin();
	drains(1, 110000);
	drains(50, 0);
	CHECK_EQ_INT(drains(1, 90000), 1);	/* below, but not well */
	CHECK(!w.is_on);
	tlb_watch_free(&w);
}

TEST(the_time_it_was_off_is_left_out)
{
	uint64_t off_ns;

	begin();
	drains(10, 1000);
	drains(1, 400000);
	CHECK_EQ_U64(tlb_watch_ns(&w, now_ns), 1100 * MS);
	off_ns = now_ns;
	drains(50, 0);
	CHECK_EQ_U64(now_ns - off_ns, 5000 * MS);
	CHECK_EQ_U64(tlb_watch_ns(&w, now_ns), 1100 * MS);
	drains(10, 1000);
	CHECK_EQ_U64(tlb_watch_ns(&w, now_ns), 2100 * MS);
	CHECK_EQ_U64(tlb_watch_ns(&w, now_ns + 30 * MS), 2130 * MS);
	tlb_watch_free(&w);
}

TEST_MAIN
