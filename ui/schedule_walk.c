// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What did each (stack, task) do since the older sample?
 *
 * Six metrics side by side, in the order of their keys: linear in their number.
 */
#include "schedule_rows.h"

enum { BESIDE = SCHEDULE_BESIDE };

static const uint16_t beside[BESIDE] = {
	SCHED_N, SCHED_W2, SCHED_WAITS, SCHED_WAIT, SCHED_QUEUED
};

static uint64_t gained(const struct delta *d)
{
	return d->state == DELTA_OK ? d->diff : 0;
}

void schedule_walk(struct schedule_walk *walk, const struct model *m)
{
	model_iterate(m, SCHED_W, &walk->w);
	for (int i = 0; i < BESIDE; i++) {
		model_iterate(m, beside[i], &walk->beside[i]);
		walk->has[i] = model_next(&walk->beside[i], &walk->row[i]);
	}
}

static bool is_before(const struct model_row *a, const struct model_row *b)
{
	return a->key < b->key || (a->key == b->key && a->sub < b->sub);
}

static uint64_t value_beside(struct schedule_walk *walk, int i,
			     const struct model_row *at)
{
	struct model_row *row = &walk->row[i];

	while (walk->has[i] && is_before(row, at))
		walk->has[i] = model_next(&walk->beside[i], row);
	if (!walk->has[i] || is_before(at, row))
		return 0;
	return gained(&row->d);
}

bool schedule_next(struct schedule_walk *walk, struct schedule_pair *p)
{
	struct model_row row;

	while (model_next(&walk->w, &row)) {
		p->stack = row.key;
		p->task = row.sub;
		p->w = gained(&row.d);
		p->n = value_beside(walk, 0, &row);
		p->w2 = value_beside(walk, 1, &row);
		p->waits = value_beside(walk, 2, &row);
		p->wait_ns = value_beside(walk, 3, &row);
		p->queued_ns = value_beside(walk, 4, &row);
		if (p->w || p->waits)
			return true;
	}
	return false;
}
