/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which order do the rows of a table stand, and which of them?
 *
 * Invariants: a tree stays a tree, each row below its parent.  Absent values
 * stand last whichever way the sort goes.  Rows do not dance: two neighbours
 * change places only when their intervals no longer overlap.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "table.h"

enum { NO_PARENT = 0xffffffff };

struct sort {
	const struct row *row;
	const uint32_t *parent;
	int column, sign;	/* column -1: as given */
	const struct pane_view *pv;
};

static int order_room(struct rows *r)
{
	uint32_t *order;

	if (2 * r->n <= r->caporder)
		return 0;
	order = reallocarray(r->order, 2 * r->cap, sizeof(*order));
	if (!order)
		return -ENOMEM;
	r->order = order;
	r->caporder = 2 * r->cap;
	return 0;
}

/* parent[i] of rows in tree order, from their depths; a row that stands
 * deeper than its parent's children is one of them. */
static void find_parents(struct rows *r, uint32_t *parent)
{
	uint32_t i, p;

	for (i = 0; i < r->n; i++) {
		p = i ? i - 1 : NO_PARENT;
		while (p != NO_PARENT && r->row[p].depth >= r->row[i].depth)
			p = parent[p];
		parent[i] = p;
		r->row[i].depth = p == NO_PARENT ? 0 : r->row[p].depth + 1;
	}
}

static int row_matches(const struct row *row, const struct column *columns,
		       const char *filter)
{
	int i;

	for (i = 0; i < PANE_COLUMNS && columns[i].name; i++)
		if (row->v[i].kind == VALUE_TEXT && row->v[i].text &&
		    strcasestr(row->v[i].text, filter))
			return 1;
	return 0;
}

/* A row passes itself, for a parent above or for a child below it. */
static void filter_rows(struct table *t, const uint32_t *parent)
{
	struct rows *r = t->rows;
	uint32_t *pass = r->order, i;

	for (i = 0; i < r->n; i++) {
		pass[i] = row_matches(&r->row[i], t->columns, t->pv->filter);
		if (parent[i] != NO_PARENT)
			pass[i] |= pass[parent[i]];
	}
	for (i = (uint32_t)r->n; i-- > 0;)
		if (pass[i] && parent[i] != NO_PARENT)
			pass[parent[i]] |= 2;
	for (i = 0; i < r->n; i++)
		if (pass[i])
			r->order[r->norder++] = i;
}

static int is_absent(const struct value *v)
{
	return v->kind == VALUE_ABSENT || v->kind == VALUE_TREND ||
	       (v->kind == VALUE_REAL && isnan(v->r)) ||
	       (v->kind == VALUE_TEXT && !v->text);
}

static int compare_values(const struct value *a, const struct value *b)
{
	double x, y;

	if (a->kind == VALUE_TEXT && b->kind == VALUE_TEXT)
		return strcmp(a->text, b->text);
	if (a->kind == VALUE_TEXT || b->kind == VALUE_TEXT)
		return a->kind == VALUE_TEXT ? -1 : 1;
	if (a->kind == VALUE_U64 && b->kind == VALUE_U64)
		return a->u < b->u ? -1 : a->u > b->u;
	x = a->kind == VALUE_U64 ? (double)a->u : a->r;
	y = b->kind == VALUE_U64 ? (double)b->u : b->r;
	return x < y ? -1 : x > y;
}

/* Two rows by the sort column alone. */
static int compare_keys(const struct sort *s, const struct row *a,
			const struct row *b)
{
	const struct value *x, *y;

	if (s->column < 0)
		return 0;
	x = &a->v[s->column];
	y = &b->v[s->column];
	if (is_absent(x) || is_absent(y))
		return is_absent(x) - is_absent(y);
	return s->sign * compare_values(x, y);
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct sort *s = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	int order;

	/* Up to two siblings; a row stands below its own ancestor. */
	while (s->row[i].depth > s->row[j].depth && s->parent[i] != j)
		i = s->parent[i];
	while (s->row[j].depth > s->row[i].depth && s->parent[j] != i)
		j = s->parent[j];
	if (s->parent[i] == j)
		return 1;
	if (s->parent[j] == i)
		return -1;
	while (s->parent[i] != s->parent[j]) {
		i = s->parent[i];
		j = s->parent[j];
	}
	order = compare_keys(s, &s->row[i], &s->row[j]);
	return order ? order : i < j ? -1 : i > j;
}

/* Where the row stood in the last frame. */
static size_t former_place(const struct pane_view *pv, uint64_t id)
{
	size_t i = 0;

	while (i < pv->norder && pv->order[i] != id)
		i++;
	return i;
}

/* Is this interval one of the column sorted by? */
static int has_interval(const struct row *row, const struct value *v)
{
	double x = v->kind == VALUE_U64 ? (double)v->u : v->r;

	return (v->kind == VALUE_U64 || v->kind == VALUE_REAL) &&
	       row->high > row->low && x >= row->low && x <= row->high;
}

static int may_keep(const struct sort *s, const struct row *a,
		    const struct row *b)
{
	if (s->column < 0)
		return 0;
	if (!compare_keys(s, a, b))
		return 1;
	return has_interval(a, &a->v[s->column]) &&
	       has_interval(b, &b->v[s->column]) && a->low <= b->high &&
	       b->low <= a->high;
}

static void reverse(uint32_t *v, size_t from, size_t to)
{
	uint32_t keep;

	while (to > from + 1) {
		keep = v[from];
		v[from++] = v[--to];
		v[to] = keep;
	}
}

static size_t block_end(const struct sort *s, const uint32_t *order, size_t at,
			size_t end)
{
	size_t to = at + 1;

	while (to < end && s->row[order[to]].depth > s->row[order[at]].depth)
		to++;
	return to;
}

/* The sibling before `at` in from.., or `at` if it is the first. */
static size_t sibling_before(const struct sort *s, const uint32_t *order,
			     size_t from, size_t at)
{
	size_t p = at;

	while (p > from) {
		p--;
		if (s->row[order[p]].depth <= s->row[order[at]].depth)
			return p;
	}
	return at;
}

/* Move each row, its children with it, back up to its former place as far as
 * the rows in between are not surely larger. */
static void settle(const struct sort *s, uint32_t *order, size_t from,
		   size_t to)
{
	size_t at, end, p, i, stop;

	for (at = from; at < to && at < sizeof(s->pv->order) / 8; at = end) {
		end = block_end(s, order, at, to);
		settle(s, order, at + 1, end);
		for (i = at, stop = end; i > from; stop = p + (stop - i), i = p) {
			const struct row *b = &s->row[order[i]], *a;

			p = sibling_before(s, order, from, i);
			a = &s->row[order[p]];
			if (p == i || !may_keep(s, a, b) ||
			    former_place(s->pv, b->id) >=
			    former_place(s->pv, a->id))
				break;
			reverse(order, p, i);
			reverse(order, i, stop);
			reverse(order, p, stop);
		}
	}
}

static void keep_order(struct pane_view *pv, const struct rows *r)
{
	size_t max = sizeof(pv->order) / sizeof(*pv->order);

	pv->norder = r->norder < max ? r->norder : max;
	for (size_t i = 0; i < pv->norder; i++)
		pv->order[i] = r->row[r->order[i]].id;
}

/* The selection follows the row; if that has gone, it stays in its place. */
static void find_selected(struct pane_view *pv, const struct rows *r)
{
	size_t i = 0;

	pv->nrows = r->norder;
	pv->ntotal = r->n;
	if (!r->norder)
		return;
	if (!pv->selected_set)
		pv->position = 0;
	while (i < r->norder && r->row[r->order[i]].id != pv->selected)
		i++;
	if (pv->selected_set == 1 && i < r->norder)
		pv->position = i;
	if (pv->position >= r->norder)
		pv->position = r->norder - 1;
	if (pv->selected_set)
		pv->selected_set = 1;
	pv->selected = r->row[r->order[pv->position]].id;
}

int table_arrange(struct table *t)
{
	struct rows *r = t->rows;
	struct sort s = { .row = r->row, .pv = t->pv };
	uint32_t *parent, i;

	r->norder = 0;
	if (order_room(r))
		return -ENOMEM;
	parent = r->order + r->n;
	if (r->n)
		find_parents(r, parent);
	if (t->pv->filter[0])
		filter_rows(t, parent);
	else
		for (i = 0; i < r->n; i++)
			r->order[r->norder++] = i;
	s.parent = parent;
	s.column = table_sort_column(t->columns, t->pv, t->default_sort);
	s.sign = s.column >= 0 && t->columns[s.column].order < 0 ? -1 : 1;
	if (t->pv->reverse)
		s.sign = -s.sign;
	if (r->norder && s.column >= 0) {
		qsort_r(r->order, r->norder, sizeof(*r->order), compare_rows,
			&s);
		settle(&s, r->order, 0, r->norder);
	}
	keep_order(t->pv, r);
	find_selected(t->pv, r);
	return 0;
}
