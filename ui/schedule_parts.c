// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which tasks, or of a task which sources, are behind an opened row?
 */
#include "schedule_opened.h"

#include <math.h>
#include <stdio.h>

#include "units.h"

enum { WOKEN_MIN = 72, WOKEN_W = 16 };

static void part_name(char *buf, size_t n, const struct opened *o,
		      const struct schedule_part *p)
{
	const struct name *task = names_get(o->names, p->id);

	if (p->tasks > 1)
		snprintf(buf, n, "%s x%u", p->name, p->tasks);
	else if (p->tasks && task && task->kind == NAME_TASK)
		snprintf(buf, n, "%s (%d)", p->name, task->task.tid);
	else
		snprintf(buf, n, "%s", p->name);
}

/* Is there room and reason to say who wakes each task?  In an interrupt the
 * task that ran is not the waker. */
static bool has_woken(const struct lines *l, const struct opened *o)
{
	return l->w >= WOKEN_MIN && o->wakers.all &&
	       2 * o->wakers.interrupts < o->wakers.all &&
	       !schedule_side_is_sources(o->s, o->g->id);
}

static int numbers_width(bool waits, bool woken)
{
	return (waits ? 32 : 22) + (woken ? WOKEN_W + 2 : 0);
}

/* The numbers of a part stand flush right: share, interval, rate, wait. */
static void draw_numbers(const struct lines *l, int y, enum role role,
			 bool waits, bool woken, const char *const v[4])
{
	static const int width[4] = { 6, 4, 6, 8 };
	int x = l->x + l->w - numbers_width(waits, woken) + 2;

	for (int i = 0; i < 3 + waits; i++) {
		surface_right(l->s, x, y, width[i], role, v[i]);
		x += width[i] + 2;
	}
}

static void draw_part(struct lines *l, const struct opened *o,
		      const struct schedule_part *p)
{
	double all = (double)o->side.w, share = (double)p->w / all;
	double low = share, high = share;
	bool waits = schedule_has_wait(o->s, o->g), woken = has_woken(l, o);
	char name[96], pct[16], half[16] = "0", rate[16], wait[16];
	int y = line_next(l);

	if (y < 0)
		return;
	part_name(name, sizeof(name), o, p);
	surface_text(l->s, l->x, y, l->w - numbers_width(waits, woken),
		     ROLE_NORMAL, name);
	if (all > 0 && !o->s->exact) {
		wilson_interval((double)p->w, all, (double)o->side.w2, &low,
				&high);
		snprintf(half, sizeof(half), "%.1f",
			 100 * wilson_reach(share, low, high));
	}
	units_percent(pct, sizeof(pct), share);
	units_count(rate, sizeof(rate), share * o->per_s);
	if (woken && l->s->cell)	/* dear, so not to measure lines */
		surface_text(l->s, l->x + l->w - WOKEN_W, y, WOKEN_W,
			     ROLE_NORMAL, wakers_of_task(o->m, p->name));
	units_ns(wait, sizeof(wait), p->waits ? (double)p->wait_ns /
		 (double)p->waits : NAN);
	draw_numbers(l, y, ROLE_NORMAL, waits, woken,
		     (const char *[]){ pct, half, rate, wait });
}

void opened_parts(struct lines *l, const struct opened *o)
{
	static const char *const title[] = { "SHARE", "±", "/s", "WAIT avg" };
	int y = line_next(l);

	if (y >= 0) {
		surface_fill(l->s, l->x, y, l->w, 1, ROLE_HEADER, ' ');
		surface_text(l->s, l->x, y, l->w - 22, ROLE_HEADER,
			     schedule_side_is_sources(o->s, o->g->id) ?
			     "SOURCES" : "TASKS");
		draw_numbers(l, y, ROLE_HEADER, schedule_has_wait(o->s, o->g),
			     has_woken(l, o), title);
		if (has_woken(l, o))
			surface_text(l->s, l->x + l->w - WOKEN_W, y, WOKEN_W,
				     ROLE_HEADER, "WOKEN MOST BY");
	}
	for (size_t i = 0; i < o->side.n; i++)
		if (o->side.part[i].w || o->side.part[i].waits)
			draw_part(l, o, &o->side.part[i]);
}
