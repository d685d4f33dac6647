// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How did the headline rates and each row go, sample by sample?
 *
 * Every step has a number; a row remembers at which steps it had a value, so
 * that a step without one is a measured 0 where the collector was reading and
 * a gap where it was not.
 */
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "model.h"
#include "peaks.h"

enum { SERIES_ROWS = 1024, SERIES_SLOTS = 2 * SERIES_ROWS };

struct trend {
	uint64_t row;			/* the row's id + 1, 0 = free slot */
	uint32_t last;			/* newest step with a value */
	uint32_t step[SERIES_KEEP];
	double value[SERIES_KEEP];
};

struct series {
	uint32_t step;			/* of the newest point, from 1 */
	size_t n;			/* points, at most SERIES_KEEP */
	double head[HEAD_COUNT][SERIES_KEEP];
	uint8_t sampled[SERIES_KEEP];	/* schedule sources were known */
	struct trend slot[SERIES_SLOTS];
	size_t used;
	struct peaks peaks;
};

static double head_switches(const struct model *m)
{
	double v = delta_rate(model_sum(m, STAT_SWITCHES));

	return isnan(v) ? delta_rate(model_sum(m, SCHED_SWITCHES)) : v;
}

static double head_runq(const struct model *m)
{
	struct delta reads = model_sum(m, LOAD_READS);
	struct delta sum = model_sum(m, LOAD_SUM);
	struct delta now = model_sum(m, LOAD_RUNNING);

	if (reads.state == DELTA_OK && sum.state == DELTA_OK && reads.diff)
		return (double)sum.diff / (double)reads.diff;
	return now.state == DELTA_ABSENT ? NAN : (double)now.value;
}

static double head_faults(const struct model *m)
{
	return delta_rate(model_sum(m, VM_PGFAULT));
}

static double head_tlb(const struct model *m)
{
	return delta_rate(model_sum(m, IRQ_TLB));
}

static double (*const heads[HEAD_COUNT])(const struct model *) = {
	[HEAD_SWITCHES] = head_switches,
	[HEAD_RUNQ] = head_runq,
	[HEAD_FAULTS] = head_faults,
	[HEAD_TLB] = head_tlb,
};

static size_t slot_of(uint64_t row)
{
	return (row * 0x9e3779b97f4a7c15ull >> 32) % SERIES_SLOTS;
}

static const struct trend *trend_find(const struct series *s, uint64_t row)
{
	for (size_t i = slot_of(row); s->slot[i].row;
	     i = (i + 1) % SERIES_SLOTS)
		if (s->slot[i].row == row + 1)
			return &s->slot[i];
	return NULL;
}

static struct trend *trend_make(struct series *s, uint64_t row)
{
	struct trend *t = (struct trend *)trend_find(s, row);
	size_t i = slot_of(row);

	if (t)
		return t;
	if (s->used == SERIES_ROWS)
		return NULL;
	while (s->slot[i].row)
		i = (i + 1) % SERIES_SLOTS;
	t = &s->slot[i];
	memset(t, 0, sizeof(*t));
	t->row = row + 1;
	s->used++;
	return t;
}

static void slot_move(struct series *s, size_t to, size_t from)
{
	s->slot[to] = s->slot[from];
	s->slot[from].row = 0;
}

/* Deleting from open addressing: later ones of the run move up. */
static void slot_delete(struct series *s, size_t hole)
{
	s->slot[hole].row = 0;
	s->used--;
	for (size_t i = (hole + 1) % SERIES_SLOTS; s->slot[i].row;
	     i = (i + 1) % SERIES_SLOTS) {
		size_t home = slot_of(s->slot[i].row - 1);
		size_t gap = (i + SERIES_SLOTS - home) % SERIES_SLOTS;
		size_t back = (i + SERIES_SLOTS - hole) % SERIES_SLOTS;

		if (gap < back)
			continue;
		slot_move(s, hole, i);
		hole = i;
	}
}

/* Rows that were silent for all the points kept make room for new ones. */
static void forget_silent(struct series *s)
{
	if (s->used < SERIES_ROWS)
		return;
	for (size_t i = 0; i < SERIES_SLOTS; i++)
		while (s->slot[i].row &&
		       s->step - s->slot[i].last >= SERIES_KEEP)
			slot_delete(s, i);
}

static void add_to_row(struct series *s, uint64_t row, double per_sec)
{
	struct trend *t = trend_make(s, row);
	size_t at = s->step % SERIES_KEEP;

	if (!t)
		return;
	if (t->step[at] != s->step)
		t->value[at] = 0;
	t->step[at] = s->step;
	t->value[at] += per_sec;
	t->last = s->step;
}

static double sum_weights(const struct model *m)
{
	struct model_iter it;
	struct model_row r;
	double sum = 0;

	model_iterate(m, SCHED_W, &it);
	while (model_next(&it, &r))
		if (r.d.state == DELTA_OK)
			sum += (double)r.d.diff;
	return sum;
}

/* One row's switches: its share of the sampled weights of the exact total. */
static void add_sources(struct series *s, const struct model *m)
{
	double total = delta_rate(model_sum(m, SCHED_SWITCHES));
	double all = sum_weights(m);
	struct attribution a = { 0 };
	struct model_iter it;
	struct model_row r;
	uint32_t stack = 0;

	s->sampled[s->step % SERIES_KEEP] = !isnan(total);
	if (isnan(total) || all <= 0)
		return;
	model_iterate(m, SCHED_W, &it);
	while (model_next(&it, &r)) {
		const struct name *name;

		if (r.d.state != DELTA_OK || !r.d.diff || !r.key)
			continue;
		name = names_get(m->newer->names, r.key);
		if (!name || name->kind != NAME_STACK)
			continue;
		if (r.key != stack)
			attribution_of(m->newer->names, name, &a);
		stack = r.key;
		add_to_row(s, (uint64_t)a.source << 8 | a.class,
			   total * (double)r.d.diff / all);
	}
}

struct series *series_new(void)
{
	return calloc(1, sizeof(struct series));
}

void series_free(struct series *s)
{
	if (s)
		peaks_free(&s->peaks);
	free(s);
}

void series_clear(struct series *s)
{
	struct peaks peaks = s->peaks;

	memset(s, 0, sizeof(*s));
	peaks_clear(&peaks);
	s->peaks = peaks;
}

void series_add(struct series *s, const struct sample *prev,
		const struct sample *cur)
{
	struct model m;

	if (!prev) {
		series_clear(s);
		return;
	}
	model_update(&m, prev, cur, NULL);
	s->step++;
	if (s->n < SERIES_KEEP)
		s->n++;
	for (int h = 0; h < HEAD_COUNT; h++)
		s->head[h][s->step % SERIES_KEEP] = heads[h](&m);
	forget_silent(s);
	add_sources(s, &m);
	peaks_add(&s->peaks, prev, cur);
}

size_t series_headline(const struct series *s, enum headline h, double *v,
		       size_t max)
{
	size_t n = s->n < max ? s->n : max;

	for (size_t i = 0; i < n; i++)
		v[i] = s->head[h][(s->step - n + 1 + i) % SERIES_KEEP];
	return n;
}

size_t series_source(const struct series *s, uint64_t row, double *v,
		     size_t max)
{
	const struct trend *t = trend_find(s, row);
	size_t n = s->n < max ? s->n : max;

	for (size_t i = 0; i < n; i++) {
		uint32_t step = s->step - n + 1 + i;
		size_t at = step % SERIES_KEEP;

		if (!s->sampled[at])
			v[i] = NAN;
		else
			v[i] = t && t->step[at] == step ? t->value[at] : 0;
	}
	return n;
}

double series_peak(const struct series *s, int cpu, uint64_t since_ns)
{
	return peaks_largest(&s->peaks, cpu, since_ns);
}

double series_delay(const struct series *s, uint64_t since_ns)
{
	return peaks_delay(&s->peaks, since_ns);
}
