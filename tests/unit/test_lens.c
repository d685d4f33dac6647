/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is looked at when the history cannot keep all? */
#include "test.h"

#include "lens.h"

enum { SAMPLES = 48, READINGS = 100000 };

static uint64_t random_next(void)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* With READINGS nearly a megabyte that cannot be compressed. */
static void sample_make(struct sample *s, struct names *names, uint64_t seq,
			uint32_t readings)
{
	uint32_t i;

	sample_reset(s);
	s->names = names;
	s->seq = seq;
	s->mono_ns = s->boot_ns = seq * 1000000000u;
	for (i = 0; i < readings; i++)
		sample_add(s, TASK_UTIME, i + 1, 0, random_next());
	sample_seal(s);
}

TEST(a_paused_block_that_fills_the_history_ends_nothing)
{
	struct options opt = { .history_ns = 3600ull * 1000000000 };
	struct view v = { .window_ns = 10000000000ull,
			  .interval_ns = 1000000000 };
	struct names *names = names_new();
	struct lens l;
	uint64_t seq;
	int err = 0;

	CHECK_EQ_INT(lens_open(&l, &opt, 1), 0);
	for (seq = 1; seq <= SAMPLES && !err; seq++) {
		sample_make(lens_room(&l), names, seq, READINGS);
		err = lens_add(&l, &v);
		if (seq != 2)
			continue;
		v.paused = 1;
		lens_move(&l, &v);
	}
	CHECK_EQ_INT(err, 0);
	CHECK_EQ_U64(l.model.newer->seq, 2);
	v.paused = 0;
	lens_move(&l, &v);
	CHECK_EQ_U64(l.model.newer->seq, SAMPLES);
	lens_close(&l);
	names_free(names);
}

/* A difference needs two: one sample alone would leave the old screen there. */
TEST(a_step_beyond_the_oldest_shows_the_oldest_pair)
{
	struct options opt = { .history_ns = 3600ull * 1000000000 };
	struct view v = { .window_ns = 1000000000, .interval_ns = 1000000000 };
	struct names *names = names_new();
	struct lens l;

	CHECK_EQ_INT(lens_open(&l, &opt, 1), 0);
	for (uint64_t seq = 1; seq <= 20; seq++) {
		sample_make(lens_room(&l), names, seq, 10);
		CHECK_EQ_INT(lens_add(&l, &v), 0);
	}
	v.paused = 1;
	v.step = -60;
	lens_move(&l, &v);
	CHECK_EQ_U64(l.model.newer->seq, 2);
	CHECK(l.model.older != NULL);
	v.step = 1;
	lens_move(&l, &v);
	CHECK_EQ_U64(l.model.newer->seq, 3);
	lens_close(&l);
	names_free(names);
}

TEST_MAIN
