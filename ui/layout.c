/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What gets how much room?
 *
 * Invariants, for every width and height from 0 on: no negative width, no cell
 * outside, no two columns or areas that overlap, and one cell more never takes
 * a column away.
 */
#include <string.h>
#include "layout.h"

enum { NAME_LEAST = 8 };

int layout_count(const struct column *columns)
{
	int n = 0;

	while (n < PANE_COLUMNS && columns[n].name)
		n++;
	return n;
}

/* The column that names the row: the first of text, else the first. */
static int name_column(const struct column *columns, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (columns[i].form == FORM_TEXT && columns[i].width)
			return i;
	return 0;
}

static int width_of(const struct layout_column *at, int n)
{
	int sum = 0, i;

	for (i = 0; i < n; i++)
		if (at[i].w)
			sum += at[i].w + (sum ? LAYOUT_GAP : 0);
	return sum;
}

/* The one to go next; -1 if only what must stay is left. */
static int next_drop(const struct column *columns, int n, int name, int keep,
		     const struct layout_column *at)
{
	int found = -1, most = 0, i;

	for (i = n - 1; i >= 0; i--) {
		if (!at[i].w || i == name || i == keep)
			continue;
		if (columns[i].drop > most) {
			most = columns[i].drop;
			found = i;
		}
	}
	return found;
}

/* What does not drop by itself: first the name is cut to NAME_LEAST, then
 * the other columns go from the right, last the name shrinks to nothing. */
static void squeeze(int n, int name, int keep, int w, struct layout_column *at)
{
	int over = width_of(at, n) - w, i;

	if (over > 0 && at[name].w > NAME_LEAST) {
		at[name].w -= over;
		if (at[name].w < NAME_LEAST)
			at[name].w = NAME_LEAST;
	}
	for (i = n - 1; i >= 0 && width_of(at, n) > w; i--)
		if (i != name && i != keep)
			at[i].w = 0;
	over = width_of(at, n) - w;
	if (over > 0)
		at[name].w = at[name].w > over ? at[name].w - over : 1;
}

static void grow(const struct column *columns, int n, int spare,
		 struct layout_column *at)
{
	int shares = 0, given = 0, i, add;

	for (i = 0; i < n; i++)
		if (at[i].w)
			shares += columns[i].grow;
	if (!shares || spare <= 0)
		return;
	for (i = 0; i < n; i++) {
		if (!at[i].w || !columns[i].grow)
			continue;
		add = (int)((long long)spare * columns[i].grow / shares);
		at[i].w += add;
		given += add;
	}
	for (i = 0; i < n && given < spare; i++) {
		if (at[i].w && columns[i].grow) {
			at[i].w++;
			given++;
		}
	}
}

/* Set x; cut at the right edge what could not be dropped. */
static int place(int n, int w, struct layout_column *at)
{
	int x = 0, end = 0, i;

	for (i = 0; i < n; i++) {
		if (!at[i].w)
			continue;
		if (x >= w) {
			at[i].w = 0;
			continue;
		}
		at[i].x = x;
		if (at[i].w > w - x)
			at[i].w = w - x;
		end = x + at[i].w;
		x = end + LAYOUT_GAP;
	}
	return end;
}

int layout_columns(const struct column *columns, int keep, int w,
		   struct layout_column *at)
{
	int n = layout_count(columns), name = name_column(columns, n);
	int i;

	memset(at, 0, PANE_COLUMNS * sizeof(*at));
	for (i = 0; i < n; i++)
		at[i].w = columns[i].width;
	while (width_of(at, n) > w) {
		i = next_drop(columns, n, name, keep, at);
		if (i < 0)
			break;
		at[i].w = 0;
	}
	squeeze(n, name, keep, w, at);
	grow(columns, n, w - width_of(at, n), at);
	return place(n, w, at);
}

int layout_wanted(const struct column *columns)
{
	struct layout_column at[PANE_COLUMNS] = { 0 };
	int n = layout_count(columns), i;

	for (i = 0; i < n; i++)
		at[i].w = columns[i].width;
	return width_of(at, n);
}

/*
 * From the top: status, headline, tabs, rule, pane; at the bottom a rule and
 * the hints.  Below 40x8 only the headline and the pane stay.
 */
void layout_page(int w, int h, struct layout_page *at)
{
	int y = 0, small = w < 40 || h < 8;

	memset(at, 0xff, sizeof(*at));		/* all -1 */
	if (!small)
		at->status = y++;
	if (h > 1)
		at->headline = y++;
	if (!small)
		at->tabs = y++;
	if (!small && h >= 16)
		at->rule = y++;
	at->pane = y;
	at->pane_h = h - y;
	if (!small) {
		at->hint = h - 1;
		at->pane_h--;
	}
	if (!small && h >= 16) {
		at->foot = h - 2;
		at->pane_h--;
	}
	if (at->pane_h <= 0) {
		at->pane = -1;
		at->pane_h = 0;
	}
}
