// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long did tasks wait for a CPU?
 *
 * The in-kernel engine sees every switch-in; a quantile is the upper edge of
 * its bucket.  Without it: /proc/schedstat, or at least the busiest threads.
 */
#include "overview.h"

#include <math.h>
#include <string.h>

#include "histogram.h"
#include "series.h"

static uint32_t cpus_online(const struct model *m)
{
	size_t n = 0;

	if (m->newer)
		sample_range(m->newer, STAT_IDLE, &n);
	return (uint32_t)n;
}

static void delays_of(const struct model *m, struct histogram *h)
{
	struct model_iter it;
	struct model_row row;

	memset(h, 0, sizeof(*h));
	model_iterate(m, SCHED_DELAY_HIST, &it);
	while (model_next(&it, &row))
		histogram_add(h, row.sub,
			      histogram_gained(m, SCHED_DELAY_HIST,
					       SCHED_DELAYS, &row));
}

static void add_time(struct overview *o, const char *name, double ns,
		     const char *why)
{
	overview_line(o, name)->f[0] = isnan(ns) ? figure_absent(why) :
						   figure_of(FIGURE_NS, ns);
}

/* Every switch-in that had waited, by the in-kernel engine; where there is
 * little room the last lines go first. */
static void add_exact(struct overview *o, const struct model *m)
{
	const char *none = "no task waited in the window";
	struct delta n = model_sum(m, SCHED_DELAYS);
	struct delta sum = model_sum(m, SCHED_DELAY);
	double per_s = delta_rate(sum), cpus = cpus_online(m), longest = NAN;
	struct histogram h;

	delays_of(m, &h);
	if (m->series && m->older)
		longest = series_delay(m->series, m->older->mono_ns);
	add_time(o, "per switch", n.state == DELTA_OK && n.diff ?
		 (double)sum.diff / (double)n.diff : NAN, none);
	add_time(o, "p99 <=", histogram_quantile(&h, .99), none);
	add_time(o, "max", longest, "not seen for so long");
	overview_line(o, "per cpu")->f[0] = cpus > 0 && !isnan(per_s) ?
		figure_of(FIGURE_NS_RATE, per_s / cpus) : figure_absent(NULL);
	add_time(o, "p50 <=", histogram_quantile(&h, .5), none);
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
	if (model_sum(m, SCHED_DELAYS).state != DELTA_ABSENT) {
		add_exact(o, m);
		return;
	}
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
