/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What gets how much room?  Pure functions of sizes and the column table,
 * never of contents, so that nothing moves from frame to frame.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "pane.h"

enum { LAYOUT_GAP = 2 };	/* blank columns between two columns */

struct layout_column {
	int x, w;		/* w 0: dropped */
};

/*
 * Places of the columns in w cells.  A column of width 0 is for JSON alone.
 * Columns with the highest `drop` go first,
 * of equals the rightmost; then the name (the first text column) is cut, then
 * those with drop 0 go.  The name and `keep` (an index, or -1) always stay.
 * Returns cells used, <= w.  `at` has PANE_COLUMNS entries.
 */
int layout_columns(const struct column *columns, int keep, int w,
		   struct layout_column *at);
/* Cells all columns want at their least width. */
int layout_wanted(const struct column *columns);
int layout_count(const struct column *columns);

struct layout_page {		/* rows of the page, -1 = not there */
	int status, headline, tabs, rule, pane, foot, hint;
	int pane_h;		/* 0 when pane is -1 */
};

void layout_page(int w, int h, struct layout_page *at);

#endif
