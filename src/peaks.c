// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How deep were the run queues at most, and how long did a task wait in one,
 * over any of the last steps?
 *
 * One ring of PEAKS_KEEP steps, as wide as the highest CPU seen; it is made
 * anew, and what it held with it, when a higher one comes.
 */
#include "peaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "series.h"

#define ABSENT UINT32_MAX
#define NO_DELAY UINT64_MAX

static size_t width_for(const struct sample *s)
{
	size_t n = 0, i, ncpu = 0;
	const struct reading *r = sample_range(s, RQ_MAX, &n);

	for (i = 0; r && i < n; i++)
		if (r[i].key >= ncpu)
			ncpu = (size_t)r[i].key + 1;
	return ncpu;
}

static int peaks_widen(struct peaks *p, size_t ncpu)
{
	size_t row = ncpu + 1, i;
	uint32_t *depth;

	if (p->depth && ncpu <= p->ncpu)
		return 0;
	if (!p->end_ns)
		p->end_ns = calloc(PEAKS_KEEP, sizeof(*p->end_ns));
	if (!p->delay_ns)
		p->delay_ns = calloc(PEAKS_KEEP, sizeof(*p->delay_ns));
	depth = malloc(PEAKS_KEEP * row * sizeof(*depth));
	if (!p->end_ns || !p->delay_ns || !depth) {
		free(depth);
		return -1;
	}
	memset(depth, 0xff, PEAKS_KEEP * row * sizeof(*depth));
	for (i = 0; p->depth && i < PEAKS_KEEP; i++)
		memcpy(depth + i * row, p->depth + i * (p->ncpu + 1),
		       (p->ncpu + 1) * sizeof(*depth));
	free(p->depth);
	p->depth = depth;
	p->ncpu = ncpu;
	return 0;
}

static uint32_t depth_of(const struct reading *r)
{
	return r->value < ABSENT ? (uint32_t)r->value : ABSENT - 1;
}

static void depths_take(uint32_t *row, const struct sample *s)
{
	const struct reading *all = sample_find(s, LOAD_MAX, 0, 0);
	size_t n = 0, i;
	const struct reading *r = sample_range(s, RQ_MAX, &n);

	if (all)
		row[0] = depth_of(all);
	for (i = 0; r && i < n; i++)
		row[1 + r[i].key] = depth_of(&r[i]);
}

static uint64_t delay_take(const struct sample *s)
{
	size_t n = 0;
	const struct reading *r = sample_range(s, SCHED_DELAY_MAX, &n);
	uint64_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = r[i].value > most ? r[i].value : most;
	return r ? most : NO_DELAY;
}

void peaks_add(struct peaks *p, const struct sample *prev,
	       const struct sample *cur)
{
	size_t ncpu = width_for(cur);
	uint32_t *row;

	if (ncpu < p->ncpu)
		ncpu = p->ncpu;
	if (peaks_widen(p, ncpu)) {
		peaks_clear(p);
		return;
	}
	if (!p->n)
		p->from_ns = prev->mono_ns;
	else if (p->n == PEAKS_KEEP)
		p->from_ns = p->end_ns[p->at];
	row = p->depth + p->at * (p->ncpu + 1);
	memset(row, 0xff, (p->ncpu + 1) * sizeof(*row));
	depths_take(row, cur);
	p->delay_ns[p->at] = delay_take(cur);
	p->end_ns[p->at] = cur->mono_ns;
	p->at = (p->at + 1) % PEAKS_KEEP;
	if (p->n < PEAKS_KEEP)
		p->n++;
}

double peaks_largest(const struct peaks *p, int cpu, uint64_t since_ns)
{
	size_t column = (size_t)(cpu + 1), i, at;
	double largest = NAN;

	if (!p->n || since_ns < p->from_ns || cpu < -1 || column > p->ncpu)
		return NAN;
	for (i = 1; i <= p->n; i++) {
		uint32_t depth;

		at = (p->at + PEAKS_KEEP - i) % PEAKS_KEEP;
		if (p->end_ns[at] <= since_ns)
			break;
		depth = p->depth[at * (p->ncpu + 1) + column];
		if (depth != ABSENT && !(depth <= largest))
			largest = depth;
	}
	return largest;
}

double peaks_delay(const struct peaks *p, uint64_t since_ns)
{
	double longest = NAN;
	size_t i, at;

	if (!p->n || since_ns < p->from_ns)
		return NAN;
	for (i = 1; i <= p->n; i++) {
		at = (p->at + PEAKS_KEEP - i) % PEAKS_KEEP;
		if (p->end_ns[at] <= since_ns)
			break;
		if (p->delay_ns[at] != NO_DELAY &&
		    !((double)p->delay_ns[at] <= longest))
			longest = (double)p->delay_ns[at];
	}
	return longest;
}

void peaks_clear(struct peaks *p)
{
	p->n = p->at = 0;
}

void peaks_free(struct peaks *p)
{
	free(p->end_ns);
	free(p->depth);
	free(p->delay_ns);
	memset(p, 0, sizeof(*p));
}
