/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lies over the page: the help screen, the sort picker, and at the bottom
 * the filter prompt or the keys that work here and now?  All made of the key
 * and column tables.
 */
#include <stdio.h>
#include <string.h>
#include "keys.h"
#include "page.h"
#include "pane_at.h"

enum { GAP = 2, LABEL = 16, HINTS = 24 };

/* ---- help ------------------------------------------------------------- */

struct lines {			/* draws those of a long text that show */
	struct surface *s;
	int at, top;		/* line of the text; the first that shows */
};

static void line(struct lines *l, enum role role, const char *label,
		 const char *text)
{
	int y = l->at++ - l->top, w = l->s->w;
	int indent = LABEL + 2 < w / 2 ? LABEL + 2 : w / 2;

	if (!text) {
		surface_text(l->s, 1, y, w - 1, role, label);
		return;
	}
	surface_text(l->s, 2, y, indent - 3, role, label);
	surface_text(l->s, indent, y, w - indent, ROLE_NORMAL, text);
}

static void help_columns(struct lines *l, const struct pane *pane)
{
	const struct column *c = pane->columns;
	char head[64];
	int i;

	if (!c || !c[0].name)
		return;
	line(l, ROLE_NORMAL, "", NULL);
	snprintf(head, sizeof(head), "Columns of %s", pane->title);
	line(l, ROLE_TITLE, head, NULL);
	for (i = 0; i < PANE_COLUMNS && c[i].name; i++)
		line(l, ROLE_KEY, c[i].title, c[i].help ? c[i].help : "");
}

static int help_lines(struct surface *s, int top, const struct pane *pane)
{
	struct lines l = { .s = s, .top = top };
	const struct key *k;

	line(&l, ROLE_TITLE, "Keys", NULL);
	for (k = key_table; k->label; k++)
		if (k->help)
			line(&l, ROLE_KEY, k->label, k->help);
	if (pane)
		help_columns(&l, pane);
	line(&l, ROLE_NORMAL, "", NULL);
	line(&l, ROLE_NORMAL, "\"-\" is a value that is not available; "
	     "0 is a measured zero.", NULL);
	return l.at;
}

void overlay_help(struct surface *s, struct view *v)
{
	const struct pane *pane = pane_at(v->pane);
	struct surface none = { 0 };
	int n = help_lines(&none, 0, pane), last = n > s->h ? n - s->h : 0;

	if (v->help_top > (size_t)last)
		v->help_top = (size_t)last;
	help_lines(s, (int)v->help_top, pane);
}

/* ---- sort ------------------------------------------------------------- */

void overlay_sort(struct surface *s, const struct view *v)
{
	const struct pane *pane = pane_at(v->pane);
	int w = s->w < 60 ? s->w : 60, top = 0, room = s->h - 1, i, y;

	if (!pane || !pane->columns || s->h < 1)
		return;
	if (room < 1)
		room = 1;
	if ((int)v->pick >= room)
		top = (int)v->pick - room + 1;
	surface_fill(s, 0, 0, w, 1, ROLE_HEADER, ' ');
	surface_text(s, 1, 0, w - 1, ROLE_HEADER, "sort by");
	for (i = top; i < PANE_COLUMNS && pane->columns[i].name; i++) {
		const struct column *c = &pane->columns[i];
		enum role role = i == (int)v->pick ? ROLE_SELECTED :
						     ROLE_NORMAL;

		y = s->h > 1 ? 1 + i - top : i - top;
		surface_fill(s, 0, y, w, 1, role, ' ');
		surface_text(s, 1, y, 12, role, c->title);
		surface_text(s, 14, y, w - 15, role, c->help ? c->help : "");
	}
	if (s->h > i - top + 1)
		surface_fill(s, 0, 1 + i - top, w, 1, ROLE_NORMAL, ' ');
}

/* ---- the bottom line -------------------------------------------------- */

static int hint_width(const struct key *k)
{
	return (int)strlen(k->hint);
}

/* The hints for here and now, as many as fit, the least important left out. */
static int hints_chosen(const struct key **hint, unsigned where, int w)
{
	const struct key *k;
	int n = 0, sum = 0, worst, i;

	for (k = key_table; k->label && n < HINTS; k++) {
		if (!k->hint || !(k->where & where))
			continue;
		hint[n++] = k;
		sum += hint_width(k) + GAP;
	}
	while (n && sum - GAP > w) {
		for (worst = n - 1, i = n - 1; i >= 0; i--)
			if (hint[i]->rank > hint[worst]->rank)
				worst = i;
		sum -= hint_width(hint[worst]) + GAP;
		memmove(&hint[worst], &hint[worst + 1],
			(size_t)(--n - worst) * sizeof(*hint));
	}
	return n;
}

static int hint_draw(struct surface *s, int x, int y, const char *hint)
{
	int len = (int)strcspn(hint, "\t"), used;

	used = surface_printf(s, x, y, s->w - x, ROLE_KEY, "%.*s", len, hint);
	if (hint[len])
		used += 1 + surface_text(s, x + used + 1, y, s->w - x - used - 1,
					 ROLE_HINT, hint + len + 1);
	return used;
}

static void hints_draw(struct surface *s, int x, int y, unsigned where)
{
	const struct key *hint[HINTS];
	int n = hints_chosen(hint, where, s->w - x), i;

	for (i = 0; i < n; i++)
		x += GAP + hint_draw(s, x, y, hint[i]->hint);
}

static int filter_state(struct surface *s, int x, int y, const struct view *v)
{
	const struct pane_view *pv = &v->p[v->pane];
	int typing = v->overlay == OVERLAY_FILTER;

	if (typing)
		x += surface_printf(s, x, y, s->w - x, ROLE_KEY, "/%s_",
				    v->input) + GAP;
	else
		x += surface_printf(s, x, y, s->w - x, ROLE_WARN, "\"%s\":",
				    pv->filter) + 1;
	if (pv->filter[0])
		x += surface_printf(s, x, y, s->w - x, ROLE_NORMAL,
				    "%zu of %zu rows match", pv->nrows,
				    pv->ntotal) + GAP;
	return x;
}

void overlay_hints(struct surface *s, int y, const struct view *v)
{
	int x = s->w >= 40;

	if (v->message[0]) {
		surface_text(s, x, y, s->w - x, ROLE_WARN, v->message);
		return;
	}
	if (v->overlay == OVERLAY_FILTER ||
	    (!v->overlay && v->p[v->pane].filter[0]))
		x = filter_state(s, x, y, v);
	hints_draw(s, x, y, key_where(v));
}
