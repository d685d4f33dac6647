/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With which view does a run begin?
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pane_at.h"
#include "present.h"
#include "rows.h"
#include "table.h"
#include "view_check.h"

int pane_find(const char *name)
{
	const struct pane *pane;
	unsigned i;

	for (i = 0; (pane = pane_at(i)) && i < VIEW_PANES; i++)
		if (!strcmp(pane->name, name))
			return (int)i;
	return -1;
}

void pane_list(FILE *f)
{
	const struct pane *pane;
	unsigned i;

	for (i = 0; (pane = pane_at(i)); i++)
		fprintf(f, "%s%s", i ? ", " : "", pane->name);
}

static int has_column(const struct pane *pane, const char *name)
{
	return pane->columns && table_find_column(pane->columns, name) >= 0;
}

static void column_list(FILE *f, const struct pane *pane)
{
	int i;

	for (i = 0; i < PANE_COLUMNS && pane->columns &&
	     pane->columns[i].name; i++)
		fprintf(f, "%s%s", i ? ", " : "", pane->columns[i].name);
}

int view_check(const struct options *opt)
{
	int i = opt->pane ? pane_find(opt->pane) : 0;
	const struct pane *pane = i < 0 ? NULL : pane_at((unsigned)i);

	if (opt->pane && opt->batch && !strcmp(opt->pane, "raw"))
		return 0;
	if (!pane) {
		fprintf(stderr, "stalltop: --pane %s: no such pane; one of ",
			opt->pane ? opt->pane : "overview");
		pane_list(stderr);
		fprintf(stderr, "%s\n", opt->batch ? ", raw" : "");
		return 2;
	}
	if (opt->sort && (opt->pane || opt->batch) &&
	    !has_column(pane, opt->sort)) {
		fprintf(stderr, "stalltop: --sort %s: no such column in the "
			"pane %s; one of ", opt->sort, pane->name);
		column_list(stderr, pane);
		fputc('\n', stderr);
		return 2;
	}
	return 0;
}

void view_init(struct view *v, const struct options *opt)
{
	const struct pane *pane;
	int first = opt->pane ? pane_find(opt->pane) : 0;
	unsigned i;

	memset(v, 0, sizeof(*v));
	v->pane = first > 0 ? (unsigned)first : 0;
	v->window_ns = opt->window_ns;
	v->interval_ns = opt->interval_ns;
	v->live = 1;
	v->exact = opt->batch;
	v->ascii = opt->ascii;
	v->max_rows = opt->rows;
	v->scratch = calloc(1, sizeof(*v->scratch));
	for (i = 0; i < VIEW_PANES && (pane = pane_at(i)); i++) {
		if (opt->filter)
			snprintf(v->p[i].filter, sizeof(v->p[i].filter), "%s",
				 opt->filter);
		if (opt->sort && has_column(pane, opt->sort))
			snprintf(v->p[i].sort, sizeof(v->p[i].sort), "%s",
				 opt->sort);
	}
}

void view_free(struct view *v)
{
	if (v->scratch)
		rows_free(v->scratch);
	free(v->scratch);
	v->scratch = NULL;
}
