// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which pipes did the tasks of an opened row sleep in?
 *
 * Of those tasks' sleeps in pipes, whatever row they are in.  Rates are made
 * of sampled sleeps: each pipe's interval is that of its number of them.
 */
#include "schedule_opened.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "units.h"

enum { PIPES_KEEP = 32, PIPES_SHOWN = 5, FULL_MIN = 56 };
enum {
	COL_SLOTS, COL_FILL, COL_EMPTY, COL_FULL, COL_REACH, COL_WAIT,
	PIPE_COLUMNS
};

#define NORMAL_95 1.96

enum { SLEPT_N, SLEPT_EMPTY, SLEPT_FULL, SLEPT_WAITS, SLEPT_NS, SLEPT_COUNT };

struct pipe_seen {
	uint32_t id;
	uint64_t slept[SLEPT_COUNT];
};

struct pipes_seen {
	struct pipe_seen of[PIPES_KEEP];
	int used;
	bool more;
};

static const struct {
	uint16_t metric;
	int sum;
} sums[] = {
	{ PIPE_EMPTY, SLEPT_EMPTY }, { PIPE_FULL, SLEPT_FULL },
	{ PIPE_EMPTY_N, SLEPT_N }, { PIPE_FULL_N, SLEPT_N },
	{ PIPE_EMPTY_WAITS, SLEPT_WAITS }, { PIPE_FULL_WAITS, SLEPT_WAITS },
	{ PIPE_EMPTY_WAIT, SLEPT_NS }, { PIPE_FULL_WAIT, SLEPT_NS },
};

static struct pipe_seen *pipe_get(struct pipes_seen *p, uint32_t id)
{
	for (int i = 0; i < p->used; i++)
		if (p->of[i].id == id)
			return &p->of[i];
	if (p->used == PIPES_KEEP) {
		p->more = true;
		return NULL;
	}
	p->of[p->used] = (struct pipe_seen){ .id = id };
	return &p->of[p->used++];
}

/* Parts are tasks of one comm, so a task is of the row when its comm is. */
static bool is_of_row(const struct opened *o, uint32_t task)
{
	const char *comm = names_str(o->names, task);

	if (!task)
		return false;
	if (o->s->by == BY_TASK)
		return o->g->id == task;
	for (size_t i = 0; i < o->side.n; i++)
		if (!strcmp(o->side.part[i].name, comm))
			return true;
	return false;
}

static int by_sleeps(const void *a, const void *b)
{
	const struct pipe_seen *x = a, *y = b;
	uint64_t n = x->slept[SLEPT_EMPTY] + x->slept[SLEPT_FULL];
	uint64_t k = y->slept[SLEPT_EMPTY] + y->slept[SLEPT_FULL];

	if (n != k)
		return n > k ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void pipes_make(struct pipes_seen *p, const struct opened *o)
{
	struct pipe_seen *pipe;
	struct model_iter it;
	struct model_row row;

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		model_iterate(o->m, sums[i].metric, &it);
		while (model_next(&it, &row)) {
			uint64_t n = histogram_gained(o->m, sums[i].metric, 0,
						      &row);

			if (!n || !row.key || !is_of_row(o, row.sub))
				continue;
			pipe = pipe_get(p, row.key);
			if (pipe)
				pipe->slept[sums[i].sum] += n;
		}
	}
	qsort(p->of, (size_t)p->used, sizeof(*p->of), by_sleeps);
}

static void draw_columns(struct lines *l, enum role role, const char *name,
			 const char *const v[PIPE_COLUMNS])
{
	static const int width[PIPE_COLUMNS] = { 5, 4, 7, 6, 5, 8 };
	int y = line_next(l), x = l->x + l->w;

	if (y < 0)
		return;
	if (role == ROLE_HEADER)
		surface_fill(l->s, l->x, y, l->w, 1, role, ' ');
	for (int i = PIPE_COLUMNS - 1; i >= 0; i--) {
		if (l->w < FULL_MIN && (i == COL_FILL || i == COL_WAIT))
			continue;
		x -= width[i];
		surface_right(l->s, x, y, width[i], role, v[i]);
		x -= 1;
	}
	surface_text(l->s, l->x, y, x - l->x, role, name);
}

static void gauge_text(char *buf, size_t n, const struct opened *o,
		       uint16_t metric, uint32_t pipe)
{
	struct delta d = model_delta(o->m, metric, pipe, 0);

	units_count(buf, n, d.state == DELTA_ABSENT ? NAN : (double)d.value);
}

static void draw_pipe(struct lines *l, const struct opened *o,
		      const struct pipe_seen *p)
{
	double s = (double)model_span(o->m, "sched") / 1e9;
	double n = (double)p->slept[SLEPT_N];
	char slots[16], fill[16], empty[16], full[16], half[16] = "-", wait[16];

	gauge_text(slots, sizeof(slots), o, PIPE_SLOTS, p->id);
	gauge_text(fill, sizeof(fill), o, PIPE_FILL, p->id);
	units_count(empty, sizeof(empty), (double)p->slept[SLEPT_EMPTY] / s);
	units_count(full, sizeof(full), (double)p->slept[SLEPT_FULL] / s);
	if (n > 0)
		snprintf(half, sizeof(half), "%.0f%%", o->s->exact ? 0 :
			 100 * NORMAL_95 / sqrt(n));
	units_ns(wait, sizeof(wait), p->slept[SLEPT_WAITS] ?
		 (double)p->slept[SLEPT_NS] / (double)p->slept[SLEPT_WAITS] :
		 NAN);
	draw_columns(l, ROLE_NORMAL, names_str(o->names, p->id),
		     (const char *[]){ slots, fill, empty, full, half, wait });
}

void opened_pipes(struct lines *l, const struct opened *o)
{
	static const char *const title[PIPE_COLUMNS] = {
		"slots", "fill", "empty/s", "full/s", "±", "WAIT avg"
	};
	struct pipes_seen p = { .used = 0 };
	char buf[48];

	if (o->g->class != CLASS_PIPE && o->s->by != BY_TASK)
		return;
	pipes_make(&p, o);
	if (!p.used)
		return;
	line_next(l);
	draw_columns(l, ROLE_HEADER, "PIPES", title);
	for (int i = 0; i < p.used && i < PIPES_SHOWN; i++)
		draw_pipe(l, o, &p.of[i]);
	if (p.used <= PIPES_SHOWN)
		return;
	snprintf(buf, sizeof(buf), "and %d%s more", p.used - PIPES_SHOWN,
		 p.more ? " or" : "");
	line_text(l, ROLE_LABEL, buf);
}
