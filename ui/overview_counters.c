// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What did the counters count?
 *
 * A counter that shared its hardware is scaled by the time it ran and says
 * so.  A ratio is shown only between two counters that both ran all the time
 * on the same CPUs: else it would compare different moments.
 */
#include "overview.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNTERS = 64 };

struct counter {
	const char *name;
	double scaled;
	uint64_t enabled_ns, running_ns, span_ns;
	uint64_t cpus;		/* a hash of the CPUs it was counted on */
	bool is_known, is_whole;	/* a difference; ran all the time */
	bool is_own;		/* of the own user's processes only */
};

static const struct {
	const char *name, *by, *format;
	double scale;
} ratios[] = {
	{ "cycles", "task-clock", "%.2f GHz", 1 },
	{ "instructions", "cycles", "%.2f IPC", 1 },
	{ "stalled-cycles-frontend", "instructions", "%.2f/insn", 1 },
	{ "stalled-cycles-backend", "instructions", "%.2f/insn", 1 },
	{ "branch-misses", "branches", "%.1f%% miss", 100 },
	{ "cache-misses", "instructions", "%.1f MPKI", 1000 },
	{ "dTLB-load-misses", "instructions", "%.1f MPKI", 1000 },
	{ "iTLB-load-misses", "instructions", "%.1f MPKI", 1000 },
};

static uint64_t diff_at(struct model_iter *it, struct model_row *row,
			bool *has, uint32_t key, uint32_t sub)
{
	while (*has && (row->key < key || (row->key == key && row->sub < sub)))
		*has = model_next(it, row);
	if (!*has || row->key != key || row->sub != sub ||
	    row->d.state != DELTA_OK)
		return 0;
	return row->d.diff;
}

static void counter_add(struct counter *c, uint32_t cpu,
			const struct delta *value, uint64_t enabled_ns,
			uint64_t running_ns)
{
	c->is_own = cpu == PERF_OWN_USER;
	if (value->state != DELTA_OK || !enabled_ns)
		return;
	c->cpus = (c->cpus ^ (cpu + 1)) * 0x100000001b3ull;
	c->span_ns = value->span_ns;
	c->enabled_ns += enabled_ns;
	c->running_ns += running_ns;
	if (running_ns != enabled_ns)
		c->is_whole = false;
	if (!running_ns)
		return;
	c->is_known = true;
	c->scaled += (double)value->diff * (double)enabled_ns /
		     (double)running_ns;
}

/* All counters, in the order they were named in. */
static int counters_read(const struct model *m, struct counter *c)
{
	struct model_iter value, enabled, running;
	struct model_row row, on = { 0 }, ran = { 0 };
	uint32_t key = 0;
	bool has_on, has_ran;
	int n = 0;

	model_iterate(m, PERF_VALUE, &value);
	model_iterate(m, PERF_ENABLED, &enabled);
	model_iterate(m, PERF_RUNNING, &running);
	has_on = model_next(&enabled, &on);
	has_ran = model_next(&running, &ran);
	while (model_next(&value, &row)) {
		if (row.key != key || !n) {
			if (n == COUNTERS)
				break;
			key = row.key;
			c[n++] = (struct counter){
				.name = names_str(m->newer->names, key),
				.is_whole = true,
			};
		}
		counter_add(&c[n - 1], row.sub, &row.d,
			    diff_at(&enabled, &on, &has_on, key, row.sub),
			    diff_at(&running, &ran, &has_ran, key, row.sub));
	}
	return n;
}

/* Is this counter the event, or what user code did of it? */
static bool is_named(const struct counter *c, const char *event)
{
	size_t len = strlen(event);

	return !strncmp(c->name, event, len) &&
	       (!c->name[len] || (c->is_own && !strcmp(c->name + len, ":u")));
}

static bool is_clock(const struct counter *c)
{
	return is_named(c, "task-clock");
}

/* Its partner; task-clock:u has the time in the kernel, which others lack. */
static const struct counter *counter_find(const struct counter *c, int n,
					  const char *name)
{
	for (int i = 0; i < n; i++)
		if (is_named(&c[i], name) &&
		    strcmp(c[i].name, "task-clock:u"))
			return &c[i];
	return NULL;
}

static void set_ratio(struct overview_line *l, const struct counter *all, int n,
		      const struct counter *c)
{
	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++) {
		const struct counter *by;

		if (!is_named(c, ratios[i].name))
			continue;
		by = counter_find(all, n, ratios[i].by);
		if (!by || !by->is_known || !by->is_whole || by->scaled <= 0 ||
		    by->cpus != c->cpus)
			return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(l->note, sizeof(l->note), ratios[i].format,
			 ratios[i].scale * c->scaled / by->scaled);
#pragma GCC diagnostic pop
	}
}

static void add_counter(struct overview *o, const struct counter *all, int n,
			const struct counter *c)
{
	struct overview_line *l = overview_line(o, c->name);
	double per_s = c->scaled * 1e9 / (double)c->span_ns;

	if (!c->is_known) {
		l->f[0] = figure_absent(c->enabled_ns ? "never ran" : NULL);
		snprintf(l->note, sizeof(l->note), "%s",
			 c->enabled_ns ? "never ran" : "");
		return;
	}
	l->f[0] = figure_of(FIGURE_RATE, per_s);
	l->f[0].total = (uint64_t)(c->scaled + .5);
	if (is_clock(c))
		l->f[0] = figure_of(FIGURE_CPUS, per_s / 1e9);
	if (c->is_whole)
		set_ratio(l, all, n, c);
	else
		snprintf(l->note, sizeof(l->note), "%.0f%% run",
			 100 * (double)c->running_ns / (double)c->enabled_ns);
	if (c->is_own && !*l->note)
		snprintf(l->note, sizeof(l->note), "own");
}

static const char *short_reason(int err, bool hardware)
{
	switch (err) {
	case EACCES:
	case EPERM:
		return "refused";
	case EMFILE:
	case ENFILE:
		return "no more fds";
	default:
		return hardware ? "no PMU" : "none here";
	}
}

static const struct health_item *next_absent(const struct health *h, size_t *i)
{
	while (h && *i < h->n) {
		const struct health_item *item = &h->item[(*i)++];

		if (!strcmp(item->collector, "counters") && item->part[0] &&
		    item->level == HEALTH_ABSENT)
			return item;
	}
	return NULL;
}

/* Events that are missing; all of the hardware for one reason: one line. */
static void add_absent(struct overview *o, const struct model *m)
{
	const struct health *h = m->newer ? m->newer->health : NULL;
	const struct health_item *item, *hardware = NULL;
	size_t i = 0;

	while ((item = next_absent(h, &i)))
		if (!strcmp(item->part, "hardware"))
			hardware = item;
	for (i = 0; (item = next_absent(h, &i));) {
		struct overview_line *l;

		if (hardware && item != hardware && item->err == hardware->err)
			continue;
		l = overview_line(o, item->part);
		l->f[0] = figure_absent(item->why);
		snprintf(l->note, sizeof(l->note), "%s",
			 short_reason(item->err, item == hardware));
	}
}

/* The kernel's own count: as an event of perf it would cost every switch. */
static void add_switches(struct overview *o, const struct model *m,
			 const struct counter *c, int n)
{
	struct delta d = model_sum(m, STAT_SWITCHES);
	struct overview_line *l;

	for (int i = 0; i < n; i++)
		if (c[i].is_own || is_named(&c[i], "context-switches"))
			return;
	if (d.state == DELTA_ABSENT)
		return;
	l = overview_line(o, "context-switches");
	l->f[0] = figure_absent("no difference yet");
	if (d.state != DELTA_OK)
		return;
	l->f[0] = figure_of(FIGURE_RATE, delta_rate(d));
	l->f[0].total = d.diff;
}

void overview_counters(struct overview *o, const struct model *m,
		       struct rows *rows)
{
	struct counter c[COUNTERS];
	int n = m->newer ? counters_read(m, c) : 0;

	(void)rows;
	for (int i = 0; i < n; i++) {
		if (c[i].is_own)
			o->title[BLOCK_COUNTERS] = "OWN PROCESSES";
		add_counter(o, c, n, &c[i]);
		if (!i)
			add_switches(o, m, c, n);
	}
	if (n)
		add_absent(o, m);
	else
		overview_words(o, model_why(m, PERF_VALUE, -1));
}
