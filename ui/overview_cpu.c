// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where did the CPUs' time go, how deep were their queues, how long did tasks
 * wait in them?
 *
 * Shares of time are made of the sum of what each CPU counted, so they add up
 * to 100 % whatever the clock did.  Means and maxima of depths come from five
 * reads on.
 */
#include "overview.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { READS_MIN = 5 };

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

static void add_deepest(struct overview *o, const struct model *m)
{
	struct depth d, deepest = { .now.state = DELTA_ABSENT };
	struct model_iter it[3];
	uint32_t cpu, at = 0, n = 0;
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
	set_depth(overview_line(o, name), &deepest);
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

	(void)rows;
	if (all.now.state == DELTA_ABSENT)
		overview_words(o, model_why(m, LOAD_RUNNING, -1));
	else
		set_depth(overview_line(o, "all"), &all);
	if (m->newer)
		add_deepest(o, m);
}

/* ---- delay ----------------------------------------------------------------------- */

static uint32_t cpus_online(const struct model *m)
{
	size_t n = 0;

	if (m->newer)
		sample_range(m->newer, STAT_IDLE, &n);
	return (uint32_t)n;
}

void overview_delay(struct overview *o, const struct model *m,
		    struct rows *rows)
{
	struct delta delay = model_sum(m, SCHEDSTAT_DELAY);
	struct delta slices = model_sum(m, SCHEDSTAT_SLICES);
	bool busiest = delay.state == DELTA_ABSENT;
	double cpus = cpus_online(m), per_s;
	struct overview_line *l;

	(void)rows;
	if (busiest) {
		delay = model_sum(m, TASK_DELAY);
		slices = model_sum(m, TASK_SLICES);
	}
	per_s = delta_rate(delay);
	if (delay.state == DELTA_ABSENT) {
		overview_words(o, model_why(m, SCHEDSTAT_DELAY, -1));
		return;
	}
	l = overview_line(o, "per switch");
	l->f[0] = slices.state == DELTA_OK && slices.diff && !isnan(per_s) ?
		figure_of(FIGURE_NS, (double)delay.diff / (double)slices.diff) :
		figure_absent("no switch in the window");
	/* threads that live between two samples have waited too */
	l = overview_line(o, busiest ? "per cpu >=" : "per cpu");
	l->f[0] = cpus > 0 && !isnan(per_s) ?
		figure_of(FIGURE_NS_RATE, per_s / cpus) : figure_absent(NULL);
	if (busiest)
		o->title[BLOCK_DELAY] = "DELAY of busiest";
}
