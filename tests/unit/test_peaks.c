// SPDX-License-Identifier: GPL-2.0-or-later
/* The largest depth of any window: whole, or not at all. */
#include "test.h"

#include <math.h>

#include "peaks.h"
#include "series.h"

static struct peaks p;
static struct sample s[2];

/* Step i ends at i seconds, with these depths (negative: not read). */
static void step(int i, int all, int cpu0, int cpu5)
{
	struct sample *prev = &s[(i + 1) % 2], *cur = &s[i % 2];

	if (!cur->health)
		sample_init(cur);
	if (!prev->health)
		sample_init(prev);
	sample_reset(cur);
	prev->mono_ns = (i - 1) * 1000000000ull;
	cur->mono_ns = i * 1000000000ull;
	if (all >= 0)
		sample_add(cur, LOAD_MAX, 0, 0, all);
	if (cpu0 >= 0)
		sample_add(cur, RQ_MAX, 0, 0, cpu0);
	if (cpu5 >= 0)
		sample_add(cur, RQ_MAX, 5, 0, cpu5);
	sample_seal(cur);
	peaks_add(&p, prev, cur);
}

static double largest(int cpu, double since)
{
	return peaks_largest(&p, cpu, (uint64_t)(since * 1e9));
}

static void end(void)
{
	peaks_free(&p);
	sample_free(&s[0]);
	sample_free(&s[1]);
	memset(s, 0, sizeof(s));
}

TEST(a_window_has_the_largest_of_its_samples)
{
	step(1, 9, 1, -1);
	step(2, 3, 2, -1);
	step(3, 4, 0, -1);
	CHECK_NEAR(largest(-1, 0), 9, 0);
	CHECK_NEAR(largest(-1, 1), 4, 0);
	CHECK_NEAR(largest(-1, 2), 4, 0);
	CHECK_NEAR(largest(0, 1), 2, 0);
	CHECK_NEAR(largest(0, 2), 0, 0);
	CHECK(isnan(largest(-1, 3)));
	end();
}

TEST(what_was_not_read_is_absent)
{
	step(1, -1, -1, -1);
	step(2, -1, 7, -1);
	CHECK(isnan(largest(-1, 0)));
	CHECK_NEAR(largest(0, 0), 7, 0);
	CHECK(isnan(largest(3, 0)));
	CHECK(isnan(largest(9999, 0)));
	end();
}

TEST(C13_a_higher_cpu_that_comes_later)
{
	step(1, 1, 8, -1);
	step(2, 1, 2, 6);
	CHECK_NEAR(largest(0, 0), 8, 0);
	CHECK_NEAR(largest(5, 0), 6, 0);
	CHECK(isnan(largest(4, 0)));
	end();
}

TEST(a_window_longer_than_what_is_kept_is_absent)
{
	int i;

	for (i = 1; i <= PEAKS_KEEP + 10; i++)
		step(i, i, 1, -1);
	CHECK(isnan(largest(-1, 0)));
	CHECK(isnan(largest(-1, 9)));
	CHECK_NEAR(largest(-1, 10), PEAKS_KEEP + 10, 0);
	peaks_clear(&p);
	CHECK(isnan(largest(-1, PEAKS_KEEP)));
	step(5000, 2, 2, -1);
	CHECK_NEAR(largest(-1, 4999), 2, 0);
	CHECK(isnan(largest(-1, 4998)));
	end();
}

/* Of all CPUs the longest; steps where none was read are no zeros. */
TEST(the_longest_delay_of_a_window)
{
	static const uint64_t ns[3][2] = {
		{ 900, 5000000 }, { 7000, 200 }, { 0, 0 }
	};

	for (int i = 0; i < 3; i++) {
		struct sample *cur = &s[i % 2], *prev = &s[(i + 1) % 2];

		sample_free(cur);
		CHECK_EQ_INT(sample_init(cur), 0);
		prev->mono_ns = (uint64_t)i * 1000000000;
		cur->mono_ns = (uint64_t)(i + 1) * 1000000000;
		sample_add(cur, SCHED_DELAY_MAX, 0, 0, ns[i][0]);
		sample_add(cur, SCHED_DELAY_MAX, 1, 0, ns[i][1]);
		sample_seal(cur);
		peaks_add(&p, prev, cur);
	}
	CHECK_NEAR(peaks_delay(&p, 0), 5000000, 0);
	CHECK_NEAR(peaks_delay(&p, 1000000000), 7000, 0);
	CHECK_NEAR(peaks_delay(&p, 2000000000), 0, 0);
	CHECK(isnan(peaks_delay(&p, 3000000000)));
	end();
	step(1, 1, 1, -1);
	CHECK(isnan(peaks_delay(&p, 0)));
	end();
}

TEST_MAIN
