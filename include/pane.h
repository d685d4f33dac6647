/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a pane show?  A pure function of (model, view, size) to cells,
 * and of (model, view) to rows; the same rows serve the screen, batch text
 * and JSON.
 */
#ifndef PANE_H
#define PANE_H

#include <stdint.h>
#include "model.h"
#include "surface.h"
#include "view.h"

enum value_kind { VALUE_ABSENT, VALUE_U64, VALUE_REAL, VALUE_TEXT, VALUE_TREND };
enum column_form {		/* how a number is written */
	FORM_TEXT, FORM_COUNT, FORM_NS, FORM_BYTES, FORM_SHARE, FORM_PLUS_MINUS,
	FORM_DEPTH /* 7.2 */, FORM_TREND, FORM_ID
};

struct column {
	const char *name;	/* in JSON, --sort: "share" */
	const char *title;	/* "SHARE" */
	const char *help;	/* one sentence with the unit */
	uint8_t width, grow;	/* least columns, 0: in JSON only; grow > 0
				 * takes what is left, in proportion */
	uint8_t drop;		/* 0 never; the highest is dropped first */
	uint8_t form;		/* enum column_form */
	int8_t order;		/* default direction of sort: -1 falling */
};

enum { PANE_COLUMNS = 16 };

struct value {
	enum value_kind kind;
	uint64_t u;		/* VALUE_U64; of TREND: row of series_source */
	double r;		/* VALUE_REAL */
	const char *text;	/* VALUE_TEXT; of ABSENT: the reason or NULL */
};

struct row {
	uint64_t id;		/* stable from frame to frame */
	uint8_t depth, role;	/* tree indent; enum role, 0 normal */
	double low, high;	/* interval of the sort key: rows whose
				 * intervals overlap keep their order */
	struct value v[PANE_COLUMNS];
};

struct rows {			/* reused from frame to frame */
	struct row *row;
	size_t n, cap;
	char *text;		/* arena of the texts: rows_text() */
	size_t ntext, captext;
	int err;		/* -ENOMEM: rows are missing */
	uint32_t *order;	/* the rows shown, sorted and filtered: */
	size_t norder, caporder;	/* table_arrange() */
	struct schedule *schedule;	/* the Schedule pane's, reused: each a */
	struct schedule_node *node;	/* block that rows_free() frees; node, */
	struct schedule_part *part;	/* part are of the opened row, */
	struct schedule_end *end;	/* end of the histograms of waits */
	size_t capnode, cappart, capend;
};

struct pane {
	const char *name, *title;	/* "schedule", "Schedule" */
	int hotkey;			/* '2' */
	const struct column *columns;	/* ended by name == NULL */
	/* Fill rows, unsorted, unfiltered; 0 or -errno. */
	int (*rows)(const struct model *, const struct view *, struct rows *);
	/* Draw into all of *s; of one line: the totals above the table. */
	void (*draw)(struct surface *s, const struct model *, struct view *);
	/* Optional: the opened row view->open; as draw. */
	void (*draw_open)(struct surface *s, const struct model *,
			  struct view *);
	const char *default_sort;
};

extern const struct pane *const pane_table[];	/* NULL ended */

#endif
