// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whose switches are behind one row of the Schedule pane?
 *
 * A compile makes hundreds of tasks of one name: they are one part, with their
 * number.  Sorted by name and merged, then sorted by weight: n log n.
 */
#include "schedule_side.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PARTS = 64 };

bool schedule_side_is_sources(const struct schedule *s, uint64_t id)
{
	return s->by == BY_TASK || id == SCHEDULE_SELF;
}

static int add(struct schedule_side *side, const struct schedule_part *part)
{
	if (side->n == side->cap) {
		size_t cap = side->cap ? 2 * side->cap : FIRST_PARTS;
		struct schedule_part *more =
			reallocarray(side->part, cap, sizeof(*more));

		if (!more)
			return -ENOMEM;
		side->part = more;
		side->cap = cap;
	}
	side->part[side->n++] = *part;
	return 0;
}

static struct schedule_part part_of(const struct schedule *s,
				    const struct names *n,
				    const struct schedule_pair *p, bool sources)
{
	struct schedule_part part = {
		.w = p->w, .waits = p->waits, .wait_ns = p->wait_ns,
	};

	part.id = sources ? s->from.source : p->task;
	part.class = sources ? s->from.class : CLASS_OTHER;
	part.tasks = !sources;
	part.name = part.id ? names_str(n, part.id) :
		    sources ? "(in the scheduler)" : "(ended)";
	return part;
}

static int by_name(const void *a, const void *b)
{
	const struct schedule_part *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order)
		return order;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int by_weight(const void *a, const void *b)
{
	const struct schedule_part *x = a, *y = b;

	if (x->w != y->w)
		return x->w > y->w ? -1 : 1;
	return by_name(a, b);
}

static void merge(struct schedule_side *side)
{
	struct schedule_part *to = side->part;
	uint32_t last;

	if (!side->n)
		return;
	qsort(side->part, side->n, sizeof(*side->part), by_name);
	last = to->id;
	for (size_t i = 1; i < side->n; i++) {
		const struct schedule_part *p = &side->part[i];

		if (strcmp(p->name, to->name) || p->class != to->class) {
			*++to = *p;
			last = p->id;
			continue;
		}
		to->w += p->w;
		to->waits += p->waits;
		to->wait_ns += p->wait_ns;
		if (to->tasks && p->id != last)
			to->tasks++;
		last = p->id;
	}
	side->n = (size_t)(to - side->part) + 1;
	qsort(side->part, side->n, sizeof(*side->part), by_weight);
}

int schedule_side_make(struct schedule_side *side, struct schedule *s,
		       const struct model *m, uint64_t id)
{
	bool sources = schedule_side_is_sources(s, id);
	struct schedule_part part;
	struct schedule_walk walk;
	struct schedule_pair p;
	int err = 0;

	side->n = 0;
	side->w = side->w2 = 0;
	schedule_walk(&walk, m);
	while (!err && schedule_next(&walk, &p)) {
		if (schedule_id(s, m, &p) != id)
			continue;
		side->w += p.w;
		side->w2 += p.w2;
		part = part_of(s, m->newer->names, &p, sources);
		err = add(side, &part);
	}
	merge(side);
	return err;
}
