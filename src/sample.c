/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was read at one moment?
 *
 * Readings lie in one array. Collectors append metric-major, so it is a few
 * runs already in order; `sorted` says whether it is still one, strictly: a
 * doubled key counts as disorder, so that sealing drops it. The array always
 * has room for as many readings again, where sealing gathers and merges them: it
 * cannot fail. Memory is kept over resets: a fixed set of tasks allocates
 * nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "health.h"
#include "sample.h"

enum { READINGS_FIRST = 2048, BLOCKS = 1024 };

struct block {			/* readings of one metric, in order */
	size_t from, n;
};

static int reading_compare(const struct reading *a, const struct reading *b)
{
	if (a->metric != b->metric)
		return a->metric < b->metric ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->sub != b->sub)
		return a->sub < b->sub ? -1 : 1;
	return 0;
}

/* Room for n readings, and n more to merge in. */
static int sample_reserve(struct sample *s, size_t n)
{
	size_t cap = s->cap ? s->cap : READINGS_FIRST;
	struct reading *v;

	if (n * 2 <= s->cap)
		return 0;
	while (cap < n * 2)
		cap *= 2;
	v = reallocarray(s->v, cap, sizeof(*v));
	if (!v)
		return -ENOMEM;
	s->v = v;
	s->cap = cap;
	return 0;
}

/* The end of the run in order that begins at `from`. */
static size_t run_end(const struct reading *v, size_t from, size_t n)
{
	size_t i = from + 1;

	while (i < n && reading_compare(&v[i - 1], &v[i]) <= 0)
		i++;
	return i < n ? i : n;
}

/* Merge v[a..b) and v[b..c) to the same place in `to`; equal ones of the
 * first run stay first. */
static void merge_runs(struct reading *to, const struct reading *v, size_t a,
		       size_t b, size_t c)
{
	size_t i = a, j = b, k = a;

	while (i < b && j < c)
		to[k++] = reading_compare(&v[j], &v[i]) < 0 ? v[j++] : v[i++];
	while (i < b)
		to[k++] = v[i++];
	while (j < c)
		to[k++] = v[j++];
}

/* Merge runs in pairs, once over the array. */
static void merge_pass(struct reading *to, const struct reading *v, size_t n)
{
	size_t a, b, c;

	for (a = 0; a < n; a = c) {
		b = run_end(v, a, n);
		c = b < n ? run_end(v, b, n) : n;
		merge_runs(to, v, a, b, c);
	}
}

/* Of equal keys keep the last; returns how many readings are left.  `to` may be
 * `from`. */
static size_t drop_doubles(struct reading *to, const struct reading *from,
			   size_t n)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (kept && !reading_compare(&to[kept - 1], &from[i]))
			kept--;
		to[kept++] = from[i];
	}
	return kept;
}

/* How many blocks there are, up to BLOCKS; above that 0. */
static size_t blocks_find(const struct reading *v, size_t n, struct block *b)
{
	size_t i, blocks = 0;

	for (i = 0; i < n; i++) {
		if (i && v[i].metric == v[i - 1].metric &&
		    reading_compare(&v[i - 1], &v[i]) <= 0) {
			b[blocks - 1].n++;
			continue;
		}
		if (blocks == BLOCKS)
			return 0;
		b[blocks++] = (struct block) { i, 1 };
	}
	return blocks;
}

/* By metric; those of one metric stay as they were. */
static void blocks_order(const struct reading *v, struct block *b, size_t n)
{
	struct block moved;
	size_t i, j;

	for (i = 1; i < n; i++) {
		moved = b[i];
		for (j = i; j && v[b[j - 1].from].metric > v[moved.from].metric;
		     j--)
			b[j] = b[j - 1];
		b[j] = moved;
	}
}

/*
 * One copy puts whole blocks where they belong, which is all there is to do
 * unless two collectors read one metric.  0: too many blocks for that.
 */
static int gather(struct reading *to, const struct reading *v, size_t n)
{
	struct block b[BLOCKS];
	size_t i, blocks = blocks_find(v, n, b);

	blocks_order(v, b, blocks);
	for (i = 0; i < blocks; i++) {
		memcpy(to, v + b[i].from, b[i].n * sizeof(*to));
		to += b[i].n;
	}
	return blocks > 0;
}

/* Index of the first reading that is not below `key`. */
static size_t lower_bound(const struct sample *s, const struct reading *key)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (reading_compare(&s->v[mid], key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int sample_init(struct sample *s)
{
	memset(s, 0, sizeof(*s));
	s->sorted = 1;
	s->health = calloc(1, sizeof(*s->health));
	return s->health ? 0 : -ENOMEM;
}

void sample_free(struct sample *s)
{
	if (s->health)
		health_free(s->health);
	free(s->health);
	free(s->v);
	memset(s, 0, sizeof(*s));
}

void sample_reset(struct sample *s)
{
	s->seq = s->mono_ns = s->boot_ns = 0;
	s->wall_ns = 0;
	s->utc_offset_s = 0;
	s->n = 0;
	s->sorted = 1;
	if (!s->health)
		return;
	s->health->n = s->health->ncost = 0;
	s->health->version = 0;
}

int sample_add(struct sample *s, uint16_t metric, uint32_t key, uint32_t sub,
	       uint64_t value)
{
	struct reading *r;

	if (sample_reserve(s, s->n + 1))
		return -ENOMEM;
	r = &s->v[s->n];
	r->metric = metric;
	r->key = key;
	r->sub = sub;
	r->value = value;
	if (s->n && reading_compare(r - 1, r) >= 0)
		s->sorted = 0;
	s->n++;
	return 0;
}

void sample_seal(struct sample *s)
{
	struct reading *from = s->v, *to = s->v + s->n, *swap;

	if (s->sorted)
		return;
	if (gather(to, from, s->n)) {
		from = to;
		to = s->v;
	}
	while (run_end(from, 0, s->n) < s->n) {
		merge_pass(to, from, s->n);
		swap = from;
		from = to;
		to = swap;
	}
	s->n = drop_doubles(s->v, from, s->n);
	s->sorted = 1;
}

const struct reading *sample_find(const struct sample *s, uint16_t metric,
				  uint32_t key, uint32_t sub)
{
	struct reading want = { .metric = metric, .key = key, .sub = sub };
	size_t i = lower_bound(s, &want);

	if (i == s->n || reading_compare(&s->v[i], &want))
		return NULL;
	return &s->v[i];
}

const struct reading *sample_range(const struct sample *s, uint16_t metric,
				   size_t *n)
{
	struct reading first = { .metric = metric };
	struct reading after = { .metric = metric + 1 };
	size_t i = lower_bound(s, &first), end;

	end = metric == UINT16_MAX ? s->n : lower_bound(s, &after);
	*n = end - i;
	return *n ? &s->v[i] : NULL;
}

int sample_copy(struct sample *to, const struct sample *from)
{
	int err = sample_reserve(to, from->n);

	if (!err)
		err = health_copy(to->health, from->health);
	if (err)
		return err;
	if (from->n)
		memcpy(to->v, from->v, from->n * sizeof(*to->v));
	to->n = from->n;
	to->sorted = from->sorted;
	to->seq = from->seq;
	to->mono_ns = from->mono_ns;
	to->boot_ns = from->boot_ns;
	to->wall_ns = from->wall_ns;
	to->utc_offset_s = from->utc_offset_s;
	to->names = from->names;
	to->host = from->host;
	return 0;
}
