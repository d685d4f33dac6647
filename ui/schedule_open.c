// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is behind one row of the Schedule pane?
 *
 * Left the callers as a tree, merged from all stacks of the row, from the
 * source outwards; right the tasks, by task the sources; below what the class
 * of wait means.  What is below 3 % of the row is folded into "other".
 */
#include "pane_schedule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"
#include "schedule_side.h"
#include "schedule_tree.h"
#include "units.h"
#include "words.h"

#define FOLD_SHARE 0.03

/* Wide enough for both blocks side by side; columns of the right one. */
enum { BESIDE_MIN = 76, SIDE_WIDTH = 60, TREE_WIDTH = 90, WORDS_WIDTH = 100 };

struct opened {			/* what is behind the row, and how surely */
	struct schedule *s;
	const struct schedule_group *g;
	struct schedule_tree tree;
	struct schedule_side side;
	const struct names *names;
	double per_s;		/* of the row; NAN unknown */
};

/* ---- lines ------------------------------------------------------------------- */

struct lines {			/* a column of lines, scrolled */
	struct surface *s;
	int x, y, w, h;
	size_t skip, n;		/* lines above the first; lines in all */
};

/* The row of the next line, -1 when it is scrolled or cut away. */
static int line_next(struct lines *l)
{
	size_t i = l->n++;

	if (i < l->skip || i - l->skip >= (size_t)(l->h > 0 ? l->h : 0))
		return -1;
	return l->y + (int)(i - l->skip);
}

static void line_text(struct lines *l, enum role role, const char *text)
{
	int y = line_next(l);

	if (y < 0)
		return;
	surface_fill(l->s, l->x, y, l->w, 1, role, ' ');
	surface_text(l->s, l->x, y, l->w, role, text);
}

static void share_text(char *buf, size_t n, double share)
{
	if (isnan(share))
		snprintf(buf, n, "-");
	else if (share > 0 && share < .005)
		snprintf(buf, n, "<1%%");
	else
		snprintf(buf, n, "%.0f%%", 100 * share);
}

/* ---- callers, as a tree -------------------------------------------------------- */

static void draw_caller(struct lines *l, int depth, double share,
			const char *name)
{
	int y = line_next(l), x = l->x + 6 + 2 * depth, most = l->x + l->w / 2;
	char buf[16];

	if (y < 0)
		return;
	share_text(buf, sizeof(buf), share);
	surface_right(l->s, l->x, y, 4, ROLE_NORMAL, buf);
	if (x > most)
		x = most;
	if (depth)
		surface_text(l->s, x - 2, y, 2, ROLE_RULE, "└");
	surface_text(l->s, x, y, l->x + l->w - x, ROLE_NORMAL, name);
}

/* The next child in falling order of weight after the one numbered `after`. */
static uint32_t next_heaviest(const struct schedule_tree *t, uint32_t parent,
			      uint32_t after)
{
	uint64_t last = after ? t->node[after].w : UINT64_MAX;
	uint32_t best = TREE_NONE;

	for (uint32_t i = t->node[parent].child; i; i = t->node[i].next) {
		uint64_t w = t->node[i].w;

		if (w > last || (after && w == last && i <= after))
			continue;
		if (!best || w > t->node[best].w ||
		    (w == t->node[best].w && i < best))
			best = i;
	}
	return best;
}

/* At most 33 children have 3 % each, so picking the heaviest is cheap. */
static void draw_callers(struct lines *l, const struct opened *o,
			 uint32_t parent, int depth)
{
	const struct schedule_tree *t = &o->tree;
	double all = (double)t->node[TREE_ROOT].w;
	uint64_t rest = 0;
	uint32_t i = TREE_NONE;

	for (uint32_t c = t->node[parent].child; c; c = t->node[c].next)
		rest += t->node[c].w;
	while ((i = next_heaviest(t, parent, i)) != TREE_NONE) {
		double share = (double)t->node[i].w / all;

		if (!(share >= FOLD_SHARE))
			break;
		rest -= t->node[i].w;
		draw_caller(l, depth, share,
			    names_str(o->names, t->node[i].symbol));
		draw_callers(l, o, i, depth + 1);
	}
	if (rest && all > 0)
		draw_caller(l, depth, (double)rest / all, "other");
}

static void draw_tree(struct lines *l, const struct opened *o)
{
	double all = (double)o->side.w;
	char buf[64] = "CALLERS, share";
	size_t len = strlen(buf);

	if (all > 0 && !o->s->exact)
		snprintf(buf + len, sizeof(buf) - len, " ±%.1f or less",
			 100 * wilson_reach_max(all, (double)o->side.w2));
	line_text(l, ROLE_HEADER, buf);
	if (!o->tree.node[TREE_ROOT].child)
		line_text(l, ROLE_MISSING, "no callers in these stacks");
	draw_callers(l, o, TREE_ROOT, 0);
}

/* ---- tasks or sources -------------------------------------------------------- */

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

/* The numbers of a part stand flush right: share, interval, rate, wait. */
static void draw_numbers(struct lines *l, int y, enum role role, bool waits,
			 const char *const v[4])
{
	static const int width[4] = { 6, 4, 6, 8 };
	int x = l->x + l->w - (waits ? 30 : 20);

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
	bool waits = schedule_has_wait(o->s, o->g);
	char name[96], pct[16], half[16] = "0", rate[16], wait[16];
	int y = line_next(l);

	if (y < 0)
		return;
	part_name(name, sizeof(name), o, p);
	surface_text(l->s, l->x, y, l->w - (waits ? 32 : 22), ROLE_NORMAL,
		     name);
	if (all > 0 && !o->s->exact) {
		wilson_interval((double)p->w, all, (double)o->side.w2, &low,
				&high);
		snprintf(half, sizeof(half), "%.1f",
			 100 * wilson_reach(share, low, high));
	}
	units_percent(pct, sizeof(pct), share);
	units_count(rate, sizeof(rate), share * o->per_s);
	units_ns(wait, sizeof(wait), p->waits ? (double)p->wait_ns /
		 (double)p->waits : NAN);
	draw_numbers(l, y, ROLE_NORMAL, waits,
		     (const char *[]){ pct, half, rate, wait });
}

static void draw_side(struct lines *l, const struct opened *o)
{
	static const char *const title[] = { "SHARE", "±", "/s", "WAIT avg" };
	int y = line_next(l);

	if (y >= 0) {
		surface_fill(l->s, l->x, y, l->w, 1, ROLE_HEADER, ' ');
		surface_text(l->s, l->x, y, l->w - 22, ROLE_HEADER,
			     schedule_side_is_sources(o->s, o->g->id) ?
			     "SOURCES" : "TASKS");
		draw_numbers(l, y, ROLE_HEADER, schedule_has_wait(o->s, o->g),
			     title);
	}
	for (size_t i = 0; i < o->side.n; i++)
		if (o->side.part[i].w || o->side.part[i].waits)
			draw_part(l, o, &o->side.part[i]);
}

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

	if (s->w < BESIDE_MIN) {
		draw_tree(&left, o);
		line_next(&left);
		draw_side(&left, o);
		return left.n;
	}
	right.w = s->w / 2 + 6 < SIDE_WIDTH ? s->w / 2 + 6 : SIDE_WIDTH;
	left.w = s->w - right.w - 2 * x - 2;
	if (left.w > TREE_WIDTH)
		left.w = TREE_WIDTH;
	right.x = x + left.w + 2;
	draw_tree(&left, o);
	draw_side(&right, o);
	return left.n > right.n ? left.n : right.n;
}

static void draw_row(struct surface *s, const struct opened *o,
		     struct rows *rows, size_t *top)
{
	struct surface none = { .w = s->w, .ascii = s->ascii };
	int x = s->w < 40 ? 0 : 1, w = s->w - 2 * x, y, h, words = 0;

	if (w > WORDS_WIDTH)
		w = WORDS_WIDTH;
	draw_heading(s, x, o, rows);
	y = 2 + draw_origin(s, x, o);
	if (s->h >= 10)
		words = words_draw(&none, 0, 0, w, s->h / 3, ROLE_NORMAL,
				   help_of(o));
	h = s->h - y - words - !!words;
	*top = clamp_top(*top, draw_blocks(&none, x, y, h, o, 0), h);
	draw_blocks(s, x, y, h, o, *top);
	words_draw(s, x, s->h - words, w, words, ROLE_NORMAL, help_of(o));
}

void schedule_draw_open(struct surface *s, const struct model *m,
			struct view *view)
{
	struct rows own = { 0 }, *rows = view->scratch ? view->scratch : &own;
	struct pane_view *pv = &view->p[view->pane];
	struct opened o = {
		.names = m->newer ? m->newer->names : NULL,
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
