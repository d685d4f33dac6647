// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does the overview say?  The blocks, their smaller makers, and how a
 * figure is written.
 */
#include "overview.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "schedule_rows.h"
#include "units.h"

enum { TOP_SOURCES = 16, SUMMED = 3 };

struct overview_line *overview_line(struct overview *o, const char *name)
{
	struct overview_line *l;

	if (o->n == OVERVIEW_LINES)
		o->n--;
	l = &o->line[o->n++];
	memset(l, 0, sizeof(*l));
	snprintf(l->name, sizeof(l->name), "%s", name);
	return l;
}

void overview_words(struct overview *o, const char *words)
{
	overview_line(o, "")->words = words;
}

struct overview_figure figure_of(enum overview_form form, double v)
{
	struct overview_figure f = { .form = form, .v = v };

	if (isnan(v))
		f.form = FIGURE_ABSENT;
	return f;
}

struct overview_figure figure_absent(const char *why)
{
	return (struct overview_figure){ .form = FIGURE_ABSENT, .why = why };
}

struct overview_figure figure_rate(const struct model *m, uint16_t metric)
{
	struct delta d = model_sum(m, metric);
	struct overview_figure f = figure_of(FIGURE_RATE, delta_rate(d));

	f.total = d.diff;
	if (d.state == DELTA_ABSENT)
		f.why = model_why(m, metric, -1);
	return f;
}

char *figure_text(char *buf, size_t n, const struct overview_figure *f)
{
	char span[16];

	switch (f->form) {
	case FIGURE_NONE:
		snprintf(buf, n, "%s", "");
		return buf;
	case FIGURE_SHARE:
		if (f->v == 0)
			return strcpy(buf, "0%");
		return units_percent(buf, n, f->v);
	case FIGURE_PLUS_MINUS:
		snprintf(buf, n, "%.1f", 100 * f->v);
		return buf;
	case FIGURE_NS:
		return units_ns(buf, n, f->v);
	case FIGURE_NS_RATE:
		snprintf(buf, n, "%s/s", units_ns(span, sizeof(span), f->v));
		return buf;
	case FIGURE_DEPTH:
		if (f->v >= 1000)
			return units_count(buf, n, f->v);
		snprintf(buf, n, "%.1f", f->v);
		return buf;
	case FIGURE_CPUS:
		snprintf(buf, n, "%.1f cpu", f->v);
		return buf;
	case FIGURE_RATE:
	case FIGURE_COUNT:
		return units_count(buf, n, f->v);
	default:
		snprintf(buf, n, "-");
		return buf;
	}
}

/* ---- blocks of plain rates -------------------------------------------------------- */

struct rate {
	const char *name;
	uint16_t metric[SUMMED];	/* their sum; 0 ends */
};

static const struct rate vmstat[] = {
	{ "pgfault", { VM_PGFAULT } },
	{ "pgmajfault", { VM_PGMAJFAULT } },
	{ "pgfree", { VM_PGFREE } },
	{ "pgscan", { VM_PGSCAN_KSWAPD, VM_PGSCAN_DIRECT } },
	{ "pgsteal", { VM_PGSTEAL_KSWAPD, VM_PGSTEAL_DIRECT } },
	{ "swap in", { VM_PSWPIN } },
	{ "swap out", { VM_PSWPOUT } },
	{ "pgmigrate", { VM_PGMIGRATE } },
	{ "thp_fault", { VM_THP_FAULT_ALLOC } },
	{ "thp_split", { VM_THP_SPLIT_PAGE } },
	{ "compact", { VM_COMPACT_STALL } },
	{ "numa_miss", { VM_NUMA_MISS } },
};

enum { VMSTAT_OPTIONAL = 7 };	/* the first that kernels may not have */

static const struct rate interrupts[] = {
	{ "tlb", { IRQ_TLB } },
	{ "resched", { IRQ_RES } },
	{ "func call", { IRQ_CAL } },
	{ "timer", { IRQ_LOC } },
};

enum { INTERRUPTS = sizeof(interrupts) / sizeof(*interrupts) };

static struct overview_figure rate_sum(const struct model *m,
				       const struct rate *r)
{
	struct overview_figure sum = figure_rate(m, r->metric[0]);

	for (int i = 1; i < SUMMED && r->metric[i]; i++) {
		struct overview_figure f = figure_rate(m, r->metric[i]);

		if (f.form == FIGURE_ABSENT)
			return f;
		sum.v += f.v;
		sum.total += f.total;
	}
	return sum;
}

/* Nothing at all: the reason once.  Those from `optional` on are. */
static void add_rates(struct overview *o, const struct model *m,
		      const struct rate *r, size_t n, size_t optional)
{
	size_t absent = 0;

	for (size_t i = 0; i < n; i++)
		absent += model_sum(m, r[i].metric[0]).state == DELTA_ABSENT;
	if (absent == n) {
		overview_words(o, model_why(m, r[0].metric[0], -1));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct overview_line *l = overview_line(o, r[i].name);

		l->f[0] = rate_sum(m, &r[i]);
		l->is_optional = i >= optional;
	}
}

static void make_vmstat(struct overview *o, const struct model *m,
			struct rows *rows)
{
	(void)rows;
	add_rates(o, m, vmstat, sizeof(vmstat) / sizeof(*vmstat),
		  VMSTAT_OPTIONAL);
}

/* arm64 names its inter-processor interrupts by their text. */
static void make_interrupts(struct overview *o, const struct model *m,
			    struct rows *rows)
{
	bool by_text = model_sum(m, IRQ_IPI).state != DELTA_ABSENT;

	(void)rows;
	if (by_text)
		overview_line(o, "ipi")->f[0] = figure_rate(m, IRQ_IPI);
	else
		add_rates(o, m, interrupts, INTERRUPTS, INTERRUPTS);
}

/* ---- pressure ------------------------------------------------------------------------ */

static struct overview_figure share_of_time(const struct model *m,
					    uint16_t metric)
{
	struct delta d = model_delta(m, metric, 0, 0);

	if (d.state == DELTA_ABSENT)
		return figure_absent(model_why(m, metric, -1));
	/* microseconds per second; reads may differ by a little */
	return figure_of(FIGURE_SHARE, fmin(delta_rate(d) / 1e6, 1));
}

static void make_pressure(struct overview *o, const struct model *m,
			  struct rows *rows)
{
	static const struct {
		const char *name;
		uint16_t some, full;
	} of[] = {
		{ "cpu", PSI_CPU_SOME, PSI_CPU_FULL },
		{ "memory", PSI_MEMORY_SOME, PSI_MEMORY_FULL },
		{ "io", PSI_IO_SOME, PSI_IO_FULL },
		{ "irq", 0, PSI_IRQ_FULL },
	};
	struct overview_line *l;

	(void)rows;
	if (model_delta(m, PSI_CPU_SOME, 0, 0).state == DELTA_ABSENT) {
		overview_words(o, model_why(m, PSI_CPU_SOME, -1));
		return;
	}
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct overview_figure full = share_of_time(m, of[i].full);

		if (!of[i].some && full.form == FIGURE_ABSENT)
			continue;
		l = overview_line(o, of[i].name);
		if (of[i].some)
			l->f[0] = share_of_time(m, of[i].some);
		l->f[1] = full;
	}
}

/* ---- the first schedule sources --------------------------------------------------- */

static const struct schedule_group *next_source(const struct schedule *s,
						const struct schedule_group *g)
{
	const struct schedule_group *best = NULL;

	for (uint32_t i = 0; i < s->ngroups; i++) {
		const struct schedule_group *x = &s->group[i];

		if (x->id >= SCHEDULE_ENDED || !x->w ||
		    (g && (x->w > g->w || (x->w == g->w && x->id <= g->id))))
			continue;
		if (!best || x->w > best->w ||
		    (x->w == best->w && x->id < best->id))
			best = x;
	}
	return best;
}

static void make_schedule(struct overview *o, const struct model *m,
			  struct rows *rows)
{
	const struct schedule_group *g = NULL;
	const struct schedule *s;
	struct overview_line *l;
	double low, high, share;

	if (schedule_make(&rows->schedule, m, BY_SOURCE) < 0) {
		rows->err = -1;
		return;
	}
	s = rows->schedule;
	if (!s->w) {
		overview_words(o, s->switches.state == DELTA_OK ?
			       "no stack taken in this window" :
			       model_why(m, SCHED_SWITCHES, -1));
		return;
	}
	if (!next_source(s, NULL))
		overview_words(o, "stalltop's own switches only");
	for (int i = 0; i < TOP_SOURCES && (g = next_source(s, g)); i++) {
		share = schedule_share(s, g->w, &low, &high);
		l = overview_line(o, g->source ? names_str(m->newer->names,
							   g->source) :
				  "(in the scheduler)");
		l->f[0] = figure_of(FIGURE_SHARE, share);
		l->f[1] = figure_of(FIGURE_PLUS_MINUS,
				    wilson_reach(share, low, high));
		l->f[2] = figure_of(FIGURE_RATE,
				    share * delta_rate(s->switches));
		l->f[2].total = (uint64_t)(share * (double)s->switches.diff +
					   .5);
		snprintf(l->note, sizeof(l->note), "%s", class_name(g->class));
	}
}

/* ---- all ---------------------------------------------------------------------------- */

void overview_make(struct overview *o, const struct model *m,
		   struct rows *rows)
{
	o->n = 0;
	o->has_depth_p99 = false;
	for (int i = 0; i < BLOCK_COUNT; i++) {
		o->first[i] = o->n;
		o->title[i] = overview_info[i].title;
		overview_info[i].make(o, m, rows);
	}
	o->first[BLOCK_COUNT] = o->n;
}

const struct overview_info overview_info[BLOCK_COUNT] = {
	[BLOCK_CPU] = { "cpu", "CPU TIME", { "" }, NULL, 12, 6, 1, 4,
		overview_cpu },
	[BLOCK_RUNQ] = { "run queue", "RUN QUEUE", { "now", "mean", "max", "p99" },
		NULL, 8, 5, 3, 2, overview_runq },
	[BLOCK_SCHEDULE] = { "schedule", "SCHEDULE", { "share", "±", "/s" },
		"class", 22, 6, 2, 3, make_schedule },
	[BLOCK_COUNTERS] = { "counters", "COUNTERS", { "/s" }, "per", 16, 7, 1,
		4, overview_counters },
	[BLOCK_VMSTAT] = { "vmstat", "VMSTAT", { "/s" }, NULL, 10, 6, 1, 5,
		make_vmstat },
	[BLOCK_DELAY] = { "delay", "DELAY", { "" }, NULL, 12, 9, 1, 2,
		overview_delay },
	[BLOCK_PRESSURE] = { "pressure", "PRESSURE", { "some", "full" }, NULL,
		9, 6, 2, 3, make_pressure },
	[BLOCK_INTERRUPTS] = { "interrupts", "INTERRUPTS", { "/s" }, NULL, 9,
		6, 1, 3, make_interrupts },
};
