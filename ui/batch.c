/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do frames reach a file, a pipe or a program?  As text with exact numbers,
 * or as JSON Lines.  No escape codes, no curses.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "json.h"
#include "layout.h"
#include "page.h"
#include "pane_at.h"
#include "present.h"
#include "rows.h"
#include "table.h"
#include "units.h"
#include "view_check.h"

enum { COMFORTABLE_W = 100, COMFORTABLE_H = 60, WIDEST = 255 };

static struct {
	const struct options *opt;
	struct out out;
	struct surface surface;
	struct rows rows;
	int frames;
} batch;

/* ---- text: head ------------------------------------------------------- */

static void text_heading(struct out *o, const struct model *m,
			 const struct view *v)
{
	const struct sample *s = m->newer;
	char host[160] = "", asked[16] = "all", span[24];

	if (s)
		out_time(o, s->wall_ns, s->utc_offset_s);
	if (v->window_ns)
		units_ns(asked, sizeof(asked), (double)v->window_ns);
	snprintf(span, sizeof(span), "%.3f", (double)m->span_ns / 1e9);
	if (s && s->host)
		snprintf(host, sizeof(host), "%s  %s  %" PRIu32 " cpu",
			 s->host->name, s->host->release, s->host->cpus);
	out_text(o, "  ");
	out_clean(o, v->ascii, host);
	out_printf(o, "  window %s  span %ss%s\n", asked, span,
		   m->planned_ns && m->span_ns / 3 > m->planned_ns ?
		   "  (longer than asked)" : "");
}

/* ---- text: pane ------------------------------------------------------- */

/* A whole drawn pane, without the empty lines at its end. */
static void text_drawn(struct out *o, const struct pane *pane, int w, int h,
		       const struct model *m, struct view *v)
{
	struct surface *s = &batch.surface;
	int end, x;

	if (surface_resize(s, w, h))
		return;
	s->ascii = v->ascii;
	pane->draw(s, m, v);
	for (end = s->h; end; end--) {
		const struct cell *c = &s->cell[(size_t)(end - 1) * s->w];

		for (x = 0; x < s->w && c[x].ch == ' '; x++)
			;
		if (x < s->w)
			break;
	}
	out_surface(o, s, 0, end);
}

static int value_width(const struct column *c, const struct value *v,
		       const struct view *view, int indent)
{
	char buf[64];
	int w;

	if (v->kind == VALUE_TREND)
		return c->width;
	if (v->kind == VALUE_TEXT && v->text)
		w = text_width(v->text, view->ascii) + indent;
	else
		w = text_width(table_format(buf, sizeof(buf), c, v,
					    view->exact), view->ascii);
	return w;
}

/* The columns as wide as their contents want, of those the screen has. */
static void fit_columns(struct column *to, const struct column *from,
			const struct rows *rows, size_t shown,
			const struct view *view)
{
	int i, w, most;
	size_t k;

	memset(to, 0, (PANE_COLUMNS + 1) * sizeof(*to));
	for (i = 0; i < PANE_COLUMNS && from[i].name; i++) {
		to[i] = from[i];
		to[i].grow = to[i].drop = 0;
		if (!from[i].width)
			continue;
		most = text_width(from[i].title, view->ascii);
		for (k = 0; k < shown; k++) {
			const struct row *row = &rows->row[rows->order[k]];

			w = value_width(&from[i], &row->v[i], view,
					2 * row->depth);
			if (w > most)
				most = w;
		}
		to[i].width = (uint8_t)(most < WIDEST ? most : WIDEST);
	}
}

static void text_table(struct out *o, struct table *t, const struct view *v)
{
	struct column fitted[PANE_COLUMNS + 1];
	struct surface *s = &batch.surface;
	size_t all = t->rows->norder, shown = all;

	if (v->max_rows && shown > v->max_rows)
		shown = (size_t)v->max_rows;
	fit_columns(fitted, t->columns, t->rows, shown, v);
	t->columns = fitted;
	if (surface_resize(s, layout_wanted(fitted) + 1, (int)shown + 1))
		return;
	s->ascii = v->ascii;
	t->pv->top = 0;
	t->pv->selected_set = 0;
	table_draw(s, 0, 0, s->w, s->h, t);
	out_surface(o, s, 0, s->h);
	if (shown < all)
		out_printf(o, "(%zu of %zu rows; --rows 0 for all)\n", shown,
			   all);
}

/* ---- text: raw -------------------------------------------------------- */

static void put_ascii(struct out *o, const char *text)
{
	out_clean(o, 1, text);
}

static void put_utf8(struct out *o, const char *text)
{
	out_clean(o, 0, text);
}

static void text_key(struct out *o, int ascii, enum metric_scope scope,
		     const struct names *names, uint32_t id)
{
	const struct name *name;

	if (scope == SCOPE_NONE)
		return;
	if (!scope_is_name(scope)) {
		out_printf(o, " %" PRIu32, id);
		return;
	}
	out_bytes(o, " \"", 2);
	out_name(o, names, id, ascii ? put_ascii : put_utf8);
	name = names && id ? names_get(names, id) : NULL;
	if (name && name->kind == NAME_TASK)
		out_printf(o, " (%" PRId32 ")", name->task.tid);
	out_bytes(o, "\"", 1);
}

static void text_raw(struct out *o, const struct model *m, int ascii)
{
	const struct sample *s = m->newer;
	size_t i;

	for (i = 0; s && i < s->n; i++) {
		const struct metric_info *info = metric_info(s->v[i].metric);

		if (!info)
			continue;
		out_clean(o, ascii, info->name);
		text_key(o, ascii, info->scope, s->names, s->v[i].key);
		text_key(o, ascii, info->sub, s->names, s->v[i].sub);
		out_printf(o, " %" PRIu64 "\n", s->v[i].value);
	}
}

/* ---- frames ----------------------------------------------------------- */

/* NULL: readings, as they are. */
static const struct pane *batch_pane(const struct view *v)
{
	const char *name = batch.opt->pane;

	return name && !strcmp(name, "raw") ? NULL : pane_at(v->pane);
}

static int fill_rows(struct table *t, const struct pane *pane,
		     const struct model *m, struct view *v)
{
	int err;

	*t = (struct table){ .columns = pane->columns, .rows = &batch.rows,
			     .view = v, .series = m->series,
			     .pv = &v->p[v->pane], .plain = 1,
			     .default_sort = pane->default_sort };
	rows_reset(&batch.rows);
	t->pv->norder = 0;		/* each frame stands for itself */
	if (!pane->rows || !pane->columns)
		return 0;
	err = pane->rows(m, v, &batch.rows);
	return err ? err : table_arrange(t);
}

static void text_frame(struct out *o, const struct pane *pane,
		       const struct model *m, struct view *v)
{
	const struct options *opt = batch.opt;
	char line[256];
	struct table t;

	if (batch.frames++)
		out_bytes(o, "\n", 1);
	text_heading(o, m, v);
	head_line(line, sizeof(line), m);
	out_printf(o, "%s\n", line);
	if (!pane) {
		text_raw(o, m, v->ascii);
	} else if (opt->width) {
		text_drawn(o, pane, (int)opt->width, (int)opt->height, m, v);
	} else if (fill_rows(&t, pane, m, v) || !batch.rows.n ||
		   !strcmp(pane->name, "overview")) {
		text_drawn(o, pane, COMFORTABLE_W, COMFORTABLE_H, m, v);
	} else {
		text_drawn(o, pane, COMFORTABLE_W, 1, m, v);
		text_table(o, &t, v);
	}
}

static int batch_show(const struct model *m, struct view *v)
{
	const struct pane *pane = batch_pane(v);
	struct table t;
	int err = 0;

	if (!batch.opt->json) {
		text_frame(&batch.out, pane, m, v);
	} else {
		if (pane)
			err = fill_rows(&t, pane, m, v);
		json_frame(&batch.out, m, pane, pane ? pane->columns : NULL,
			   &batch.rows, v->max_rows);
	}
	return err ? err : out_write(&batch.out, STDOUT_FILENO);
}

static int batch_open(const struct options *opt, struct view *v)
{
	batch.opt = opt;
	batch.frames = 0;
	v->exact = !opt->width;
	v->max_rows = opt->rows;
	return view_check(opt);
}

static int batch_fd(void)
{
	return -1;
}

static int batch_input(struct view *v, const struct model *m)
{
	(void)v;
	(void)m;
	return 0;
}

static void batch_nothing(void)
{
}

static void batch_close(void)
{
	out_free(&batch.out);
	rows_free(&batch.rows);
	surface_free(&batch.surface);
}

const struct presenter batch_presenter = {
	.open = batch_open,
	.fd = batch_fd,
	.input = batch_input,
	.show = batch_show,
	.suspend = batch_nothing,
	.resume = batch_nothing,
	.close = batch_close,
};
