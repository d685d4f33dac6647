// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long did the waits of each row take at most, and how were those of one
 * row spread?
 *
 * The counts of all buckets, row by row, and one histogram at a time: linear
 * in their number, n log n by source.  Histograms are kept by stack or by task, never by
 * both, so those of a source hold stalltop's own waits at the same place; its
 * own row has the histogram of its task.
 */
#include "schedule_ends.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ENDS = 256 };

struct schedule_end {
	uint32_t group, bucket;
	uint64_t n;
};

struct ends_walk {		/* over what is kept for these rows */
	struct model_iter it;
	uint16_t metric;
	bool own;		/* stalltop's own, of the tasks */
};

static void walk_begin(struct ends_walk *walk, const struct schedule *s,
		       const struct model *m, bool own)
{
	walk->own = own;
	walk->metric = s->by == BY_TASK || own ? SCHED_TASK_HIST :
						 SCHED_WAIT_HIST;
	model_iterate(m, walk->metric, &walk->it);
}

/* The next count with the row it belongs to. */
static bool walk_next(struct ends_walk *walk, struct schedule *s,
		      const struct model *m, uint64_t *id,
		      struct schedule_end *end)
{
	struct schedule_pair p = { 0 };
	struct model_row row;

	while (model_next(&walk->it, &row)) {
		if (!row.key || (walk->own && row.key != s->self))
			continue;	/* key 0 holds the past of others */
		end->n = histogram_gained(m, walk->metric, 0, &row);
		if (!end->n)
			continue;
		end->bucket = row.sub;
		p.stack = walk->metric == SCHED_WAIT_HIST ? row.key : 0;
		p.task = walk->metric == SCHED_WAIT_HIST ? 0 : row.key;
		*id = walk->own ? SCHEDULE_SELF : schedule_id(s, m, &p);
		return true;
	}
	return false;
}

static int end_add(struct rows *rows, size_t n, const struct schedule_end *end)
{
	if (n == rows->capend) {
		size_t cap = rows->capend ? 2 * rows->capend : FIRST_ENDS;
		struct schedule_end *more =
			reallocarray(rows->end, cap, sizeof(*more));

		if (!more)
			return -ENOMEM;
		rows->end = more;
		rows->capend = cap;
	}
	rows->end[n] = *end;
	return 0;
}

static int collect(struct rows *rows, const struct model *m, bool own,
		   size_t *n)
{
	struct schedule *s = rows->schedule;
	const struct schedule_group *g;
	struct schedule_end end;
	struct ends_walk walk;
	uint64_t id;
	int err = 0;

	walk_begin(&walk, s, m, own);
	while (!err && walk_next(&walk, s, m, &id, &end)) {
		g = schedule_find(s, id);
		if (!g)
			continue;
		end.group = (uint32_t)(g - s->group);
		err = end_add(rows, *n, &end);
		*n += !err;
	}
	return err;
}

static int by_group(const void *a, const void *b)
{
	const struct schedule_end *x = a, *y = b;

	return x->group < y->group ? -1 : x->group > y->group;
}

int schedule_ends_make(struct rows *rows, const struct model *m)
{
	struct schedule *s = rows->schedule;
	size_t n = 0, i = 0;
	int err = collect(rows, m, false, &n);

	if (!err && s->by != BY_TASK && s->self)
		err = collect(rows, m, true, &n);
	if (n && s->by == BY_SOURCE)	/* else they stand together */
		qsort(rows->end, n, sizeof(*rows->end), by_group);
	while (i < n) {
		uint32_t group = rows->end[i].group;
		struct histogram h = { 0 };

		for (; i < n && rows->end[i].group == group; i++)
			histogram_add(&h, rows->end[i].bucket, rows->end[i].n);
		if (h.all >= SCHEDULE_P99_MIN)
			s->group[group].p99_ns =
				(uint64_t)histogram_quantile(&h, .99);
	}
	return err;
}

void schedule_ends_of(struct histogram *h, struct schedule *s,
		      const struct model *m, uint64_t id)
{
	struct schedule_end end;
	struct ends_walk walk;
	uint64_t at;

	memset(h, 0, sizeof(*h));
	walk_begin(&walk, s, m, id == SCHEDULE_SELF);
	while (walk_next(&walk, s, m, &at, &end))
		if (at == id)
			histogram_add(h, end.bucket, end.n);
}
