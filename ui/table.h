/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do rows become a table?  Sorted, filtered, scrolled and drawn by the
 * column table; what the user chose is in the pane_view.
 */
#ifndef TABLE_H
#define TABLE_H

#include "pane.h"
#include "surface.h"
#include "view.h"

struct table {
	const struct column *columns;
	struct rows *rows;		/* ->order is the table's work */
	const struct view *view;	/* ->exact, may be NULL */
	const struct series *series;	/* trends; may be NULL */
	struct pane_view *pv;		/* sort, filter, scroll, selection */
	const char *default_sort;	/* column name; NULL: as given */
	int plain;			/* no selection bar (small blocks) */
};

/*
 * Fill rows->order: what passes the filter (a row passes with its parents),
 * sorted; rows whose [low, high] overlap keep the order of pv->order, which is
 * then renewed.  Updates pv's selection and position.  0 or -ENOMEM.
 */
int table_arrange(struct table *t);
/* Arrange, then draw the header and the rows that fit into x, y, w, h;
 * scrolls so that the selected row is seen.  Returns lines used. */
int table_draw(struct surface *s, int x, int y, int w, int h, struct table *t);

/* The value as text, "-" if absent; exact: all digits, no rounded units. */
char *table_format(char *buf, size_t n, const struct column *c,
		   const struct value *v, int exact);
/* Index of the column sorted by; -1 none. */
int table_sort_column(const struct column *columns, const struct pane_view *pv,
		      const char *default_sort);
int table_find_column(const struct column *columns, const char *name);
int table_is_numeric(const struct column *c);	/* flush right */

#endif
