// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where did the CPUs' time go, and how deep were their queues?
 *
 * Shares of time are made of the sum of what each CPU counted, so they add up
 * to 100 % whatever the clock did.  Means and maxima of depths come from five
 * reads on.
 */
#include "overview.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "histogram.h"

enum { READS_MIN = 5, READS_P99 = 100 };
enum { DEPTHS = 64 };		/* of rq.hist: the last, and deeper ones */
enum { CELL_NOW, CELL_MEAN, CELL_MAX, CELL_P99 };

static const struct {
	const char *name;
	uint16_t metric[3];
} times[] = {
	{ "user", { STAT_USER, STAT_NICE } },
	{ "system", { STAT_SYSTEM, STAT_IRQ, STAT_SOFTIRQ } },
	{ "idle", { STAT_IDLE } },
	{ "iowait", { STAT_IOWAIT } },
	{ "steal", { STAT_STEAL } },
};

enum { TIMES = sizeof(times) / sizeof(*times) };

static uint64_t ticks_of(const struct model *m, int i)
{
	uint64_t sum = 0;

	for (int k = 0; k < 3 && times[i].metric[k]; k++)
		sum += model_sum(m, times[i].metric[k]).diff;
	return sum;
}

/* CPUs that the host has and that gave no reading now. */
static void add_offline(struct overview *o, const struct model *m)
{
	uint32_t cpus = m->newer->host ? m->newer->host->cpus : 0, seen = 0;
	uint32_t first = UINT32_MAX, next = 0;
	struct overview_line *l;
	struct model_iter it;
	struct model_row row;

	model_iterate(m, STAT_IDLE, &it);
	while (model_next(&it, &row)) {
		if (row.key > next && first == UINT32_MAX)
			first = next;
		next = row.key + 1;
		seen++;
	}
	if (!seen || seen >= cpus)
		return;
	if (first == UINT32_MAX)
		first = next;
	l = overview_line(o, "offline");
	l->f[0] = figure_of(FIGURE_COUNT, cpus - seen);
	if (cpus - seen == 1)
		snprintf(l->name, sizeof(l->name), "offline cpu%u", first);
}

void overview_cpu(struct overview *o, const struct model *m,
		  struct rows *rows)
{
	uint64_t ticks[TIMES], all = 0;

	(void)rows;
	if (!m->newer || model_sum(m, STAT_IDLE).state == DELTA_ABSENT) {
		overview_words(o, model_why(m, STAT_IDLE, -1));
		return;
	}
	for (int i = 0; i < TIMES; i++)
		all += ticks[i] = ticks_of(m, i);
	for (int i = 0; i < TIMES; i++)
		overview_line(o, times[i].name)->f[0] = all ?
			figure_of(FIGURE_SHARE, (double)ticks[i] / (double)all)
			: figure_absent("no difference yet");
	add_offline(o, m);
}

/* ---- run queue ----------------------------------------------------------------- */

struct depth {
	struct delta now, reads, sum;
	double max;		/* of the window; NAN unknown */
};

static void set_depth(struct overview_line *l, const struct depth *d)
{
	double reads = d->reads.state == DELTA_OK ? (double)d->reads.diff : 0;
	const char *few = "from five reads on";

	l->f[0] = figure_of(FIGURE_COUNT, (double)d->now.value);
	l->f[1] = l->f[2] = figure_absent(few);
	if (d->now.state == DELTA_ABSENT)
		l->f[0] = figure_absent("not read");
	if (reads < READS_MIN)
		return;
	if (d->sum.state == DELTA_OK)
		l->f[1] = figure_of(FIGURE_DEPTH, (double)d->sum.diff / reads);
	l->f[2] = isnan(d->max) ? figure_absent("not seen for so long")
				: figure_of(FIGURE_COUNT, d->max);
}

static double depth_weight(const struct depth *d)
{
	if (d->reads.state == DELTA_OK && d->reads.diff >= READS_MIN)
		return (double)d->sum.diff / (double)d->reads.diff;
	return (double)d->now.value;
}

static bool next_depth(struct model_iter it[3], uint32_t *cpu,
		       struct depth *d)
{
	struct model_row row[3];

	for (int i = 0; i < 3; i++)
		if (!model_next(&it[i], &row[i]) || row[i].key != row[0].key)
			return false;
	*cpu = row[0].key;
	*d = (struct depth){ row[0].d, row[1].d, row[2].d, NAN };
	return true;
}

/* The three metrics of a CPU come together or not at all. */
static void depths_begin(const struct model *m, struct model_iter it[3])
{
	static const uint16_t metric[3] = { RQ_NOW, RQ_READS, RQ_SUM };

	for (int i = 0; i < 3; i++)
		model_iterate(m, metric[i], &it[i]);
}

/* The depth that 99 % of the looks at this CPU did not find exceeded. */
static struct overview_figure depth_p99(const struct model *m, uint32_t cpu)
{
	uint64_t n[DEPTHS] = { 0 }, all = 0, below = 0;
	struct model_iter it;
	struct model_row row;
	int i = 0;

	model_iterate(m, RQ_HIST, &it);
	while (model_next(&it, &row)) {
		if (row.key != cpu)
			continue;
		n[row.sub < DEPTHS ? row.sub : DEPTHS - 1] +=
			histogram_gained(m, RQ_HIST, RQ_READS, &row);
	}
	for (int k = 0; k < DEPTHS; k++)
		all += n[k];
	if (all < READS_P99)
		return figure_absent("from 100 reads on");
	while (i < DEPTHS - 1 && (below += n[i]) * 100 < all * 99)
		i++;
	return figure_of(FIGURE_COUNT, i);
}

static void add_deepest(struct overview *o, const struct model *m)
{
	struct depth d, deepest = { .now.state = DELTA_ABSENT };
	struct model_iter it[3];
	uint32_t cpu, at = 0, n = 0;
	struct overview_line *l;
	char name[16];

	depths_begin(m, it);
	while (next_depth(it, &cpu, &d))
		if (!n++ || depth_weight(&d) > depth_weight(&deepest)) {
			deepest = d;
			at = cpu;
		}
	if (n < 2)
		return;
	snprintf(name, sizeof(name), "cpu%u", at);
	deepest.max = model_depth_max(m, (int)at);
	l = overview_line(o, name);
	set_depth(l, &deepest);
	if (o->has_depth_p99)
		l->f[CELL_P99] = depth_p99(m, at);
}

int overview_cpus(const struct model *m)
{
	const struct reading *r;
	uint32_t cpus;
	size_t n = 0;

	r = m->newer ? sample_range(m->newer, RQ_NOW, &n) : NULL;
	if (!r)
		return 0;
	cpus = r[n - 1].key + 1;
	if (m->newer->host && m->newer->host->cpus > cpus)
		cpus = m->newer->host->cpus;
	return cpus < 65536 ? (int)cpus : 65536;
}

int overview_depths(const struct model *m, int per, double *cell, int max)
{
	int n = (overview_cpus(m) + per - 1) / per;
	struct model_iter it[3];
	struct depth d;
	uint32_t cpu;

	n = n < max ? n : max;
	for (int i = 0; i < n; i++)
		cell[i] = NAN;
	depths_begin(m, it);
	while (next_depth(it, &cpu, &d) && (int)(cpu / (uint32_t)per) < n)
		cell[cpu / (uint32_t)per] =
			fmax(cell[cpu / (uint32_t)per], depth_weight(&d));
	return n;
}

void overview_runq(struct overview *o, const struct model *m,
		   struct rows *rows)
{
	struct depth all = {
		model_delta(m, LOAD_RUNNING, 0, 0),
		model_delta(m, LOAD_READS, 0, 0),
		model_delta(m, LOAD_SUM, 0, 0),
		model_depth_max(m, -1),
	};

	struct overview_line *l;

	(void)rows;
	o->has_depth_p99 = model_sum(m, RQ_HIST).state != DELTA_ABSENT;
	if (all.now.state == DELTA_ABSENT) {
		overview_words(o, model_why(m, LOAD_RUNNING, -1));
	} else {
		l = overview_line(o, "all");
		set_depth(l, &all);
		if (o->has_depth_p99)
			l->f[CELL_P99] = figure_absent("of single CPUs only");
	}
	if (m->newer)
		add_deepest(o, m);
}
