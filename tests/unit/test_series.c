// SPDX-License-Identifier: GPL-2.0-or-later
/* Trends: a step without a value is 0 where we looked and a gap elsewhere. */
#include "test.h"

#include <math.h>

#include "attribution.h"
#include "sample.h"
#include "series.h"

static struct names *names;
static struct sample line[100];
static uint32_t stack_of[2], source_of[2];

static void make(int i, uint64_t switches, uint64_t w0, uint64_t w1)
{
	struct sample *s = &line[i];

	if (!names)
		names = names_new();
	for (int k = 0; k < 2; k++) {
		source_of[k] = names_symbol(names, k ? "do_wait" : "pipe_read",
					    0, 0);
		stack_of[k] = names_stack(names, 'S', &source_of[k], 1);
	}
	sample_free(s);
	sample_init(s);
	sample_reset(s);
	s->names = names;
	s->seq = i + 1;
	s->mono_ns = s->boot_ns = (i + 1ull) * 1000000000;
	sample_add(s, STAT_SWITCHES, 0, 0, switches);
	if (switches)
		sample_add(s, SCHED_SWITCHES, 0, 0, switches);
	if (w0)
		sample_add(s, SCHED_W, stack_of[0], 0, w0);
	if (w1)
		sample_add(s, SCHED_W, stack_of[1], 0, w1);
	sample_seal(s);
}

static uint64_t row(int k)
{
	return (uint64_t)source_of[k] << 8 | (k ? CLASS_WAIT : CLASS_PIPE);
}

TEST(headlines_are_rates)
{
	struct series *s = series_new();
	double v[8];

	make(0, 1000, 0, 0);
	make(1, 3000, 0, 0);
	make(2, 3500, 0, 0);
	series_add(s, NULL, &line[0]);
	series_add(s, &line[0], &line[1]);
	series_add(s, &line[1], &line[2]);
	CHECK_EQ_INT(series_headline(s, HEAD_SWITCHES, v, 8), 2);
	CHECK_NEAR(v[0], 2000, 1e-9);
	CHECK_NEAR(v[1], 500, 1e-9);
	CHECK_EQ_INT(series_headline(s, HEAD_TLB, v, 8), 2);
	CHECK(isnan(v[0]));
	series_free(s);
}

TEST(rows_share_the_exact_total)
{
	struct series *s = series_new();
	double v[8];

	make(0, 1000, 100, 50);
	make(1, 2000, 400, 150);
	make(2, 3000, 400, 250);
	series_add(s, NULL, &line[0]);
	series_add(s, &line[0], &line[1]);
	series_add(s, &line[1], &line[2]);
	CHECK_EQ_INT(series_source(s, row(0), v, 8), 2);
	CHECK_NEAR(v[0], 750, 1e-9);
	CHECK_NEAR(v[1], 0, 1e-9);
	series_source(s, row(1), v, 8);
	CHECK_NEAR(v[0], 250, 1e-9);
	CHECK_NEAR(v[1], 1000, 1e-9);
	series_source(s, 0, v, 8);
	CHECK_NEAR(v[0], 0, 1e-9);
	series_free(s);
}

TEST(a_step_that_did_not_look_is_a_gap)
{
	struct series *s = series_new();
	double v[8];

	make(0, 1000, 100, 0);
	make(1, 0, 0, 0);
	make(2, 3000, 200, 0);
	series_add(s, NULL, &line[0]);
	series_add(s, &line[0], &line[1]);
	series_add(s, &line[1], &line[2]);
	CHECK_EQ_INT(series_source(s, row(0), v, 8), 2);
	CHECK(isnan(v[0]));
	series_free(s);
}

TEST(it_keeps_the_newest_points)
{
	struct series *s = series_new();
	double v[SERIES_KEEP + 1];

	for (int i = 0; i < 100; i++)
		make(i, 1000 + 10ull * i * i, 0, 0);
	series_add(s, NULL, &line[0]);
	for (int i = 1; i < 100; i++)
		series_add(s, &line[i - 1], &line[i]);
	CHECK_EQ_INT(series_headline(s, HEAD_SWITCHES, v, SERIES_KEEP + 1),
		     SERIES_KEEP);
	CHECK_NEAR(v[SERIES_KEEP - 1], 10 * (99 * 99 - 98 * 98), 1e-9);
	series_free(s);
}

/* More sources than there is room for: the silent ones go first. */
TEST(thousands_of_rows_come_and_go)
{
	struct series *s = series_new();
	struct sample a = { 0 }, b = { 0 };
	double v[2];
	uint32_t last = 0;

	make(0, 0, 0, 0);
	for (uint64_t step = 1; step < 400; step++) {
		sample_init(&b);
		b.names = names;
		b.mono_ns = step * 1000000000;
		sample_add(&b, SCHED_SWITCHES, 0, 0, step * 1000);
		for (uint32_t i = 0; i < 30; i++) {
			char text[32];
			uint32_t sym;

			snprintf(text, sizeof(text), "f%u_%u", (unsigned)step,
				 i);
			sym = names_symbol(names, text, 0, 0);
			last = sym;
			sample_add(&b, SCHED_W,
				   names_stack(names, 'S', &sym, 1), 0, 10);
		}
		sample_seal(&b);
		series_add(s, step > 1 ? &a : NULL, &b);
		sample_free(&a);
		a = b;
		memset(&b, 0, sizeof(b));
	}
	CHECK_EQ_INT(series_source(s, (uint64_t)last << 8, v, 1), 1);
	CHECK_NEAR(v[0], 1000 / 30.0, 1e-6);
	sample_free(&a);
	series_free(s);
}

TEST_MAIN
