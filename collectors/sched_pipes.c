// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which pipes did sampled tasks sleep in?  Densely kept, found through an
 * index of places, sorted once a sample.  Each pair of a pipe is an owner of
 * the pipe's name: it goes with the last.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "attribution.h"
#include "sched_pipes.h"

enum { INDEX = 4 * SCHED_PIPE_PAIRS };	/* a power of two */

/* ---- pairs -------------------------------------------------------------------- */

static uint32_t *index_find(const struct sched_pipes *p, uint32_t pipe,
			    uint32_t task)
{
	uint64_t h = ((uint64_t)pipe << 32 | task) * 0x9e3779b97f4a7c15ull;
	size_t i = (size_t)(h >> 40) & (INDEX - 1);
	const struct sched_pipe_pair *pair;

	while (p->index[i]) {
		pair = &p->pair[p->index[i] - 1];
		if (pair->pipe == pipe && pair->task == task)
			break;
		i = (i + 1) & (INDEX - 1);
	}
	return &p->index[i];
}

static void index_build(struct sched_pipes *p)
{
	size_t i;

	memset(p->index, 0, INDEX * sizeof(*p->index));
	for (i = 0; i < p->n; i++)
		*index_find(p, p->pair[i].pipe, p->pair[i].task) =
			(uint32_t)i + 1;
}

static struct sched_pipe_pair *pair_find(const struct sched_pipes *p,
					 uint32_t pipe, uint32_t task)
{
	uint32_t at = *index_find(p, pipe, task);

	return at ? &p->pair[at - 1] : NULL;
}

/* The pair, or the nearest that takes its place. */
static struct sched_pipe_pair *pair_near(const struct sched_pipes *p,
					 uint32_t pipe, uint32_t task)
{
	struct sched_pipe_pair *pair = pair_find(p, pipe, task);

	if (!pair)
		pair = pair_find(p, pipe, 0);
	return pair ? pair : pair_find(p, 0, 0);
}

/* The pair, made if new and there is room. */
static struct sched_pipe_pair *pair_get(struct sched_pipes *p, uint32_t pipe,
					uint32_t task)
{
	uint32_t *at = index_find(p, pipe, task);
	struct sched_pipe_pair *pair;

	if (*at || p->n == SCHED_PIPE_PAIRS)
		return pair_near(p, pipe, task);
	pair = &p->pair[p->n++];
	*pair = (struct sched_pipe_pair) { .pipe = pipe, .task = task };
	*at = (uint32_t)p->n;
	p->sorted = 0;
	if (pipe)
		names_hold(p->names, pipe);
	return pair;
}

/* ---- sleeps ------------------------------------------------------------------- */

/* s_dev is a dev_t as the kernel has it: 12 bits major, 20 minor. */
static uint32_t pipe_name(struct sched_pipes *p, const struct sched_pipe *at)
{
	char text[48];
	int len = snprintf(text, sizeof(text), "%u:%u %llu", at->dev >> 20,
			   at->dev & 0xfffff, (unsigned long long)at->inode);

	return names_text(p->names, text, (size_t)len);
}

static int is_pipe_code(const struct sched_pipes *p, uint32_t stack)
{
	const struct name *name = stack ? names_get(p->names, stack) : NULL;
	struct attribution a;

	if (!name || name->kind != NAME_STACK)
		return 0;
	attribution_of(p->names, name, &a);
	return a.source &&
	       class_of_symbol(names_str(p->names, a.source)) == CLASS_PIPE;
}

uint32_t sched_pipes_add(struct sched_pipes *p, const struct sched_pipe *at,
			 uint32_t stack, uint32_t task, uint64_t weight)
{
	struct sched_pipe_pair *pair;
	struct sched_pipe_end *end;
	uint32_t pipe;

	if (!at->dev) {
		p->unknown += at->asked && is_pipe_code(p, stack);
		return 0;
	}
	pipe = pipe_name(p, at);
	names_hold(p->names, pipe);
	pair = pair_get(p, pipe, task);
	names_drop(p->names, pipe);	/* for good where it has no room */
	end = &pair->end[!!at->writes];
	end->n++;
	end->w += weight;
	pair->slots = at->slots;
	pair->fill = at->fill;
	pair->seen = ++p->turn;
	return pair->pipe;
}

void sched_pipes_wait(struct sched_pipes *p, uint32_t pipe, uint32_t task,
		      int writes, uint64_t wait_ns)
{
	struct sched_pipe_end *end;

	if (!pipe)
		return;
	end = &pair_near(p, pipe, task)->end[!!writes];
	end->waits++;
	end->wait_ns += wait_ns;
}

/* ---- letting go --------------------------------------------------------------- */

static int id_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int turn_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int pair_compare(const void *a, const void *b)
{
	const struct sched_pipe_pair *x = a, *y = b;

	if (x->pipe != y->pipe)
		return x->pipe < y->pipe ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static void pair_merge(struct sched_pipe_pair *to,
		       const struct sched_pipe_pair *from)
{
	int i;

	for (i = 0; i < 2; i++) {
		to->end[i].n += from->end[i].n;
		to->end[i].w += from->end[i].w;
		to->end[i].waits += from->end[i].waits;
		to->end[i].wait_ns += from->end[i].wait_ns;
	}
	if (from->seen > to->seen) {
		to->seen = from->seen;
		to->slots = from->slots;
		to->fill = from->fill;
	}
}

/* All up to this turn go, so that half of the room is free; 0: none. */
static uint64_t cut_of(struct sched_pipes *p)
{
	size_t i;

	if (p->n <= SCHED_PIPE_PAIRS / 4 * 3)
		return 0;
	for (i = 0; i < p->n; i++)
		p->seen[i] = p->pair[i].seen;
	qsort(p->seen, p->n, sizeof(*p->seen), turn_compare);
	return p->seen[p->n - SCHED_PIPE_PAIRS / 2];
}

/* Another owner of its pipe's name less. */
static void pipe_forget(struct sched_pipes *p, struct sched_pipe_pair *pair)
{
	if (pair->pipe)
		names_drop(p->names, pair->pipe);
	pair->pipe = pair->task = 0;
}

/* Equal neighbours become one. */
static void pairs_merge(struct sched_pipes *p)
{
	size_t i, to = 0;

	for (i = 1; i < p->n; i++) {
		if (pair_compare(&p->pair[i], &p->pair[to])) {
			p->pair[++to] = p->pair[i];
			continue;
		}
		pair_merge(&p->pair[to], &p->pair[i]);
		pipe_forget(p, &p->pair[i]);
	}
	p->n = to + 1;
}

void sched_pipes_retire(struct sched_pipes *p, const uint32_t *ended,
			size_t nended)
{
	uint64_t cut = cut_of(p);
	struct sched_pipe_pair *pair, *end = p->pair + p->n;
	int moved = 0;

	for (pair = p->pair; pair < end && (cut || nended); pair++) {
		if (pair->pipe && pair->seen <= cut) {
			pipe_forget(p, pair);
			moved = 1;
		} else if (pair->task && nended &&
			   bsearch(&pair->task, ended, nended, sizeof(*ended),
				   id_compare)) {
			pair->task = 0;
			moved = 1;
		}
	}
	if (p->sorted && !moved)
		return;
	qsort(p->pair, p->n, sizeof(*p->pair), pair_compare);
	if (moved)
		pairs_merge(p);
	index_build(p);
	p->sorted = 1;
}

/* ---- readings ----------------------------------------------------------------- */

static uint64_t end_value(const struct sched_pipe_end *e, size_t i)
{
	const uint64_t v[] = { e->n, e->w, e->waits, e->wait_ns };

	return v[i];
}

/* An end at which nobody was seen to sleep is left out. */
static int end_collect(const struct sched_pipes *p, int writes,
		       const uint16_t metric[4], struct sample *to)
{
	const struct sched_pipe_pair *pair;
	size_t i, m;

	for (m = 0; m < 4; m++)
		for (i = 0; i < p->n; i++) {
			pair = &p->pair[i];
			if (pair->end[writes].n &&
			    sample_add(to, metric[m], pair->pipe, pair->task,
				       end_value(&pair->end[writes], m)))
				return -ENOMEM;
		}
	return 0;
}

/* Pairs of a pipe are neighbours: what the one seen last says. */
static int gauges_collect(const struct sched_pipes *p, uint16_t metric,
			  struct sample *to)
{
	const struct sched_pipe_pair *pair = p->pair, *end = pair + p->n, *last;

	while (pair < end) {
		for (last = pair; pair < end && pair->pipe == last->pipe;
		     pair++)
			if (pair->seen > last->seen)
				last = pair;
		if (last->pipe && sample_add(to, metric, last->pipe, 0,
					     metric == PIPE_SLOTS ?
					     last->slots : last->fill))
			return -ENOMEM;
	}
	return 0;
}

int sched_pipes_collect(const struct sched_pipes *p, struct sample *to)
{
	static const uint16_t metric[2][4] = {
		{ PIPE_EMPTY_N, PIPE_EMPTY, PIPE_EMPTY_WAITS, PIPE_EMPTY_WAIT },
		{ PIPE_FULL_N, PIPE_FULL, PIPE_FULL_WAITS, PIPE_FULL_WAIT },
	};
	int err = end_collect(p, 0, metric[0], to);

	if (!err)
		err = end_collect(p, 1, metric[1], to);
	if (!err)
		err = gauges_collect(p, PIPE_SLOTS, to);
	if (!err)
		err = gauges_collect(p, PIPE_FILL, to);
	return err ? err : sample_add(to, PIPE_UNKNOWN, 0, 0, p->unknown);
}

/* ---- beginning and end -------------------------------------------------------- */

int sched_pipes_init(struct sched_pipes *p, struct names *names)
{
	memset(p, 0, sizeof(*p));
	p->names = names;
	p->pair = calloc(SCHED_PIPE_PAIRS, sizeof(*p->pair));
	p->index = calloc(INDEX, sizeof(*p->index));
	p->seen = calloc(SCHED_PIPE_PAIRS, sizeof(*p->seen));
	if (!p->pair || !p->index || !p->seen) {
		sched_pipes_free(p);
		return -ENOMEM;
	}
	pair_get(p, 0, 0);
	return 0;
}

void sched_pipes_free(struct sched_pipes *p)
{
	free(p->pair);
	free(p->index);
	free(p->seen);
	memset(p, 0, sizeof(*p));
}
