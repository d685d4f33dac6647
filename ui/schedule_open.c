// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is behind one row of the Schedule pane?
 *
 * Left the callers as a tree, merged from all stacks of the row, from the
 * source outwards; right the tasks, by task the sources, who woke them, and
 * their pipes; below how long the waits were and what the class means.
 */
#include "pane_schedule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"
#include "schedule_ends.h"
#include "schedule_opened.h"
#include "units.h"
#include "words.h"

/* Wide enough for both blocks side by side; columns of the right one. */
enum { BESIDE_MIN = 76, SIDE_WIDTH = 78, TREE_WIDTH = 90, WORDS_WIDTH = 100 };

/* ---- the whole ----------------------------------------------------------------- */

static void draw_heading(struct surface *s, int x, const struct opened *o,
			 struct rows *rows)
{
	const struct schedule_group *g = o->g;
	double low, high, share = schedule_share(o->s, g->w, &low, &high);
	char text[64], pct[16], number[16];

	x = words_piece(s, x, 0, 3, ROLE_TITLE,
			schedule_text(rows, o->s, o->names, g));
	units_percent(pct, sizeof(pct), share);
	if (o->s->exact)
		snprintf(text, sizeof(text), "%s exact", pct);
	else
		snprintf(text, sizeof(text), "%s ±%.1f", pct,
			 100 * wilson_reach(share, low, high));
	if (s->w >= 70)
		strcat(text, " of switches");
	x = words_piece(s, x, 0, 3, ROLE_NORMAL, text);
	snprintf(text, sizeof(text), "%s/s",
		 units_count(number, sizeof(number), o->per_s));
	x = words_piece(s, x, 0, 3, ROLE_NORMAL, text);
	if (!schedule_has_wait(o->s, g))
		return;
	snprintf(text, sizeof(text), "waits %s avg",
		 units_ns(number, sizeof(number),
			  (double)g->wait_ns / (double)g->waits));
	words_piece(s, x, 0, 3, ROLE_NORMAL, text);
}

/* How it got into the scheduler, and by which names it is known: the lines
 * used. */
static int draw_origin(struct surface *s, int x, const struct opened *o)
{
	const struct schedule_group *g = o->g;
	const char *name = names_str(o->names, g->source), *alias;
	char text[128];

	if (schedule_side_is_sources(o->s, g->id) || g->id == SCHEDULE_ENDED)
		return 0;
	x = words_piece(s, x, 1, 3, ROLE_LABEL, class_name(g->class));
	for (int i = 0; i < SCHEDULE_VIAS && g->via[i].id; i++) {
		snprintf(text, sizeof(text), "%s%s", i ? "" : "by way of ",
			 names_str(o->names, g->via[i].id));
		x = words_piece(s, x, 1, 2, ROLE_NORMAL, text);
	}
	alias = g->source ? symbol_alias(name) : name;
	if (strcmp(alias, name)) {
		snprintf(text, sizeof(text), "on other kernels %s", alias);
		words_piece(s, x + 1, 1, 0, ROLE_NORMAL, text);
	}
	return 1;
}

static const char *help_of(const struct opened *o)
{
	if (o->g->id == SCHEDULE_SELF)
		return "stalltop's own switches, kept apart so that the rows "
		       "add up to the exact total.";
	if (o->g->id == SCHEDULE_ENDED)
		return "Stacks and tasks that ended and were let go; their "
		       "switches stay counted here.";
	return class_help(o->s->by == BY_TASK ? o->g->via[0].class :
						o->g->class);
}

static size_t clamp_top(size_t top, size_t n, int h)
{
	size_t page = h > 0 ? (size_t)h : 0;

	return top + page <= n ? top : n > page ? n - page : 0;
}

/* Callers and tasks side by side, or below each other when narrow. */
static size_t draw_blocks(struct surface *s, int x, int y, int h,
			  const struct opened *o, size_t top)
{
	struct lines left = { s, x, y, s->w - 2 * x, h, top, 0 };
	struct lines right = left;
	int most;

	if (s->w < BESIDE_MIN) {
		opened_callers(&left, o);
		line_next(&left);
		opened_parts(&left, o);
		opened_wakers(&left, o);
		opened_pipes(&left, o);
		return left.n;
	}
	most = o->wakers.all ? SIDE_WIDTH : SIDE_WIDTH - 18;
	right.w = s->w / 2 + 6 < most ? s->w / 2 + 6 : most;
	left.w = s->w - right.w - 2 * x - 2;
	if (left.w > TREE_WIDTH)
		left.w = TREE_WIDTH;
	right.x = x + left.w + 2;
	opened_callers(&left, o);
	opened_parts(&right, o);
	opened_wakers(&right, o);
	opened_pipes(&right, o);
	return left.n > right.n ? left.n : right.n;
}

static void draw_row(struct surface *s, const struct opened *o,
		     struct rows *rows, size_t *top)
{
	struct surface none = { .w = s->w, .ascii = s->ascii };
	int x = s->w < 40 ? 0 : 1, w = s->w - 2 * x, y, h, words = 0, waits;
	struct histogram ends;

	if (w > WORDS_WIDTH)
		w = WORDS_WIDTH;
	draw_heading(s, x, o, rows);
	y = 2 + draw_origin(s, x, o);
	if (s->h >= 10)
		words = words_draw(&none, 0, 0, w, s->h / 3, ROLE_NORMAL,
				   help_of(o));
	schedule_ends_of(&ends, o->s, o->m, o->g->id);
	waits = opened_waits(&none, x, 0, s->w - 2 * x, (s->h - y) / 2, o,
			     &ends);
	h = s->h - y - words - !!words - waits - !!waits;
	*top = clamp_top(*top, draw_blocks(&none, x, y, h, o, 0), h);
	draw_blocks(s, x, y, h, o, *top);
	opened_waits(s, x, s->h - words - !!words - waits, s->w - 2 * x,
		     waits, o, &ends);
	words_draw(s, x, s->h - words, w, words, ROLE_NORMAL, help_of(o));
}

void schedule_draw_open(struct surface *s, const struct model *m,
			struct view *view)
{
	struct rows own = { 0 }, *rows = view->scratch ? view->scratch : &own;
	struct pane_view *pv = &view->p[view->pane];
	struct opened o = {
		.m = m, .names = m->newer ? m->newer->names : NULL,
		.tree = { .node = rows->node, .cap = rows->capnode },
		.side = { .part = rows->part, .cap = rows->cappart },
	};
	int err;

	rows_reset(rows);
	err = schedule_make(&rows->schedule, m, view->by);
	o.s = rows->schedule;
	if (!err)
		o.g = schedule_find(o.s, pv->open);
	if (!err && o.g)
		err = schedule_tree_make(&o.tree, o.s, m, pv->open);
	if (!err && o.g)
		err = schedule_side_make(&o.side, o.s, m, pv->open);
	if (err) {
		surface_text(s, 1, 0, s->w - 1, ROLE_WARN, "out of memory");
	} else if (!o.g) {
		surface_text(s, 1, 0, s->w - 1, ROLE_MISSING,
			     "no such switch in this window");
	} else {
		wakers_make(&o.wakers, o.s, m, pv->open);
		o.per_s = (double)o.g->w / (double)o.s->w *
			  delta_rate(o.s->switches);
		draw_row(s, &o, rows, &pv->open_top);
	}
	rows->node = o.tree.node;
	rows->capnode = o.tree.cap;
	rows->part = o.side.part;
	rows->cappart = o.side.cap;
	if (rows == &own)
		rows_free(&own);
}
