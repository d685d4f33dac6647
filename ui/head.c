/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What box, when, live or paused, at what price (first line)?  Is something
 * wrong at all (second line)?
 *
 * Parts that do not fit are left out whole, the least important first; a part
 * is never cut in its middle unless it stands alone.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "page.h"
#include "series.h"
#include "units.h"

enum { PART_TEXT = 96, GAP = 2, LATE = 3 };

struct part {
	char text[PART_TEXT];
	enum role role;
	int rank;		/* 0 stays longest */
	int right;		/* flush right */
};

struct parts {
	struct part part[12];
	int n;
};

static struct part *add(struct parts *p, enum role role, int rank,
			const char *text)
{
	struct part *at = &p->part[p->n];

	if (!text[0] || p->n == (int)(sizeof(p->part) / sizeof(*p->part)))
		return NULL;
	p->n++;
	snprintf(at->text, sizeof(at->text), "%s", text);
	at->role = role;
	at->rank = rank;
	at->right = 0;
	return at;
}

static int parts_width(const struct parts *p, int ascii)
{
	int sum = 0, i;

	for (i = 0; i < p->n; i++)
		sum += text_width(p->part[i].text, ascii) + (i ? GAP : 0);
	return sum;
}

static void drop_one(struct parts *p)
{
	int worst = p->n - 1, i;

	for (i = p->n - 1; i >= 0; i--)
		if (p->part[i].rank > p->part[worst].rank)
			worst = i;
	p->n--;
	memmove(&p->part[worst], &p->part[worst + 1],
		(size_t)(p->n - worst) * sizeof(p->part[0]));
}

static void parts_draw(struct surface *s, int y, struct parts *p)
{
	int x = 0, i;

	while (p->n > 1 && parts_width(p, s->ascii) > s->w)
		drop_one(p);
	for (i = 0; i < p->n; i++) {
		const struct part *at = &p->part[i];

		if (at->right)
			surface_right(s, x, y, s->w - x, at->role, at->text);
		else
			x += GAP + surface_text(s, x, y, s->w - x, at->role,
						at->text);
	}
}

/* ---- status ----------------------------------------------------------- */

static void add_host(struct parts *p, const struct model *m)
{
	const struct host *host = m->newer ? m->newer->host : NULL;
	char buf[40];

	if (!host)
		return;
	add(p, ROLE_NORMAL, 2, host->name);
	add(p, ROLE_NORMAL, 7, host->release);
	snprintf(buf, sizeof(buf), "%u cpu", host->cpus);
	if (host->cpus)
		add(p, ROLE_NORMAL, 6, buf);
}

static void add_state(struct parts *p, const struct view *v)
{
	char buf[64], span[16];

	if (v->paused && v->behind_ns) {
		units_ns(span, sizeof(span), (double)v->behind_ns);
		snprintf(buf, sizeof(buf), "PAUSED -%s", span);
	} else if (v->paused) {
		snprintf(buf, sizeof(buf), "PAUSED");
	} else {
		units_ns(span, sizeof(span), (double)v->interval_ns);
		snprintf(buf, sizeof(buf), "%s %s",
			 v->live ? "LIVE" : "REPLAY", span);
	}
	add(p, v->paused ? ROLE_WARN : ROLE_TITLE, 1, buf);
}

/* The window asked for, and what it spans if that is something else: at the
 * beginning less, after a suspend more. */
static void add_window(struct parts *p, const struct model *m,
		       const struct view *v)
{
	char buf[64], asked[16] = "all", span[16];
	uint64_t planned = v->window_ns;
	int late;

	if (planned && planned < v->interval_ns)
		planned = v->interval_ns;
	late = planned && m->span_ns / LATE > planned;
	units_ns(span, sizeof(span), (double)m->span_ns);
	if (v->window_ns)
		units_ns(asked, sizeof(asked), (double)v->window_ns);
	if (late)
		snprintf(buf, sizeof(buf), "window %s but spans %s", asked,
			 span);
	else if (m->older && (!planned || m->span_ns < planned / 10 * 9))
		snprintf(buf, sizeof(buf), "window %s: %s", asked, span);
	else
		snprintf(buf, sizeof(buf), "window %s", asked);
	add(p, late ? ROLE_WARN : ROLE_NORMAL, late ? 1 : 4, buf);
}

/* Which engine fills the schedule rows, as the collector says of itself. */
static void add_engine(struct parts *p, const struct model *m)
{
	static const char *const engine[][2] = {
		{ "sampled stacks, libperf", "[perf]" },
		{ "in-kernel engine", "[bpf]" },
	};
	const struct health *h = m->newer ? m->newer->health : NULL;
	size_t i, k;

	for (i = 0; h && i < h->n; i++) {
		const struct health_item *item = &h->item[i];

		if (strcmp(item->collector, "sched") || item->part[0] ||
		    item->level == HEALTH_ABSENT)
			continue;
		for (k = 0; k < sizeof(engine) / sizeof(*engine); k++)
			if (!strncmp(item->why, engine[k][0],
				     strlen(engine[k][0])))
				add(p, ROLE_NORMAL, 9, engine[k][1]);
	}
}

static void add_own(struct parts *p, const struct model *m)
{
	double share = delta_rate(model_sum(m, SELF_CPU)) / 1e9;
	char buf[32], value[16];

	if (isnan(share))
		return;
	snprintf(buf, sizeof(buf), "own %s",
		 units_percent(value, sizeof(value), share));
	add(p, share > 0.1 ? ROLE_WARN : ROLE_NORMAL, 5, buf);
}

void head_status(struct surface *s, int y, const struct model *m,
		 const struct view *v)
{
	struct parts p = { .n = 0 };
	struct part *clock;
	char buf[32];

	add(&p, ROLE_TITLE, 8, "stalltop");
	add_host(&p, m);
	add_state(&p, v);
	add_window(&p, m, v);
	add_engine(&p, m);
	add_own(&p, m);
	if (m->newer) {
		units_clock(buf, sizeof(buf), m->newer->wall_ns,
			    m->newer->utc_offset_s);
		clock = add(&p, ROLE_NORMAL, 3, buf);
		if (clock)
			clock->right = 1;
	}
	parts_draw(s, y, &p);
}

/* ---- numbers ---------------------------------------------------------- */

struct number {
	char label[16], value[40];
	int absent;
	double points[SERIES_KEEP];
	size_t n;
};

static char *exact_rate(char *buf, size_t n, double rate)
{
	if (rate > 0 && rate < 100)
		snprintf(buf, n, "%.1f", rate);
	else
		units_exact(buf, n, (uint64_t)(rate + .5));
	return buf;
}

static void set_rate(struct number *at, const char *label, double rate,
		     int exact)
{
	char buf[32];

	snprintf(at->label, sizeof(at->label), "%s", label);
	at->absent = isnan(rate);
	if (at->absent)
		snprintf(at->value, sizeof(at->value), "-");
	else
		snprintf(at->value, sizeof(at->value), "%s/s",
			 exact ? exact_rate(buf, sizeof(buf), rate) :
				 units_count(buf, sizeof(buf), rate));
}

/* Mean and max belong to the same span: the window. */
static void set_runq(struct number *at, const struct model *m)
{
	double max = model_depth_max(m, -1);
	struct delta reads = model_sum(m, LOAD_READS);
	struct delta sum = model_sum(m, LOAD_SUM);
	double mean = NAN;
	char buf[24] = "-", top[24] = "-";

	if (reads.state == DELTA_OK && sum.state == DELTA_OK && reads.diff)
		mean = (double)sum.diff / (double)reads.diff;
	if (!isnan(mean) && mean < 1000)
		snprintf(buf, sizeof(buf), "%.1f", mean);
	else if (!isnan(mean))
		units_count(buf, sizeof(buf), mean);
	if (!isnan(max))
		units_count(top, sizeof(top), max);
	snprintf(at->label, sizeof(at->label), "run queue");
	at->absent = isnan(mean) && isnan(max);
	snprintf(at->value, sizeof(at->value), at->absent ? "-" : "%s max %s",
		 buf, top);
}

static void set_numbers(struct number *at, const struct model *m, int exact)
{
	double switches = delta_rate(model_sum(m, STAT_SWITCHES));
	int i;

	if (isnan(switches))
		switches = delta_rate(model_sum(m, SCHED_SWITCHES));
	for (i = 0; m->series && i < HEAD_COUNT; i++)
		at[i].n = series_headline(m->series, (enum headline)i,
					  at[i].points, SERIES_KEEP);
	set_rate(&at[HEAD_SWITCHES], "switches", switches, exact);
	set_runq(&at[HEAD_RUNQ], m);
	set_rate(&at[HEAD_FAULTS], "faults",
		 delta_rate(model_sum(m, VM_PGFAULT)), exact);
	set_rate(&at[HEAD_TLB], "tlb ipi",
		 delta_rate(model_sum(m, IRQ_TLB)), exact);
}

/* Columns of the first n numbers with trends of `spark` cells.  A value has
 * room for its largest form, so that nothing moves from frame to frame. */
static int number_width(enum headline h)
{
	return h == HEAD_RUNQ ? 14 : 7;
}

static int numbers_width(const struct number *at, int n, int spark)
{
	int sum = 0, i;

	for (i = 0; i < n; i++)
		sum += (int)strlen(at[i].label) + 1 +
		       number_width((enum headline)i) +
		       (spark ? spark + 1 : 0) + (i ? GAP : 0);
	return sum;
}

/* Returns where the value begins.  It is never cut: a digit less would be
 * another number; the label goes first. */
static int number_draw(struct surface *s, int x, int y,
		       const struct number *at)
{
	int label = (int)strlen(at->label) + 1;
	int value = (int)strlen(at->value);

	if (x + label + value <= s->w) {
		surface_text(s, x, y, label, ROLE_LABEL, at->label);
		x += label;
	}
	if (x + value <= s->w)
		surface_text(s, x, y, value, at->absent ? ROLE_MISSING :
			     ROLE_TITLE, at->value);
	return x;
}

void head_numbers(struct surface *s, int y, const struct model *m)
{
	static const int sparks[] = { 24, 16, 12, 8, 6, 5, 4, 0 };
	struct number at[HEAD_COUNT] = { 0 };
	int margin = s->w >= 40, n = HEAD_COUNT, spark, i, x, w;
	size_t k = 0;

	set_numbers(at, m, 0);
	w = s->w - margin;
	while (sparks[k] && numbers_width(at, n, sparks[k]) > w)
		k++;
	while (n > 1 && numbers_width(at, n, 0) > w)
		n--;
	spark = sparks[k];
	for (i = 0, x = margin; i < n; i++) {
		x = number_draw(s, x, y, &at[i]);
		x += number_width((enum headline)i);
		if (spark)
			surface_spark(s, x, y, spark, ROLE_BAR, at[i].points,
				      at[i].n, 0);
		x += (spark ? spark + 1 : 0) + GAP;
	}
}

void head_line(char *buf, size_t n, const struct model *m)
{
	struct number at[HEAD_COUNT] = { 0 };
	size_t len = 0;
	int i;

	set_numbers(at, m, 1);
	for (i = 0; i < HEAD_COUNT && len < n; i++)
		len += (size_t)snprintf(buf + len, n - len, "%s%s %s",
					i ? "   " : "", at[i].label,
					at[i].value);
}
