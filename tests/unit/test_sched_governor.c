/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does N keep the budget, and never keep step with what it watches?
 */
#include "sched_governor.h"
#include "test.h"

#define MS 1000000ull

enum { CPUS = 8 };

static struct sched_governor g;
static struct sched_steer cpu[CPUS];
static uint64_t now_ns;

static void begin(uint64_t target, uint64_t fixed)
{
	size_t i;

	memset(cpu, 0, sizeof(cpu));
	sched_governor_init(&g, target, fixed, 12345);
	for (i = 0; i < CPUS; i++) {
		cpu[i].every = sched_governor_first(&g, i);
		cpu[i].open = 1;
	}
	now_ns = 1000 * MS;
	sched_governor_step(&g, now_ns, cpu, CPUS);
}

/* One drain of 100 ms at this many switches per second on each of n CPUs;
 * returns how many CPUs were set anew. */
static int drain(uint64_t per_sec, size_t n)
{
	int changes = 0;
	size_t i;

	now_ns += 100 * MS;
	for (i = 0; i < n; i++) {
		uint64_t records = per_sec / 10 / cpu[i].every;

		cpu[i].records += records;
		cpu[i].weight += records * cpu[i].every;
	}
	sched_governor_step(&g, now_ns, cpu, CPUS);
	for (i = 0; i < CPUS; i++)
		if (cpu[i].next) {
			cpu[i].every = cpu[i].next;
			changes++;
		}
	return changes;
}

static void seconds(int n, uint64_t per_sec, size_t cpus)
{
	while (n-- > 0)
		for (int i = 0; i < 10; i++)
			drain(per_sec, cpus);
}

static int is_odd_prime(uint64_t n)
{
	uint64_t d;

	for (d = 2; d * d <= n; d++)
		if (n % d == 0)
			return 0;
	return n > 2;
}

TEST(the_next_prime_is_odd_or_one)
{
	static const uint64_t is[][2] = {
		{ 0, 1 }, { 1, 1 }, { 2, 3 }, { 3, 3 }, { 4, 5 }, { 8, 11 },
		{ 61, 61 }, { 62, 67 }, { 1000, 1009 }, { 7920, 7927 },
	};
	size_t i;

	for (i = 0; i < sizeof(is) / sizeof(*is); i++)
		CHECK_EQ_U64(sched_governor_prime(is[i][0]), is[i][1]);
}

TEST(it_starts_near_61_with_neighbours_that_differ)
{
	size_t i;

	begin(2000, 0);
	for (i = 0; i < CPUS; i++) {
		CHECK(is_odd_prime(cpu[i].every));
		CHECK(cpu[i].every >= 43 && cpu[i].every <= 83);
		CHECK(!i || cpu[i].every != cpu[i - 1].every);
	}
}

TEST(a_fixed_N_is_the_next_prime_and_stays)
{
	begin(2000, 64);
	CHECK_EQ_U64(cpu[0].every, 67);
	CHECK_EQ_U64(cpu[7].every, 67);
	cpu[3].fill = 1;
	seconds(3, 10000000, CPUS);
	CHECK_EQ_U64(cpu[3].every, 67);
	begin(2000, 1);
	CHECK_EQ_U64(cpu[0].every, 1);
}

TEST(the_budget_is_met_over_the_whole_machine)
{
	static const uint64_t per_sec[] = { 3000, 20000, 225000, 1000000 };
	uint64_t stacks;
	size_t i, c;

	for (i = 0; i < sizeof(per_sec) / sizeof(*per_sec); i++) {
		begin(2000, 0);
		seconds(12, per_sec[i], CPUS);
		for (c = 0, stacks = 0; c < CPUS; c++) {
			stacks += per_sec[i] / cpu[c].every;
			CHECK(is_odd_prime(cpu[c].every));
		}
		CHECK(stacks > 1000 && stacks < 2600);
	}
}

TEST(below_the_budget_every_switch_is_taken)
{
	begin(2000, 0);
	seconds(12, 100, CPUS);
	CHECK_EQ_U64(cpu[0].every, 1);
	CHECK_EQ_U64(cpu[7].every, 1);
}

TEST(N_falls_by_at_most_half_in_a_second)
{
	uint64_t was;
	int i;

	begin(2000, 0);
	seconds(5, 10000000, CPUS);
	was = g.base;
	CHECK(was > 10000);
	for (i = 0; i < 30 && g.base > 1; i++) {
		seconds(1, 10, CPUS);
		CHECK(g.base >= was / 2);
		was = g.base;
	}
	CHECK_EQ_U64(g.base, 1);
}

/* The first frame of a quiet box would have two stacks in it. */
TEST(the_first_drain_decides_freely)
{
	begin(2000, 0);
	drain(100, CPUS);
	CHECK_EQ_U64(g.base, 1);
	begin(2000, 0);
	drain(200000, CPUS);
	CHECK(g.base > 700 && g.base < 900);
	drain(100, CPUS);
	CHECK(g.base > 700);
}

TEST(N_rises_at_once_when_a_ring_is_half_full)
{
	uint64_t was;

	begin(2000, 0);
	was = g.base;
	cpu[2].fill = 0.51;
	drain(1000, CPUS);
	CHECK(g.base >= 2 * was);
	CHECK(cpu[2].every > 3 * was / 2);
}

TEST(N_rises_at_once_when_the_budget_is_spent)
{
	begin(2000, 0);
	seconds(1, 10000, CPUS);
	CHECK(g.base < 100);
	drain(10000000, CPUS);
	CHECK(g.base > 3000);
}

TEST(N_is_drawn_anew_after_50_stacks_and_else_once_a_second)
{
	int i, draws = 0;
	uint64_t was;

	begin(2000, 0);
	seconds(5, 20000, CPUS);	/* 25 stacks per CPU and drain */
	for (i = 0; i < 100; i++) {
		was = cpu[3].every;
		drain(20000, CPUS);
		draws += cpu[3].every != was;
	}
	CHECK(draws >= 20 && draws <= 60);
	seconds(12, 1000, 1);		/* of 7 CPUs nothing is seen */
	for (i = 0, draws = 0; i < 100; i++)
		draws += drain(1000, 1) > 0;
	CHECK(draws <= 10);
}

TEST(a_busy_CPU_meets_many_different_N_in_a_second)
{
	uint64_t seen[10];
	int i, k, different = 0;

	begin(2000, 0);
	seconds(5, 350000, 1);
	for (i = 0; i < 10; i++) {
		drain(350000, 1);
		seen[i] = cpu[0].every;
		for (k = 0; k < i && seen[k] != seen[i]; k++)
			;
		different += k == i;
	}
	CHECK(different >= 6);
}

TEST(neighbours_differ_after_every_draw)
{
	int i, k;

	begin(2000, 0);
	for (i = 0; i < 100; i++) {
		seconds(1, 20000 + 777 * (uint64_t)i, CPUS);
		for (k = 1; k < CPUS; k++)
			CHECK(cpu[k].every != cpu[k - 1].every);
	}
}

TEST(a_CPU_without_records_is_left_alone_until_far_above_the_others)
{
	uint64_t was;

	begin(2000, 0);
	was = cpu[7].every;
	seconds(3, 40000, 4);		/* the first four work */
	CHECK_EQ_U64(cpu[7].every, was);
	seconds(12, 500, 4);		/* little to do: all of it is seen */
	CHECK_EQ_U64(cpu[0].every, 1);
	CHECK(cpu[7].every <= 3);
}

TEST(an_offline_CPU_is_not_set)
{
	begin(2000, 0);
	cpu[5].open = 0;
	cpu[5].fill = 1;
	drain(1000, CPUS);
	seconds(3, 1000000, CPUS);
	CHECK_EQ_U64(cpu[5].next, 0);
}

TEST(a_clock_that_stands_still_decides_nothing)
{
	begin(2000, 0);
	cpu[0].records = 1000000;
	sched_governor_step(&g, now_ns, cpu, CPUS);
	CHECK_EQ_U64(cpu[0].next, 0);
	sched_governor_step(&g, now_ns - MS, cpu, CPUS);
	CHECK_EQ_U64(cpu[0].next, 0);
}

TEST_MAIN
