/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a frame say to a program?
 *
 * Invariant: the result is valid JSON and valid UTF-8 for every model, row and
 * byte that comes in.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "json.h"
#include "series.h"
#include "text.h"

/* Controls, C0 and C1, and the two separators that are line ends to some. */
static int must_escape(uint32_t ch)
{
	return ch < 0x20 || (ch >= 0x7f && ch < 0xa0) || ch == 0x2028 ||
	       ch == 0x2029;
}

static void put_char(struct out *o, uint32_t ch)
{
	char buf[4];

	if (must_escape(ch)) {
		out_printf(o, "\\u%04x", (unsigned)ch);
		return;
	}
	if (ch == '"' || ch == '\\')
		out_bytes(o, "\\", 1);
	out_bytes(o, buf, text_encode(buf, ch));
}

/* The inside of a string. */
static void put_text(struct out *o, const char *text)
{
	size_t len = strlen(text), n;
	uint32_t ch;

	for (; len; text += n, len -= n) {
		n = text_decode(text, len, &ch);
		put_char(o, n ? ch : TEXT_REPLACEMENT);
		if (!n)
			n = 1;
	}
}

void json_string(struct out *o, const char *text)
{
	out_bytes(o, "\"", 1);
	put_text(o, text);
	out_bytes(o, "\"", 1);
}

/* As few digits as give the same number again; '.' in any locale. */
void json_real(struct out *o, double v)
{
	char buf[40], *comma;

	if (!isfinite(v)) {
		out_text(o, "null");
		return;
	}
	snprintf(buf, sizeof(buf), "%.15g", v);
	if (strtod(buf, NULL) != v)
		snprintf(buf, sizeof(buf), "%.17g", v);
	comma = strchr(buf, ',');
	if (comma)
		*comma = '.';
	out_text(o, buf);
}

static void json_seconds(struct out *o, uint64_t ns)
{
	out_printf(o, "%" PRIu64 ".%09" PRIu64, ns / 1000000000,
		   ns % 1000000000);
}

/* ---- rows ------------------------------------------------------------- */

static void json_trend(struct out *o, const struct series *series, uint64_t row)
{
	double v[SERIES_KEEP];
	size_t n = 0, i;

	if (series)
		n = series_source(series, row, v, SERIES_KEEP);
	out_bytes(o, "[", 1);
	for (i = 0; i < n; i++) {
		if (i)
			out_bytes(o, ",", 1);
		json_real(o, v[i]);
	}
	out_bytes(o, "]", 1);
}

static int is_absent(const struct value *v)
{
	return v->kind == VALUE_ABSENT ||
	       (v->kind == VALUE_REAL && !isfinite(v->r)) ||
	       (v->kind == VALUE_TEXT && !v->text);
}

static void json_value(struct out *o, const struct value *v,
		       const struct series *series)
{
	if (is_absent(v))
		out_text(o, "null");
	else if (v->kind == VALUE_U64)
		out_printf(o, "%" PRIu64, v->u);
	else if (v->kind == VALUE_REAL)
		json_real(o, v->r);
	else if (v->kind == VALUE_TEXT)
		json_string(o, v->text);
	else
		json_trend(o, series, v->u);
}

static void json_absent(struct out *o, const struct column *columns,
			const struct row *row)
{
	const char *comma = "";
	int i;

	for (i = 0; i < PANE_COLUMNS && columns[i].name; i++) {
		const struct value *v = &row->v[i];

		if (!is_absent(v))
			continue;
		out_text(o, *comma ? comma : ",\"absent\":{");
		comma = ",";
		json_string(o, columns[i].name);
		out_bytes(o, ":", 1);
		json_string(o, v->kind == VALUE_ABSENT && v->text ? v->text :
			    "not available");
	}
	if (*comma)
		out_bytes(o, "}", 1);
}

static void json_row(struct out *o, const struct column *columns,
		     const struct row *row, const struct series *series)
{
	int i;

	out_printf(o, "{\"depth\":%u", row->depth);
	for (i = 0; i < PANE_COLUMNS && columns[i].name; i++) {
		out_bytes(o, ",", 1);
		json_string(o, columns[i].name);
		out_bytes(o, ":", 1);
		json_value(o, &row->v[i], series);
	}
	json_absent(o, columns, row);
	out_bytes(o, "}", 1);
}

void json_rows(struct out *o, const struct column *columns,
	       const struct rows *rows, const struct series *series,
	       uint64_t max)
{
	size_t i;

	out_bytes(o, "[", 1);
	for (i = 0; i < rows->norder && (!max || i < max); i++) {
		if (i)
			out_bytes(o, ",", 1);
		json_row(o, columns, &rows->row[rows->order[i]], series);
	}
	out_bytes(o, "]", 1);
}

/* ---- raw -------------------------------------------------------------- */

void out_name(struct out *o, const struct names *names, uint32_t id,
	      void (*put)(struct out *, const char *))
{
	const struct name *name = names && id ? names_get(names, id) : NULL;
	uint16_t i;

	if (!id || !name) {
		put(o, id ? "?" : "ended");
	} else if (name->kind != NAME_STACK) {
		put(o, name->text ? name->text : "");
	} else {
		for (i = 0; i < name->len; i++) {
			if (i)
				put(o, ";");
			put(o, names_str(names, name->stack.frame[i]));
		}
	}
}

static void json_key(struct out *o, const char *label, enum metric_scope scope,
		     const struct names *names, uint32_t id)
{
	const struct name *name;

	if (scope == SCOPE_NONE)
		return;
	out_printf(o, ",\"%s\":%" PRIu32, label, id);
	if (!scope_is_name(scope))
		return;
	out_printf(o, ",\"%s_name\":\"", label);
	out_name(o, names, id, put_text);
	out_bytes(o, "\"", 1);
	name = names && id ? names_get(names, id) : NULL;
	if (name && name->kind == NAME_TASK)
		out_printf(o, ",\"%s_tid\":%" PRId32, label, name->task.tid);
}

static void json_readings(struct out *o, const struct sample *s)
{
	const char *comma = "";
	size_t i;

	out_text(o, ",\"readings\":[");
	for (i = 0; i < s->n; i++) {
		const struct reading *r = &s->v[i];
		const struct metric_info *info = metric_info(r->metric);

		if (!info)
			continue;
		out_printf(o, "%s{\"metric\":", comma);
		json_string(o, info->name);
		json_key(o, "key", info->scope, s->names, r->key);
		json_key(o, "sub", info->sub, s->names, r->sub);
		out_printf(o, ",\"value\":%" PRIu64 "}", r->value);
		comma = ",";
	}
	out_bytes(o, "]", 1);
}

/* ---- frame ------------------------------------------------------------ */

static void json_note(struct out *o, const struct health_item *item)
{
	out_bytes(o, "\"", 1);
	put_text(o, item->collector);
	if (item->part[0]) {
		put_text(o, " ");
		put_text(o, item->part);
	}
	put_text(o, ": ");
	put_text(o, item->why);
	out_bytes(o, "\"", 1);
}

/* The same was said before: by another metric of the same part. */
static int is_repeated(const struct health *h, size_t i)
{
	const struct health_item *a = &h->item[i], *b;

	for (b = h->item; b < a; b++)
		if (b->level != HEALTH_OK && !strcmp(a->part, b->part) &&
		    !strcmp(a->collector, b->collector) &&
		    !strcmp(a->why, b->why))
			return 1;
	return 0;
}

static void json_notes(struct out *o, const struct model *m)
{
	const struct health *h = m->newer ? m->newer->health : NULL;
	const char *comma = "";
	size_t i;

	out_text(o, ",\"notes\":[");
	for (i = 0; h && i < h->n; i++) {
		if (h->item[i].level == HEALTH_OK || is_repeated(h, i))
			continue;
		out_text(o, comma);
		json_note(o, &h->item[i]);
		comma = ",";
	}
	out_bytes(o, "]", 1);
}

static void json_head(struct out *o, const struct model *m, const char *pane)
{
	const struct sample *s = m->newer;

	out_text(o, "{\"time\":\"");
	out_time(o, s ? s->wall_ns : 0, s ? s->utc_offset_s : 0);
	out_printf(o, "\",\"seq\":%" PRIu64 ",\"pane\":", s ? s->seq : 0);
	json_string(o, pane);
	out_text(o, ",\"host\":");
	json_string(o, s && s->host ? s->host->name : "");
	out_text(o, ",\"span_s\":");
	json_seconds(o, m->span_ns);
}

/* What the shares stand on, in the window: exact integers, null if unknown. */
static void json_coverage(struct out *o, const struct model *m)
{
	static const struct {
		const char *name;
		uint16_t metric;
	} part[] = {
		{ "switches", SCHED_SWITCHES }, { "stacks", SCHED_SAMPLES },
		{ "lost", SCHED_LOST }, { "switches_of_stat", STAT_SWITCHES },
	};

	out_text(o, ",\"coverage\":{");
	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++) {
		struct delta d = model_sum(m, part[i].metric);

		out_printf(o, "%s\"%s\":", i ? "," : "", part[i].name);
		if (d.state == DELTA_OK)
			out_printf(o, "%" PRIu64, d.diff);
		else
			out_text(o, "null");
	}
	out_bytes(o, "}", 1);
}

void json_frame(struct out *o, const struct model *m, const struct pane *pane,
		const struct column *columns, const struct rows *rows,
		uint64_t max)
{
	json_head(o, m, pane ? pane->name : "raw");
	if (pane) {
		json_coverage(o, m);
		out_text(o, ",\"rows\":");
		if (columns)
			json_rows(o, columns, rows, m->series, max);
		else
			out_text(o, "[]");
		out_printf(o, ",\"total_rows\":%zu", rows->norder);
	} else if (m->newer) {
		json_readings(o, m->newer);
	}
	json_notes(o, m);
	out_text(o, "}\n");
}
