/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a key do?  Nothing here but the view is changed; keys.c says where
 * each may be called.
 */
#include <stdio.h>
#include <string.h>
#include "act.h"
#include "keys.h"
#include "pane_at.h"
#include "present.h"
#include "table.h"
#include "text.h"

#define SECOND	1000000000ull

static const uint64_t windows[] = { SECOND, 10 * SECOND, 60 * SECOND, 0 };
static const uint64_t intervals[] = {
	SECOND / 10, SECOND / 4, SECOND / 2, SECOND, 2 * SECOND, 5 * SECOND,
	10 * SECOND, 30 * SECOND, 60 * SECOND
};

static struct pane_view *view_pane(struct view *v)
{
	return &v->p[v->pane < VIEW_PANES ? v->pane : 0];
}

int act_quit(struct view *v, const struct pane *pane, int key)
{
	(void)v;
	(void)pane;
	(void)key;
	return PRESENT_QUIT;
}

int act_redraw(struct view *v, const struct pane *pane, int key)
{
	(void)v;
	(void)pane;
	(void)key;
	return PRESENT_REDRAW;
}

int act_help(struct view *v, const struct pane *pane, int key)
{
	(void)pane;
	(void)key;
	v->overlay = OVERLAY_HELP;
	v->help_top = 0;
	return PRESENT_REDRAW;
}

int act_leave(struct view *v, const struct pane *pane, int key)
{
	(void)pane;
	(void)key;
	v->overlay = OVERLAY_NONE;
	return PRESENT_REDRAW;
}

/* ---- panes ------------------------------------------------------------ */

int act_hotkey(struct view *v, const struct pane *pane, int key)
{
	const struct pane *p;
	unsigned i;

	(void)pane;
	for (i = 0; i < VIEW_PANES && (p = pane_at(i)); i++) {
		if (p->hotkey != key)
			continue;
		v->pane = i;
		return PRESENT_REDRAW;
	}
	return 0;
}

static int turn(struct view *v, int back)
{
	unsigned n = 0;

	while (n < VIEW_PANES && pane_at(n))
		n++;
	if (n)
		v->pane = (v->pane + (back ? n - 1 : 1)) % n;
	return PRESENT_REDRAW;
}

int act_tab(struct view *v, const struct pane *pane, int key)
{
	(void)pane;
	(void)key;
	return turn(v, 0);
}

int act_back_tab(struct view *v, const struct pane *pane, int key)
{
	(void)pane;
	(void)key;
	return turn(v, 1);
}

/* ---- walking ---------------------------------------------------------- */

/* Where a walking key leads from `at` among n, a page being `page`. */
static size_t walk(int key, size_t at, size_t n, size_t page)
{
	size_t last = n ? n - 1 : 0;

	switch (key) {
	case PRESS_UP:
	case 'k':
		return at ? at - 1 : 0;
	case PRESS_DOWN:
	case 'j':
		return at < last ? at + 1 : last;
	case PRESS_PGUP:
		return at > page ? at - page : 0;
	case PRESS_PGDN:
		return last - at > page ? at + page : last;
	case PRESS_HOME:
	case 'g':
		return 0;
	default:
		return last;
	}
}

static size_t page_of(const struct pane_view *pv)
{
	return pv->page > 0 ? (size_t)pv->page : 1;
}

int act_walk(struct view *v, const struct pane *pane, int key)
{
	enum { MANY = 100000 };		/* who draws cuts it to the end */
	struct pane_view *pv = view_pane(v);

	(void)pane;
	if (v->overlay == OVERLAY_HELP) {
		v->help_top = walk(key, v->help_top, MANY, page_of(pv));
	} else if (pv->opened) {
		pv->open_top = walk(key, pv->open_top, MANY, page_of(pv));
	} else {
		if (pv->position >= pv->nrows)
			pv->position = pv->nrows ? pv->nrows - 1 : 0;
		pv->position = walk(key, pv->position, pv->nrows, page_of(pv));
		pv->selected_set = key == 'g' || key == PRESS_HOME ? 0 : 2;
	}
	return PRESENT_REDRAW;
}

int act_open(struct view *v, const struct pane *pane, int key)
{
	struct pane_view *pv = view_pane(v);

	(void)pane;
	(void)key;
	if (!pv->nrows)
		return 0;
	pv->open = pv->selected;
	pv->selected_set = 1;
	pv->opened = 1;
	pv->open_top = 0;
	return PRESENT_REDRAW;
}

int act_back(struct view *v, const struct pane *pane, int key)
{
	struct pane_view *pv = view_pane(v);

	(void)pane;
	(void)key;
	if (pv->opened)
		pv->opened = 0;
	else
		pv->filter[0] = '\0';
	return PRESENT_REDRAW;
}

/* ---- filter ----------------------------------------------------------- */

int act_filter(struct view *v, const struct pane *pane, int key)
{
	(void)pane;
	(void)key;
	v->overlay = OVERLAY_FILTER;
	memcpy(v->input, view_pane(v)->filter, sizeof(v->input));
	return PRESENT_REDRAW;
}

int act_drop_filter(struct view *v, const struct pane *pane, int key)
{
	(void)pane;
	(void)key;
	v->overlay = OVERLAY_NONE;
	v->input[0] = view_pane(v)->filter[0] = '\0';
	return PRESENT_REDRAW;
}

/* Takes back one character, not one byte. */
int act_rub(struct view *v, const struct pane *pane, int key)
{
	size_t len = strlen(v->input);

	(void)pane;
	while (len && (v->input[len - 1] & 0xc0) == 0x80)
		len--;
	if (len)
		len--;
	v->input[key == PRESS_CTRL_U ? 0 : len] = '\0';
	memcpy(view_pane(v)->filter, v->input, sizeof(v->input));
	return PRESENT_REDRAW;
}

int act_type(struct view *v, const struct pane *pane, int key)
{
	size_t len = strlen(v->input), n;
	char buf[4];

	(void)pane;
	if (key < 0x20 || (key >= 0x7f && key < 0xa0) || key >= PRESS_UP)
		return 0;
	n = text_encode(buf, (uint32_t)key);
	if (len + n >= sizeof(v->input))
		return 0;
	memcpy(v->input + len, buf, n);
	v->input[len + n] = '\0';
	memcpy(view_pane(v)->filter, v->input, sizeof(v->input));
	return PRESENT_REDRAW;
}

/* ---- sort ------------------------------------------------------------- */

static void sort_by(struct view *v, const struct pane *pane, size_t column)
{
	struct pane_view *pv = view_pane(v);

	snprintf(pv->sort, sizeof(pv->sort), "%s", pane->columns[column].name);
	pv->reverse = 0;
	pv->norder = 0;		/* no former order under another key */
}

static int sort_column(struct view *v, const struct pane *pane)
{
	return table_sort_column(pane->columns, view_pane(v),
				 pane->default_sort);
}

/* The next column that can be sorted by, going left or right; or `at`. */
static int next_column(const struct column *columns, int at, int step)
{
	int i;

	for (i = at + step; i >= 0 && i < PANE_COLUMNS && columns[i].name;
	     i += step)
		if (columns[i].form != FORM_TREND)
			return i;
	return at;
}

int act_sort(struct view *v, const struct pane *pane, int key)
{
	int at = sort_column(v, pane);

	(void)key;
	v->overlay = OVERLAY_SORT;
	v->pick = at > 0 ? (size_t)at : 0;
	return PRESENT_REDRAW;
}

int act_pick(struct view *v, const struct pane *pane, int key)
{
	int step = key == PRESS_UP || key == 'k' ? -1 : 1;

	v->pick = (size_t)next_column(pane->columns, (int)v->pick, step);
	return PRESENT_REDRAW;
}

int act_picked(struct view *v, const struct pane *pane, int key)
{
	(void)key;
	v->overlay = OVERLAY_NONE;
	sort_by(v, pane, v->pick);
	return PRESENT_REDRAW;
}

int act_sort_next(struct view *v, const struct pane *pane, int key)
{
	int at = sort_column(v, pane);
	int to = next_column(pane->columns, at, key == '<' ? -1 : 1);

	if (to >= 0 && to != at)
		sort_by(v, pane, (size_t)to);
	return PRESENT_REDRAW;
}

int act_reverse(struct view *v, const struct pane *pane, int key)
{
	struct pane_view *pv = view_pane(v);

	(void)pane;
	(void)key;
	pv->reverse = !pv->reverse;
	pv->norder = 0;
	return PRESENT_REDRAW;
}

/* ---- time ------------------------------------------------------------- */

int act_window(struct view *v, const struct pane *pane, int key)
{
	size_t i = 0, n = sizeof(windows) / sizeof(*windows);

	(void)pane;
	(void)key;
	if (v->window_ns)
		while (i + 1 < n && windows[i] <= v->window_ns)
			i++;
	v->window_ns = windows[i];
	return PRESENT_REDRAW | PRESENT_WINDOW;
}

int act_interval(struct view *v, const struct pane *pane, int key)
{
	size_t i = 0, n = sizeof(intervals) / sizeof(*intervals);

	(void)pane;
	if (key == '-') {
		while (i + 1 < n && intervals[i + 1] < v->interval_ns)
			i++;
	} else {
		while (i + 1 < n && intervals[i] <= v->interval_ns)
			i++;
	}
	v->interval_ns = intervals[i];
	return PRESENT_REDRAW;
}

int act_pause(struct view *v, const struct pane *pane, int key)
{
	(void)pane;
	(void)key;
	v->paused = !v->paused;
	v->step = 0;
	return PRESENT_REDRAW | PRESENT_SEEK;
}

int act_step(struct view *v, const struct pane *pane, int key)
{
	uint64_t each = v->interval_ns ? v->interval_ns : SECOND;
	int many = key == '{' || key == '}', n;

	(void)pane;
	n = many && each < 60 * SECOND ? (int)(60 * SECOND / each) : 1;
	v->step += key == '[' || key == '{' ? -n : n;
	v->paused = 1;
	return PRESENT_REDRAW | PRESENT_SEEK;
}

int act_pipe_bytes(struct view *v, const struct pane *pane, int key)
{
	(void)pane;
	(void)key;
	v->ask_pipe_bytes = 1;
	return PRESENT_REDRAW;
}

int act_by(struct view *v, const struct pane *pane, int key)
{
	struct pane_view *pv = view_pane(v);

	(void)pane;
	(void)key;
	v->by = (v->by + 1) % BY_COUNT;
	pv->selected_set = 0;		/* other rows, other ids */
	pv->norder = 0;
	pv->top = 0;
	return PRESENT_REDRAW;
}
