/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does the user look at it now?  All the state that keys change; panes
 * read it and keep their scroll and selection in it.
 */
#ifndef VIEW_H
#define VIEW_H

#include <stddef.h>
#include <stdint.h>

enum { VIEW_PANES = 8, VIEW_FILTER = 64 };
enum view_by { BY_SOURCE, BY_STACK, BY_TASK, BY_COUNT };
enum view_overlay { OVERLAY_NONE, OVERLAY_HELP, OVERLAY_FILTER, OVERLAY_SORT };

struct rows;

struct pane_view {		/* one per pane */
	uint64_t selected;	/* row id */
	int selected_set;	/* 0: the first row; 2: the row at position,
				 * the table sets selected and 1 */
	size_t top;		/* first row drawn */
	size_t position;	/* of the selected row, kept by the table */
	size_t nrows;		/* rows at the last draw */
	int page;		/* rows that fit at the last draw */
	char sort[24];		/* column name, "" = the pane's default */
	int reverse;
	char filter[VIEW_FILTER];
	uint64_t open;		/* row id, when opened */
	int opened;
	size_t open_top;	/* scroll of the opened row */
	uint64_t order[64];	/* row ids as drawn last: no dancing rows */
	size_t norder;
	size_t ntotal;		/* rows before the filter at the last draw */
};

struct view {
	unsigned pane;		/* index in pane_table */
	struct pane_view p[VIEW_PANES];
	enum view_by by;
	enum view_overlay overlay;
	size_t help_top;
	size_t pick;		/* OVERLAY_SORT: column under the cursor */
	char input[VIEW_FILTER];	/* OVERLAY_FILTER: text being typed */
	uint64_t window_ns;	/* 0 = all */
	uint64_t interval_ns;
	int paused;
	uint64_t seq;		/* cursor when paused, else 0 = newest */
	int step;		/* samples to move the cursor, the loop clears */
	int live;		/* source is live */
	int exact;		/* batch: all digits, every row */
	int ascii;
	uint64_t max_rows;	/* batch: 0 = all */
	char message[160];	/* one-line answer to the last key, "" none */
	struct rows *scratch;	/* for draw, reused; NULL allocates */
	uint64_t behind_ns;	/* paused: the shown sample's age */
	int ask_pipe_bytes;	/* a key asks to begin or end their count: the
				 * loop answers in message, and clears it */
};

#endif
