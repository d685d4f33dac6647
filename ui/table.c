/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do rows become a table?
 *
 * Invariants: the places of the columns depend on the width and the column
 * table alone; numbers are flush right, text left; "-" is a value that is not
 * available, never 0.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "layout.h"
#include "series.h"
#include "table.h"
#include "units.h"

static char *exact_real(char *buf, size_t n, double v)
{
	if (v >= 0 && v < 9e15 && (v == floor(v) || v >= 1000))
		return units_exact(buf, n, (uint64_t)(v + .5));
	snprintf(buf, n, "%.2f", v);
	return buf;
}

static char *exact_number(char *buf, size_t n, const struct value *v)
{
	return v->kind == VALUE_U64 ? units_exact(buf, n, v->u) :
				      exact_real(buf, n, v->r);
}

static char *exact_ns(char *buf, size_t n, const struct value *v)
{
	char digits[40];

	snprintf(buf, n, "%sns", exact_number(digits, sizeof(digits), v));
	return buf;
}

static char *plus_minus(char *buf, size_t n, double half, int digits)
{
	snprintf(buf, n, "%.*f", half >= 0.9995 ? 0 : digits, 100 * half);
	return buf;
}

static char *format_exact(char *buf, size_t n, enum column_form form,
			  const struct value *v, double r)
{
	switch (form) {
	case FORM_SHARE:
		snprintf(buf, n, "%.2f%%", 100 * r);
		return buf;
	case FORM_PLUS_MINUS:
		return plus_minus(buf, n, r, 2);
	case FORM_NS:
		return exact_ns(buf, n, v);
	case FORM_DEPTH:
		snprintf(buf, n, "%.2f", r);
		return buf;
	default:
		return exact_number(buf, n, v);
	}
}

static char *format_human(char *buf, size_t n, enum column_form form, double r)
{
	switch (form) {
	case FORM_SHARE:
		return units_percent(buf, n, r);
	case FORM_PLUS_MINUS:
		return plus_minus(buf, n, r, 1);
	case FORM_NS:
		return units_ns(buf, n, r);
	case FORM_BYTES:
		return units_bytes(buf, n, r);
	case FORM_DEPTH:
		if (r < 1000) {
			snprintf(buf, n, "%.1f", r);
			return buf;
		}
		return units_count(buf, n, r);
	default:
		return units_count(buf, n, r);
	}
}

char *table_format(char *buf, size_t n, const struct column *c,
		   const struct value *v, int exact)
{
	double r = v->kind == VALUE_U64 ? (double)v->u : v->r;

	if (v->kind == VALUE_TEXT && v->text)
		snprintf(buf, n, "%s", v->text);
	else if ((v->kind != VALUE_U64 && v->kind != VALUE_REAL) ||
		 !isfinite(r))
		snprintf(buf, n, "-");
	else if (c->form == FORM_ID && v->kind == VALUE_U64)
		snprintf(buf, n, "%" PRIu64, v->u);
	else if (exact)
		return format_exact(buf, n, c->form, v, r);
	else
		return format_human(buf, n, c->form, r);
	return buf;
}

int table_is_numeric(const struct column *c)
{
	return c->form != FORM_TEXT && c->form != FORM_TREND;
}

int table_find_column(const struct column *columns, const char *name)
{
	int i;

	for (i = 0; i < PANE_COLUMNS && columns[i].name; i++)
		if (!strcmp(columns[i].name, name))
			return i;
	return -1;
}

int table_sort_column(const struct column *columns, const struct pane_view *pv,
		      const char *default_sort)
{
	int i = -1;

	if (pv->sort[0])
		i = table_find_column(columns, pv->sort);
	if (i < 0 && default_sort)
		i = table_find_column(columns, default_sort);
	return i;
}

struct drawing {
	struct surface *s;
	struct table *t;
	int x, y, w;
	int sorted, first_text;		/* columns, -1 none */
	struct layout_column at[PANE_COLUMNS];
};

static void draw_header(struct drawing *d)
{
	const struct column *c = d->t->columns;
	int falling, i, used, x;

	surface_fill(d->s, d->x, d->y, d->w, 1, ROLE_HEADER, ' ');
	for (i = 0; i < PANE_COLUMNS && c[i].name; i++) {
		enum role role = i == d->sorted ? ROLE_SORTED : ROLE_HEADER;

		if (!d->at[i].w)
			continue;
		x = d->x + d->at[i].x;
		used = table_is_numeric(&c[i]) ?
			surface_right(d->s, x, d->y, d->at[i].w, role,
				      c[i].title), d->at[i].w :
			surface_text(d->s, x, d->y, d->at[i].w, role,
				     c[i].title);
		if (i != d->sorted || x + used >= d->x + d->w)
			continue;
		falling = (c[i].order < 0) != !!d->t->pv->reverse;
		surface_fill(d->s, x + used, d->y, 1, 1, ROLE_SORTED,
			     falling ? 0x25be : 0x25b4);
	}
}

static void draw_trend(struct drawing *d, const struct value *v, int x, int y,
		       int w, enum role role)
{
	double points[SERIES_KEEP];
	size_t n = 0;

	if (d->t->series)
		n = series_source(d->t->series, v->u, points, SERIES_KEEP);
	surface_spark(d->s, x, y, w, role, points, n, 0);
}

/* A number is never cut: one digit less would be another number. */
static void draw_number(struct drawing *d, int x, int y, int w, enum role role,
			const struct column *c, const struct value *v)
{
	int exact = d->t->view && d->t->view->exact;
	char buf[64];

	table_format(buf, sizeof(buf), c, v, exact);
	if (exact && text_width(buf, d->s->ascii) > w)
		table_format(buf, sizeof(buf), c, v, 0);
	if (v->kind != VALUE_TEXT && text_width(buf, d->s->ascii) > w)
		surface_fill(d->s, x, y, w, 1, role, '#');
	else
		surface_right(d->s, x, y, w, role, buf);
}

static void draw_value(struct drawing *d, const struct row *row, int i, int y)
{
	const struct column *c = &d->t->columns[i];
	const struct value *v = &row->v[i];
	int x = d->x + d->at[i].x, w = d->at[i].w, indent = 0;
	int exact = d->t->view && d->t->view->exact;
	enum role role = row->role;
	char buf[64];

	if (v->kind == VALUE_ABSENT)
		role = ROLE_MISSING;
	if (i == d->first_text)
		indent = 2 * row->depth < w / 2 ? 2 * row->depth : w / 2;
	if (v->kind == VALUE_TREND)
		draw_trend(d, v, x, y, w, row->role ? role : ROLE_BAR);
	else if (v->kind == VALUE_TEXT && v->text && !table_is_numeric(c))
		surface_text(d->s, x + indent, y, w - indent, role, v->text);
	else if (table_is_numeric(c))
		draw_number(d, x, y, w, role, c, v);
	else
		surface_text(d->s, x + indent, y, w - indent, role,
			     table_format(buf, sizeof(buf), c, v, exact));
}

static void draw_row(struct drawing *d, const struct row *row, int y,
		     int selected)
{
	int i;

	surface_fill(d->s, d->x, y, d->w, 1, row->role, ' ');
	for (i = 0; i < PANE_COLUMNS && d->t->columns[i].name; i++)
		if (d->at[i].w)
			draw_value(d, row, i, y);
	if (selected)
		surface_role(d->s, d->x, y, d->w, ROLE_SELECTED);
}

/* Scroll so that the selected row is seen and no line is wasted. */
static void scroll_to_selected(struct pane_view *pv)
{
	size_t page = pv->page > 0 ? (size_t)pv->page : 1;

	if (pv->top + page > pv->nrows)
		pv->top = pv->nrows > page ? pv->nrows - page : 0;
	if (pv->position < pv->top)
		pv->top = pv->position;
	if (pv->position >= pv->top + page)
		pv->top = pv->position - page + 1;
}

static void columns_place(struct drawing *d)
{
	const struct column *c = d->t->columns;
	int i;

	d->sorted = table_sort_column(c, d->t->pv, d->t->default_sort);
	layout_columns(c, d->sorted, d->w, d->at);
	d->first_text = -1;
	for (i = 0; i < PANE_COLUMNS && c[i].name && d->first_text < 0; i++)
		if (c[i].form == FORM_TEXT)
			d->first_text = i;
}

int table_draw(struct surface *s, int x, int y, int w, int h, struct table *t)
{
	struct drawing d = { .s = s, .t = t, .x = x, .y = y, .w = w };
	struct pane_view *pv = t->pv;
	int header = h > 1, line;
	size_t i;

	if (table_arrange(t) || w <= 0 || h <= 0)
		return 0;
	pv->page = h - header;
	scroll_to_selected(pv);
	columns_place(&d);
	if (header)
		draw_header(&d);
	for (line = 0; line < pv->page; line++) {
		i = pv->top + (size_t)line;
		if (i >= t->rows->norder)
			break;
		draw_row(&d, &t->rows->row[t->rows->order[i]],
			 y + header + line, !t->plain && i == pv->position);
	}
	if (!t->rows->norder && t->rows->n && line < pv->page)
		surface_printf(s, x, y + header + line++, w, ROLE_HINT,
			       "no row matches \"%s\"", pv->filter);
	return header + line;
}
