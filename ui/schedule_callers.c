// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who called the functions of an opened row?  A column of lines, and the tree
 * in it; what is below 3 % of the row is folded into "other".
 */
#include "schedule_opened.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "units.h"

#define FOLD_SHARE 0.03

int line_next(struct lines *l)
{
	size_t i = l->n++;

	if (i < l->skip || i - l->skip >= (size_t)(l->h > 0 ? l->h : 0))
		return -1;
	return l->y + (int)(i - l->skip);
}

void line_text(struct lines *l, enum role role, const char *text)
{
	int y = line_next(l);

	if (y < 0)
		return;
	surface_fill(l->s, l->x, y, l->w, 1, role, ' ');
	surface_text(l->s, l->x, y, l->w, role, text);
}

void line_share(char *buf, size_t n, double share)
{
	if (isnan(share))
		snprintf(buf, n, "-");
	else if (share > 0 && share < .005)
		snprintf(buf, n, "<1%%");
	else
		snprintf(buf, n, "%.0f%%", 100 * share);
}

static void draw_caller(struct lines *l, int depth, double share,
			const char *name)
{
	int y = line_next(l), x = l->x + 6 + 2 * depth, most = l->x + l->w / 2;
	char buf[16];

	if (y < 0)
		return;
	line_share(buf, sizeof(buf), share);
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

void opened_callers(struct lines *l, const struct opened *o)
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
