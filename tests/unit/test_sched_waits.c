/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is every wait timed from its own beginning to its own end, or not at all?
 */
#include "sched_waits.h"
#include "test.h"

#define MS 1000000ull

static struct sched_waits w;
static struct { uint32_t stack, task; uint64_t ns; } got[64];
static size_t ngot;

static void take(void *arg, uint32_t stack, uint32_t task, uint64_t wait_ns)
{
	(void)arg;
	CHECK(ngot < 64);
	got[ngot].stack = stack;
	got[ngot].task = task;
	got[ngot++].ns = wait_ns;
}

static void begin(void)
{
	sched_waits_free(&w);
	ngot = 0;
	CHECK_EQ_INT(sched_waits_init(&w), 0);
}

/* prev's stack is its tid * 10, its task its tid * 100. */
static void add(uint64_t time_ns, int32_t prev, int32_t next)
{
	struct sched_event e = {
		.time_ns = time_ns, .prev = prev, .next = next,
		.stack = (uint32_t)prev * 10, .task = (uint32_t)prev * 100,
	};

	sched_waits_add(&w, &e);
}

static void settle(int lost)
{
	sched_waits_settle(&w, lost, take, NULL);
}

static void settle_all(void)
{
	settle(0);
	settle(0);		/* what the first call could not be sure of */
}

TEST(a_wait_goes_from_switch_out_to_switch_in)
{
	begin();
	add(10 * MS, 1, 0);
	add(25 * MS, 0, 1);
	settle_all();
	CHECK_EQ_U64(ngot, 1);
	CHECK_EQ_U64(got[0].ns, 15 * MS);
	CHECK_EQ_INT(got[0].stack, 10);
	CHECK_EQ_INT(got[0].task, 100);
}

TEST(a_wait_may_span_settlings)
{
	begin();
	add(10 * MS, 1, 2);
	settle_all();
	add(500 * MS, 2, 1);
	settle_all();
	CHECK_EQ_U64(ngot, 1);
	CHECK_EQ_U64(got[0].ns, 490 * MS);
}

TEST(C50_two_CPUs_out_of_time_order)
{
	begin();
	/* CPU 0's ring comes first: task 1 goes in there at 20, out at 30 */
	add(20 * MS, 0, 1);
	add(30 * MS, 1, 0);
	/* then CPU 1's: out at 15 and in at 37 */
	add(15 * MS, 1, 0);
	add(37 * MS, 0, 1);
	settle_all();
	CHECK_EQ_U64(ngot, 2);
	CHECK_EQ_U64(got[0].ns, 5 * MS);
	CHECK_EQ_U64(got[1].ns, 7 * MS);
	CHECK_EQ_U64(w.backwards, 0);
}

TEST(C50_what_another_ring_may_still_precede_waits_for_the_next_drain)
{
	begin();
	add(20 * MS, 0, 1);		/* CPU 0, drained first */
	add(90 * MS, 0, 9);
	settle(0);
	CHECK_EQ_U64(ngot, 0);
	add(15 * MS, 1, 0);		/* CPU 1's came late */
	settle(0);
	CHECK_EQ_U64(ngot, 1);
	CHECK_EQ_U64(got[0].ns, 5 * MS);
}

TEST(C50_equal_stamps_make_a_wait_of_nothing_and_no_later_one_wrong)
{
	begin();
	add(10 * MS, 1, 0);
	add(10 * MS, 0, 1);
	add(50 * MS, 1, 0);
	add(52 * MS, 0, 1);
	settle_all();
	CHECK_EQ_U64(ngot, 2);
	CHECK_EQ_U64(got[0].ns, 0);
	CHECK_EQ_U64(got[1].ns, 2 * MS);
}

TEST(C50_a_wait_that_ends_before_it_began_is_dropped_and_counted)
{
	begin();
	add(50 * MS, 1, 0);
	settle_all();
	add(45 * MS, 0, 1);		/* a clock 5 ms behind */
	settle_all();
	CHECK_EQ_U64(ngot, 0);
	CHECK_EQ_U64(w.backwards, 1);
	add(60 * MS, 0, 1);		/* and its beginning is used up */
	settle_all();
	CHECK_EQ_U64(ngot, 0);
}

TEST(C49_a_span_over_a_loss_is_dropped)
{
	begin();
	add(10 * MS, 1, 2);
	add(11 * MS, 3, 4);
	settle_all();
	add(20 * MS, 2, 5);
	settle(1);			/* the ring was full in between */
	CHECK_EQ_U64(w.cut, 2);
	add(30 * MS, 5, 1);
	add(31 * MS, 0, 2);
	add(32 * MS, 0, 3);
	settle_all();
	CHECK_EQ_U64(ngot, 0);
	add(40 * MS, 1, 0);		/* what begins afterwards counts */
	add(42 * MS, 0, 1);
	settle_all();
	CHECK_EQ_U64(ngot, 1);
	CHECK_EQ_U64(got[0].ns, 2 * MS);
}

TEST(C49_more_events_than_there_is_room_for_are_a_loss)
{
	size_t i;

	begin();
	for (i = 0; i < SCHED_EVENTS + 1u; i++)
		add(10 * MS + i, 1, 2);
	settle_all();
	CHECK_EQ_U64(w.n, 0);
	CHECK_EQ_U64(ngot, 0);
}

TEST(a_tid_that_died_does_not_wait_for_its_successor)
{
	struct sched_event e = { .time_ns = 10 * MS, .prev = 1, .next = 2,
				 .stack = 10, .task = 100, .dead = 1 };

	begin();
	sched_waits_add(&w, &e);
	add(99 * MS, 2, 1);
	settle_all();
	CHECK_EQ_U64(ngot, 0);
	add(100 * MS, 1, 2);		/* the successor's own waits count */
	add(101 * MS, 2, 1);
	settle_all();
	CHECK_EQ_U64(ngot, 2);
	CHECK_EQ_U64(got[0].ns, 1 * MS);
	CHECK_EQ_INT(got[0].stack, 20);
	CHECK_EQ_U64(got[1].ns, 1 * MS);
}

TEST(idle_never_waits)
{
	begin();
	add(10 * MS, 0, 1);
	add(20 * MS, 1, 0);
	settle_all();
	CHECK_EQ_U64(ngot, 0);
}

TEST(more_sleepers_than_there_is_room_for_are_cut_and_counted)
{
	int32_t tid;

	begin();
	for (tid = 1; tid < 60000; tid++)
		add(10 * MS + (uint64_t)tid, tid, 0);
	settle_all();
	CHECK(w.cut > 0);
	add(90 * MS, 0, 59999);
	settle_all();
	CHECK_EQ_U64(ngot, 1);
	sched_waits_free(&w);
	sched_waits_free(&w);
}

TEST_MAIN
