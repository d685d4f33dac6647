// SPDX-License-Identifier: GPL-2.0-or-later
/* Differences of two literal samples: wraps, resets, births, ends, holes. */
#include "test.h"

#include <math.h>

#include "health.h"
#include "model.h"

static struct names *names;
static struct host host = { .clk_tck = 100, .cpus = 4 };
static struct sample older, newer;
static struct model m;

static void begin(void)
{
	struct sample *s[] = { &older, &newer };

	if (!names)
		names = names_new();
	for (int i = 0; i < 2; i++) {
		sample_free(s[i]);
		sample_init(s[i]);
		sample_reset(s[i]);
		s[i]->names = names;
		s[i]->host = &host;
		s[i]->seq = i + 1;
		s[i]->mono_ns = s[i]->boot_ns = (100ull + i * 2) * 1000000000;
	}
}

static void finish(void)
{
	sample_seal(&older);
	sample_seal(&newer);
	model_update(&m, &older, &newer, NULL);
}

static struct delta counted(uint16_t metric, uint64_t was, uint64_t is)
{
	begin();
	sample_add(&older, metric, 0, 0, was);
	sample_add(&newer, metric, 0, 0, is);
	finish();
	return model_delta(&m, metric, 0, 0);
}

TEST(a_rate_is_a_difference_over_time)
{
	struct delta d = counted(VM_PGFAULT, 1000, 3000);

	CHECK_EQ_INT(d.state, DELTA_OK);
	CHECK_EQ_U64(d.diff, 2000);
	CHECK_NEAR(delta_rate(d), 1000, 1e-9);
}

TEST(C20_sixty_four_bits_are_exact)
{
	struct delta d = counted(VM_PGFAULT, UINT64_MAX - 9, UINT64_MAX);

	CHECK_EQ_U64(d.diff, 9);
	CHECK_EQ_U64(d.value, UINT64_MAX);
}

TEST(a_fall_is_a_reset_not_a_rate)
{
	struct delta d = counted(VM_PGFAULT, 1000, 10);

	CHECK_EQ_INT(d.state, DELTA_RESET);
	CHECK(isnan(delta_rate(d)));
}

TEST(C19_thirty_two_bits_wrap_but_do_not_jump)
{
	struct delta d = counted(STAT_FORKS, 0xfffffff0u, 0x10);

	CHECK_EQ_INT(d.state, DELTA_OK);
	CHECK_EQ_U64(d.diff, 0x20);
	begin();
	sample_add(&older, IRQ_CAL, 1, 0, 300);
	sample_add(&newer, IRQ_CAL, 1, 0, 4294966405u);
	finish();
	CHECK_EQ_INT(model_delta(&m, IRQ_CAL, 1, 0).state, DELTA_RESET);
}

TEST(C22_idle_time_may_step_back)
{
	begin();
	sample_add(&older, STAT_IOWAIT, 0, 0, 100);
	sample_add(&newer, STAT_IOWAIT, 0, 0, 99);
	finish();
	CHECK_EQ_INT(model_delta(&m, STAT_IOWAIT, 0, 0).state, DELTA_OK);
	CHECK_EQ_U64(model_delta(&m, STAT_IOWAIT, 0, 0).diff, 0);
}

TEST(absent_is_not_zero)
{
	begin();
	sample_add(&older, VM_PGFAULT, 0, 0, 5);
	finish();
	CHECK_EQ_INT(model_delta(&m, VM_PGFAULT, 0, 0).state, DELTA_ABSENT);
	CHECK(isnan(delta_rate(model_sum(&m, VM_PGFAULT))));
	model_update(&m, NULL, &older, NULL);
	CHECK_EQ_INT(model_delta(&m, VM_PGFAULT, 0, 0).state, DELTA_FIRST);
	CHECK_EQ_STR(model_why(&m, VM_PGMAJFAULT, -1), "not read yet");
}

TEST(C57_rates_use_their_collectors_clock)
{
	begin();
	health_cost(older.health, "vmstat")->read_ns = 100000000000ull;
	health_cost(newer.health, "vmstat")->read_ns = 101000000000ull;
	sample_add(&older, VM_PGFAULT, 0, 0, 0);
	sample_add(&newer, VM_PGFAULT, 0, 0, 500);
	finish();
	CHECK_NEAR(delta_rate(model_delta(&m, VM_PGFAULT, 0, 0)), 500, 1e-9);
}

TEST(the_same_read_twice_says_nothing_new)
{
	begin();
	health_cost(older.health, "vmstat")->read_ns = 7;
	health_cost(newer.health, "vmstat")->read_ns = 7;
	sample_add(&older, VM_PGFAULT, 0, 0, 5);
	sample_add(&newer, VM_PGFAULT, 0, 0, 5);
	finish();
	CHECK_EQ_INT(model_delta(&m, VM_PGFAULT, 0, 0).state, DELTA_FIRST);
}

TEST(C13_a_cpu_that_comes_back_has_no_past)
{
	struct delta sum;

	begin();
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		if (cpu != 2)
			sample_add(&older, IRQ_TLB, cpu, 0, 100);
		sample_add(&newer, IRQ_TLB, cpu, 0, 110);
	}
	finish();
	CHECK_EQ_INT(model_delta(&m, IRQ_TLB, 2, 0).state, DELTA_FIRST);
	sum = model_sum(&m, IRQ_TLB);
	CHECK_EQ_INT(sum.state, DELTA_OK);
	CHECK_EQ_U64(sum.diff, 30);
}

TEST(what_was_not_counted_for_a_while_shows_no_past_as_new)
{
	begin();
	health_cost(older.health, "tlb")->read_ns = 100000000000ull;
	health_cost(newer.health, "tlb")->read_ns = 102000000000ull;
	sample_add(&older, TLB_WATCHED, 0, 0, 5);
	for (uint32_t cpu = 0; cpu < 2; cpu++)
		sample_add(&newer, TLB_FLUSHES, cpu, 3, 1000);
	finish();
	CHECK_EQ_INT(model_delta(&m, TLB_FLUSHES, 0, 3).state, DELTA_FIRST);
	CHECK_EQ_INT(model_delta(&m, TLB_FLUSHES, 1, 3).state, DELTA_FIRST);
}

TEST(a_task_born_since_began_at_zero)
{
	uint32_t young, old;

	begin();
	young = names_task(names, 7, 10150, 7, "young", 5);
	old = names_task(names, 8, 5000, 8, "old", 3);
	sample_add(&older, TASK_UTIME, 0, 0, 0);
	sample_add(&newer, TASK_UTIME, 0, 0, 0);
	sample_add(&newer, TASK_UTIME, young, 0, 40);
	sample_add(&newer, TASK_UTIME, old, 0, 4000);
	finish();
	CHECK_EQ_U64(model_delta(&m, TASK_UTIME, young, 0).diff, 40);
	CHECK_EQ_INT(model_delta(&m, TASK_UTIME, old, 0).state, DELTA_FIRST);
}

/* Task 2 of the stack ends: its 70 are in (stack, 0) now, and 5 more. */
TEST(an_ended_task_shows_no_past_as_new)
{
	uint32_t sym, stack, t1, t2;

	begin();
	sym = names_symbol(names, "pipe_read", 0, 0);
	stack = names_stack(names, 'S', &sym, 1);
	t1 = names_task(names, 1, 1, 1, "a", 1);
	t2 = names_task(names, 2, 1, 2, "b", 1);
	sample_add(&older, SCHED_W, stack, 0, 30);
	sample_add(&older, SCHED_W, stack, t1, 50);
	sample_add(&older, SCHED_W, stack, t2, 70);
	sample_add(&newer, SCHED_W, stack, 0, 105);
	sample_add(&newer, SCHED_W, stack, t1, 60);
	finish();
	CHECK_EQ_U64(model_delta(&m, SCHED_W, stack, 0).diff, 5);
	CHECK_EQ_U64(model_delta(&m, SCHED_W, stack, t1).diff, 10);
	CHECK_EQ_U64(model_sum(&m, SCHED_W).diff, 15);
}

TEST(an_ended_stack_shows_no_past_as_new)
{
	uint32_t sym, s1, s2, t1;

	begin();
	sym = names_symbol(names, "pipe_read", 0, 0);
	s1 = names_stack(names, 'S', &sym, 1);
	s2 = names_stack(names, 'D', &sym, 1);
	t1 = names_task(names, 1, 1, 1, "a", 1);
	sample_add(&older, SCHED_W, 0, 0, 100);
	sample_add(&older, SCHED_W, s1, 0, 10);
	sample_add(&older, SCHED_W, s1, t1, 20);
	sample_add(&older, SCHED_W, s2, t1, 1);
	sample_add(&newer, SCHED_W, 0, 0, 133);
	sample_add(&newer, SCHED_W, s2, t1, 2);
	finish();
	CHECK_EQ_U64(model_delta(&m, SCHED_W, 0, 0).diff, 3);
	CHECK_EQ_U64(model_delta(&m, SCHED_W, s2, t1).diff, 1);
	CHECK_EQ_U64(model_sum(&m, SCHED_W).diff, 4);
}

/* Task 1 was let go, its 50 went to (stack, 0), and it came back: 4 since. */
TEST(a_pair_that_was_let_go_and_came_back_counts_once)
{
	struct delta sum;
	uint32_t sym, stack, t1;

	begin();
	sym = names_symbol(names, "pipe_read", 0, 0);
	stack = names_stack(names, 'S', &sym, 1);
	t1 = names_task(names, 1, 1, 1, "a", 1);
	sample_add(&older, SCHED_W, stack, 0, 30);
	sample_add(&older, SCHED_W, stack, t1, 50);
	sample_add(&newer, SCHED_W, stack, 0, 81);
	sample_add(&newer, SCHED_W, stack, t1, 4);
	finish();
	CHECK_EQ_U64(model_delta(&m, SCHED_W, stack, 0).diff, 1);
	CHECK_EQ_INT(model_delta(&m, SCHED_W, stack, t1).state, DELTA_OK);
	CHECK_EQ_U64(model_delta(&m, SCHED_W, stack, t1).diff, 4);
	sum = model_sum(&m, SCHED_W);
	CHECK_EQ_INT(sum.state, DELTA_OK);
	CHECK_EQ_U64(sum.diff, 5);
}

TEST(a_clock_that_stood_still_makes_no_model)
{
	begin();
	newer.mono_ns = older.mono_ns;
	sample_add(&older, VM_PGFAULT, 0, 0, 1);
	sample_add(&newer, VM_PGFAULT, 0, 0, 9);
	finish();
	CHECK(!m.older);
	CHECK(isnan(delta_rate(model_delta(&m, VM_PGFAULT, 0, 0))));
}

TEST(the_wall_clock_does_not_matter)
{
	begin();
	older.wall_ns = 3600ll * 1000000000;
	newer.wall_ns = 0;
	sample_add(&older, VM_PGFAULT, 0, 0, 1);
	sample_add(&newer, VM_PGFAULT, 0, 0, 3);
	finish();
	CHECK_NEAR(delta_rate(model_delta(&m, VM_PGFAULT, 0, 0)), 1, 1e-9);
}

TEST(every_metric_has_a_collector)
{
	for (uint16_t id = 1; id < METRIC_FIXED; id++)
		CHECK(metric_collector(id)[0]);
}

TEST_MAIN
