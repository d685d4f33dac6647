// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who ended the waits of one row of the Schedule pane?
 *
 * A waker is known by its name: the function outside the wake-up plumbing, or
 * its comm.  Wakers are looked at some of the time only where a CPU does
 * little but switch, so these are shares and no rates.
 */
#include "schedule_opened.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "units.h"

enum { SHOWN = 6, SHARE_W = 5 };

static void add(struct wakers *w, const char *name, enum waker_kind kind,
		uint64_t n)
{
	int i = 0;

	w->all += n;
	w->interrupts += kind == WAKER_TASK ? 0 : n;
	while (i < w->used && (w->of[i].kind != kind ||
			       strcmp(w->of[i].name, name)))
		i++;
	if (i == WAKERS_KEEP) {
		w->rest += n;
		return;
	}
	if (i == w->used)
		w->of[w->used++] = (struct one_waker){ name, kind, 0 };
	w->of[i].n += n;
}

static int by_number(const void *a, const void *b)
{
	const struct one_waker *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_stack(struct wakers *w, const struct names *names,
		      uint32_t id, uint64_t n)
{
	const struct name *stack = names_get(names, id);
	struct waker by = { 0 };
	const char *name;

	if (!stack || stack->kind != NAME_STACK) {
		add(w, "(ended)", WAKER_TASK, n);
		return;
	}
	waker_of(names, stack, &by);
	name = by.source ? names_str(names, by.source) : "(not known)";
	if (wake_frame_of(name) != WAKE_SOURCE)
		name = "";	/* the interrupt's or timer's own machinery */
	add(w, name, by.kind, n);
}

static void add_task(struct wakers *w, const struct names *names, uint32_t id,
		     uint64_t n)
{
	add(w, id ? names_str(names, id) : "(ended)", WAKER_TASK, n);
}

void wakers_make(struct wakers *w, struct schedule *s, const struct model *m,
		 uint64_t id)
{
	bool by_task = schedule_side_is_sources(s, id);
	uint16_t metric = by_task ? SCHED_WOKEN_BY : SCHED_WOKEN_FROM;
	uint32_t task = id == SCHEDULE_SELF ? s->self : (uint32_t)id;
	struct model_iter it;
	struct model_row row;

	memset(w, 0, sizeof(*w));
	model_iterate(m, metric, &it);
	while (model_next(&it, &row)) {
		struct schedule_pair p = { .stack = row.key };
		uint64_t n = histogram_gained(m, metric, 0, &row);

		if (!n || !row.key)
			continue;
		if (by_task && row.key == task)
			add_task(w, m->newer->names, row.sub, n);
		else if (!by_task && schedule_id(s, m, &p) == id)
			add_stack(w, m->newer->names, row.sub, n);
	}
	qsort(w->of, (size_t)w->used, sizeof(*w->of), by_number);
}

const char *wakers_of_task(const struct model *m, const char *comm)
{
	struct wakers w = { 0 };
	struct model_iter it;
	struct model_row row;

	model_iterate(m, SCHED_WOKEN_BY, &it);
	while (model_next(&it, &row)) {
		uint64_t n = histogram_gained(m, SCHED_WOKEN_BY, 0, &row);

		if (n && row.key &&
		    !strcmp(names_str(m->newer->names, row.key), comm))
			add_task(&w, m->newer->names, row.sub, n);
	}
	qsort(w.of, (size_t)w.used, sizeof(*w.of), by_number);
	return w.used ? w.of[0].name : "-";
}

/* ---- as lines ------------------------------------------------------------------- */

static void waker_text(char *buf, size_t n, const struct one_waker *of)
{
	static const char *const kind[] = {
		[WAKER_TASK] = "", [WAKER_TIMER] = "timer",
		[WAKER_INTERRUPT] = "interrupt",
	};

	snprintf(buf, n, "%s%s%s", kind[of->kind],
		 of->kind != WAKER_TASK && of->name[0] ? ": " : "", of->name);
}

static void draw_waker(struct lines *l, double share, const char *name)
{
	int y = line_next(l);
	char buf[16];

	if (y < 0)
		return;
	line_share(buf, sizeof(buf), share);
	surface_right(l->s, l->x, y, SHARE_W, ROLE_NORMAL, buf);
	surface_text(l->s, l->x + SHARE_W + 2, y, l->w - SHARE_W - 2,
		     ROLE_NORMAL, name);
}

/* Where the task that ran was not the waker, its name says nothing. */
void opened_wakers(struct lines *l, const struct opened *o)
{
	const struct wakers *w = &o->wakers;
	double all = (double)w->all;
	char buf[96], number[32];
	uint64_t rest = w->rest;

	if (!w->all)
		return;
	line_next(l);
	snprintf(buf, sizeof(buf), "%s, share ±%.1f or less, of %s seen",
		 schedule_side_is_sources(o->s, o->g->id) ?
		 "WOKEN BY" : "WOKEN FROM", 100 * wilson_reach_max(all, all),
		 units_exact(number, sizeof(number), w->all));
	line_text(l, ROLE_HEADER, buf);
	for (int i = 0; i < w->used; i++) {
		if (i >= SHOWN) {
			rest += w->of[i].n;
			continue;
		}
		waker_text(buf, sizeof(buf), &w->of[i]);
		draw_waker(l, (double)w->of[i].n / all, buf);
	}
	if (rest)
		draw_waker(l, (double)rest / all, "other");
}
