// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How often did each pair of two keys come?  Densely kept, found through an
 * index of places, sorted once a sample.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "sched_tally.h"

static size_t slots_of(const struct sched_tally *t)
{
	return 2 * t->max;
}

static uint32_t *index_find(const struct sched_tally *t, uint32_t key,
			    uint32_t sub)
{
	uint64_t h = ((uint64_t)key << 32 | sub) * 0x9e3779b97f4a7c15ull;
	size_t mask = slots_of(t) - 1, i = (size_t)(h >> 40) & mask;
	const struct sched_tally_pair *p;

	while (t->index[i]) {
		p = &t->pair[t->index[i] - 1];
		if (p->key == key && p->sub == sub)
			break;
		i = (i + 1) & mask;
	}
	return &t->index[i];
}

static void index_build(struct sched_tally *t)
{
	size_t i;

	memset(t->index, 0, slots_of(t) * sizeof(*t->index));
	for (i = 0; i < t->n; i++)
		*index_find(t, t->pair[i].key, t->pair[i].sub) =
			(uint32_t)i + 1;
}

static struct sched_tally_pair *pair_get(struct sched_tally *t, uint32_t key,
					 uint32_t sub)
{
	uint32_t *at = index_find(t, key, sub);
	struct sched_tally_pair *p;

	if (*at)
		return &t->pair[*at - 1];
	if (t->n == t->max) {
		if (!key)
			return NULL;
		return pair_get(t, 0, t->sub_is_name ? 0 : sub);
	}
	p = &t->pair[t->n++];
	*p = (struct sched_tally_pair) { .key = key, .sub = sub };
	*at = (uint32_t)t->n;
	t->sorted = 0;
	if (t->own_sub && sub)
		names_hold(t->own_sub, sub);
	return p;
}

void sched_tally_add(struct sched_tally *t, uint32_t key, uint32_t sub,
		     uint32_t seq)
{
	struct sched_tally_pair *p = pair_get(t, key, sub);

	if (!p) {
		t->over++;
		return;
	}
	p->n++;
	p->seen = seq;
}

static int number_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int pair_compare(const void *a, const void *b)
{
	const struct sched_tally_pair *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->sub < y->sub ? -1 : x->sub > y->sub;
}

static int is_gone(uint32_t id, const uint32_t *gone, size_t n)
{
	return n && bsearch(&id, gone, n, sizeof(*gone), number_compare);
}

/* The sample after which a pair must have come to stay; 0: all may. */
static uint32_t cut_of(struct sched_tally *t)
{
	size_t i;

	if (t->n <= t->max / 4 * 3)
		return 0;
	for (i = 0; i < t->n; i++)
		t->seen[i] = t->pair[i].seen;
	qsort(t->seen, t->n, sizeof(*t->seen), number_compare);
	return t->seen[t->n / 2];
}

/* Its keys after the retirement: did they change? */
static int pair_move(struct sched_tally *t, struct sched_tally_pair *p,
		     const uint32_t *gone, size_t n, uint32_t cut)
{
	uint32_t key = p->key, sub = p->sub;

	if (p->key && (p->seen <= cut || is_gone(p->key, gone, n)))
		p->key = 0;
	if (t->sub_is_name && p->sub &&
	    (!p->key || is_gone(p->sub, gone, n)))
		p->sub = 0;
	if (t->own_sub && sub && !p->sub) {
		names_drop(t->own_sub, sub);
		t->dropped++;
	}
	return key != p->key || sub != p->sub;
}

/* Equal neighbours become one. */
static void pairs_merge(struct sched_tally *t)
{
	size_t i, to = 0;

	for (i = 1; i < t->n; i++) {
		if (!pair_compare(&t->pair[i], &t->pair[to])) {
			t->pair[to].n += t->pair[i].n;
			if (t->pair[i].seen > t->pair[to].seen)
				t->pair[to].seen = t->pair[i].seen;
			continue;
		}
		t->pair[++to] = t->pair[i];
	}
	if (t->n)
		t->n = to + 1;
}

size_t sched_tally_retire(struct sched_tally *t, const uint32_t *gone, size_t n)
{
	uint32_t cut = cut_of(t);
	int moved = 0;
	size_t i;

	t->dropped = 0;
	for (i = 0; (n || cut) && i < t->n; i++)
		moved |= pair_move(t, &t->pair[i], gone, n, cut);
	if (t->sorted && !moved)
		return 0;
	qsort(t->pair, t->n, sizeof(*t->pair), pair_compare);
	if (moved)
		pairs_merge(t);
	index_build(t);
	t->sorted = 1;
	return t->dropped;
}

int sched_tally_collect(const struct sched_tally *t, uint16_t metric,
			struct sample *to)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (sample_add(to, metric, t->pair[i].key, t->pair[i].sub,
			       t->pair[i].n))
			return -ENOMEM;
	return 0;
}

int sched_tally_init(struct sched_tally *t, size_t max, int sub_is_name,
		     struct names *own_sub)
{
	memset(t, 0, sizeof(*t));
	t->max = max;
	t->sub_is_name = sub_is_name;
	t->own_sub = own_sub;
	t->sorted = 1;
	t->pair = calloc(max, sizeof(*t->pair));
	t->index = calloc(slots_of(t), sizeof(*t->index));
	t->seen = calloc(max, sizeof(*t->seen));
	if (t->pair && t->index && t->seen)
		return 0;
	sched_tally_free(t);
	return -ENOMEM;
}

void sched_tally_free(struct sched_tally *t)
{
	free(t->pair);
	free(t->index);
	free(t->seen);
	memset(t, 0, sizeof(*t));
}
