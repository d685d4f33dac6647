/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How are pairs kept?  Densely, found through an index of places, sorted once
 * a sample.  All memory is taken at the start and touched only as it fills;
 * letting go copies the pairs that stay into the spare array.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "sched_table.h"

enum { INDEX = 4 * SCHED_ROOM };	/* a power of two, seldom 1/4 full */

static size_t slot_of(uint32_t stack, uint32_t task)
{
	uint64_t h = ((uint64_t)stack << 32 | task) * 0x9e3779b97f4a7c15ull;

	return (size_t)(h >> 40) & (INDEX - 1);
}

/* The slot of the pair, or the empty one where it would go. */
static uint32_t *index_find(const struct sched_table *t, uint32_t stack,
			    uint32_t task)
{
	size_t i = slot_of(stack, task);
	const struct sched_pair *p;

	while (t->index[i]) {
		p = &t->pair[t->index[i] - 1];
		if (p->stack == stack && p->task == task)
			break;
		i = (i + 1) & (INDEX - 1);
	}
	return &t->index[i];
}

static void index_build(struct sched_table *t)
{
	size_t i;

	memset(t->index, 0, INDEX * sizeof(*t->index));
	for (i = 0; i < t->n; i++)
		*index_find(t, t->pair[i].stack, t->pair[i].task) =
			(uint32_t)i + 1;
}

static struct sched_pair *pair_find(const struct sched_table *t,
				    uint32_t stack, uint32_t task)
{
	uint32_t at = *index_find(t, stack, task);

	return at ? &t->pair[at - 1] : NULL;
}

/* The pair, made if new; when full, the nearest that takes its place. */
static struct sched_pair *pair_get(struct sched_table *t, uint32_t stack,
				   uint32_t task)
{
	uint32_t *at = index_find(t, stack, task);
	struct sched_pair *p;

	if (*at)
		return &t->pair[*at - 1];
	if (t->n == SCHED_ROOM) {
		p = pair_find(t, stack, 0);
		return p ? p : pair_find(t, 0, 0);
	}
	p = &t->pair[t->n++];
	memset(p, 0, sizeof(*p));
	p->stack = stack;
	p->task = task;
	*at = (uint32_t)t->n;
	t->sorted = 0;
	return p;
}

static void pair_merge(struct sched_pair *to, const struct sched_pair *from)
{
	to->n += from->n;
	to->w += from->w;
	to->w2 += from->w2;
	to->waits += from->waits;
	to->wait_ns += from->wait_ns;
	to->queued_ns += from->queued_ns;
	if (from->seen > to->seen)
		to->seen = from->seen;
}

static int pair_compare(const void *a, const void *b)
{
	const struct sched_pair *x = a, *y = b;

	if (x->stack != y->stack)
		return x->stack < y->stack ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static int number_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Of the n numbers in t->seen, which must be left behind so that at most
 * three quarters of max stay: all up to the one returned; 0 = none. */
static uint32_t cut_of(struct sched_table *t, size_t n, size_t max)
{
	if (n <= max)
		return 0;
	qsort(t->seen, n, sizeof(*t->seen), number_compare);
	return t->seen[n - max / 4 * 3 - 1];
}

static size_t group_end(const struct sched_table *t, size_t from)
{
	size_t to = from;

	while (to < t->n && t->pair[to].stack == t->pair[from].stack)
		to++;
	return to;
}

static uint32_t pairs_cut(struct sched_table *t)
{
	size_t i, n = 0;

	for (i = 0; i < t->n; i++)
		if (t->pair[i].task)
			t->seen[n++] = t->pair[i].seen;
	return cut_of(t, n, SCHED_PAIRS);
}

static uint32_t group_seen(const struct sched_pair *p, size_t n)
{
	uint32_t seen = 0;

	for (; n; n--, p++)
		if (p->seen > seen)
			seen = p->seen;
	return seen;
}

static uint32_t stacks_cut(struct sched_table *t)
{
	size_t i, end, n = 0;

	for (i = 1; i < t->n; i = end) {
		end = group_end(t, i);
		t->seen[n++] = group_seen(&t->pair[i], end - i);
	}
	return cut_of(t, n, SCHED_STACKS);
}

static void swap_spare(struct sched_table *t, size_t n)
{
	struct sched_pair *p = t->pair;

	t->pair = t->spare;
	t->spare = p;
	t->n = n;
}

/* Move the pairs of ended tasks, and those unseen since cut, to (stack, 0). */
static void pairs_retire(struct sched_table *t, const uint32_t *ended,
			 size_t nended, uint32_t cut)
{
	const struct sched_pair *p;
	struct sched_pair *to = t->spare, *zero;
	size_t i, end;
	int go;

	for (i = 0; i < t->n; i = end) {
		end = group_end(t, i);
		zero = to++;	/* given back if nothing comes to it */
		memset(zero, 0, sizeof(*zero));
		zero->stack = t->pair[i].stack;
		for (go = 0, p = &t->pair[i]; p < &t->pair[end]; p++) {
			if (!p->task || (cut && p->seen <= cut) ||
			    (nended && bsearch(&p->task, ended, nended,
					       sizeof(*ended),
					       number_compare))) {
				pair_merge(zero, p);
				go = 1;
				continue;
			}
			*to++ = *p;
		}
		if (!go) {
			memmove(zero, zero + 1, (size_t)(to - zero - 1) *
				sizeof(*zero));
			to--;
		}
	}
	swap_spare(t, (size_t)(to - t->spare));
}

/* Move all of the stacks unseen since cut to (0, 0). */
static void stacks_retire(struct sched_table *t, uint32_t cut,
			  void (*drop)(void *arg, uint32_t stack), void *arg)
{
	struct sched_pair *to = t->spare;
	size_t i, k, end;

	*to++ = t->pair[0];
	for (i = 1; i < t->n; i = end) {
		end = group_end(t, i);
		if (group_seen(&t->pair[i], end - i) > cut) {
			memcpy(to, &t->pair[i], (end - i) * sizeof(*to));
			to += end - i;
			continue;
		}
		for (k = i; k < end; k++)
			pair_merge(t->spare, &t->pair[k]);
		drop(arg, t->pair[i].stack);
	}
	swap_spare(t, (size_t)(to - t->spare));
}

int sched_table_init(struct sched_table *t)
{
	memset(t, 0, sizeof(*t));
	/* one more than there is room for: see pairs_retire() */
	t->pair = calloc(SCHED_ROOM + 1, sizeof(*t->pair));
	t->spare = calloc(SCHED_ROOM + 1, sizeof(*t->spare));
	t->index = calloc(INDEX, sizeof(*t->index));
	t->seen = calloc(SCHED_ROOM, sizeof(*t->seen));
	if (!t->pair || !t->spare || !t->index || !t->seen) {
		sched_table_free(t);
		return -ENOMEM;
	}
	pair_get(t, 0, 0);
	t->sorted = 1;
	return 0;
}

void sched_table_free(struct sched_table *t)
{
	free(t->pair);
	free(t->spare);
	free(t->index);
	free(t->seen);
	memset(t, 0, sizeof(*t));
}

int sched_table_room(const struct sched_table *t)
{
	return t->n < SCHED_ROOM;
}

void sched_table_add(struct sched_table *t, uint32_t stack, uint32_t task,
		     uint64_t weight, uint32_t seq)
{
	struct sched_pair *p = pair_get(t, stack, stack ? task : 0);

	p->n++;
	p->w += weight;
	p->w2 += weight * weight;
	p->seen = seq;
}

void sched_table_wait(struct sched_table *t, uint32_t stack, uint32_t task,
		      uint64_t wait_ns, uint64_t queued_ns)
{
	struct sched_pair *p = pair_find(t, stack, task);

	if (!p)
		p = pair_find(t, stack, 0);
	if (!p)
		p = pair_find(t, 0, 0);
	p->waits++;
	p->wait_ns += wait_ns;
	p->queued_ns += queued_ns;
}

void sched_table_retire(struct sched_table *t, const uint32_t *ended,
			size_t nended, void (*drop)(void *arg, uint32_t stack),
			void *arg)
{
	size_t was = t->n;
	int sorted = t->sorted;
	uint32_t cut;

	if (!sorted)
		qsort(t->pair, t->n, sizeof(*t->pair), pair_compare);
	t->sorted = 1;
	cut = pairs_cut(t);
	if (cut || nended)
		pairs_retire(t, ended, nended, cut);
	cut = stacks_cut(t);
	if (cut)
		stacks_retire(t, cut, drop, arg);
	if (!sorted || t->n != was || nended)
		index_build(t);
}
