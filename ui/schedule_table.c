// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does a row of the Schedule pane say?
 *
 * A share is measured by sampled stacks and carries its interval; the total
 * is exact, and every row's count is its share of that total, so that rows
 * add up to it.
 */
#include "pane_schedule.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"
#include "schedule_ends.h"
#include "units.h"

enum {
	COL_SHARE, COL_PLUS_MINUS, COL_PER_S, COL_SWITCHES, COL_SOURCE,
	COL_VIA, COL_CLASS, COL_WAIT, COL_P99, COL_TREND, COL_STACKS,
	COL_TASKS, COL_SAMPLES, COL_ALIAS
};

/* Where waits are not timed, their columns go before the others. */
#define COLUMNS(source_title, via_title, trend_width, tasks_width,	\
		wait_drop, p99_width)					\
	[COL_SHARE] = { "share", "SHARE",				\
		"share of the switches seen", 6, 0, 0, FORM_SHARE, -1 },	\
	[COL_PLUS_MINUS] = { "plus_minus", "±",				\
		"how far the 95 % interval of the share reaches, points",	\
		4, 0, 0, FORM_PLUS_MINUS, -1 },				\
	[COL_PER_S] = { "per_s", "/s",					\
		"switches per second: the share of the exact total",	\
		6, 0, 1, FORM_COUNT, -1 },				\
	[COL_SWITCHES] = { "switches", "TOTAL",				\
		"switches in the window: the share of the exact total",	\
		6, 0, 10, FORM_COUNT, -1 },				\
	[COL_SOURCE] = { "source", source_title,			\
		"who called schedule()", 22, 4, 0, FORM_TEXT, 1 },	\
	[COL_VIA] = { "via", via_title,					\
		"the way into the scheduler most of them took",		\
		11, 2, 5, FORM_TEXT, 1 },				\
	[COL_CLASS] = { "class", "CLASS",				\
		"the kind of wait", 10, 0, 2, FORM_TEXT, 1 },		\
	[COL_WAIT] = { "wait", "WAIT avg",				\
		"mean time from switch-out to switch-in, of the waits "	\
		"that ended; still longer ones are not in it",		\
		8, 0, wait_drop, FORM_NS, -1 },				\
	[COL_P99] = { "p99", "p99",					\
		"of the waits that ended, 99 % took less: upper edge "	\
		"of a bucket at most a quarter wide; from 100 waits on",	\
		p99_width, 0, 4, FORM_NS, -1 },				\
	[COL_TREND] = { "trend", "TREND",				\
		"switches per second, sample by sample",		\
		trend_width, 0, 6, FORM_TREND, -1 },				\
	[COL_STACKS] = { "stacks", "STACKS",				\
		"different stacks behind the row",			\
		6, 0, 9, FORM_COUNT, -1 },				\
	[COL_TASKS] = { "tasks", "TASKS",				\
		"the tasks that did it most",				\
		tasks_width, 3, 8, FORM_TEXT, 1 },			\
	[COL_SAMPLES] = { "samples", "SAMPLES",				\
		"stacks taken", 0, 0, 10, FORM_COUNT, -1 },		\
	[COL_ALIAS] = { "alias", "ALIAS",				\
		"the source's name that all kernels share",		\
		0, 0, 9, FORM_TEXT, 1 },				\
	{ 0 }

const struct column schedule_source_columns[] = {
	COLUMNS("SOURCE", "VIA", 8, 18, 3, 6)
};
static const struct column by_stack[] = {
	COLUMNS("STACK", "VIA", 0, 18, 3, 6)
};
static const struct column by_task[] = {
	COLUMNS("TASK", "SOURCE", 0, 0, 3, 6)
};
static const struct column untimed_source[] = {
	COLUMNS("SOURCE", "VIA", 8, 18, 7, 0)
};
static const struct column untimed_stack[] = {
	COLUMNS("STACK", "VIA", 0, 18, 7, 0)
};
static const struct column untimed_task[] = {
	COLUMNS("TASK", "SOURCE", 0, 0, 7, 0)
};

/* ---- rows ------------------------------------------------------------------- */

static const char *symbol_text(const struct names *n, uint32_t id)
{
	return id ? names_str(n, id) : "(in the scheduler)";
}

static const char *stack_text(struct rows *rows, const struct names *n,
			      const struct schedule_group *g)
{
	const struct name *stack = names_get(n, g->stack);
	char buf[256];
	size_t len;

	snprintf(buf, sizeof(buf), "%s", symbol_text(n, g->source));
	if (!stack || stack->kind != NAME_STACK || !g->source)
		return rows_text(rows, buf);
	for (unsigned i = g->depth + 1; i < stack->len; i++) {
		len = strlen(buf);
		if (len + 8 >= sizeof(buf))
			break;
		snprintf(buf + len, sizeof(buf) - len, " < %s",
			 names_str(n, stack->stack.frame[i]));
	}
	return rows_text(rows, buf);
}

const char *schedule_text(struct rows *rows, const struct schedule *s,
			  const struct names *n,
			  const struct schedule_group *g)
{
	const struct name *task = names_get(n, g->task);

	if (g->id == SCHEDULE_ENDED)
		return "(ended)";
	if (g->id == SCHEDULE_SELF)
		return "stalltop itself";
	if (s->by == BY_STACK)
		return stack_text(rows, n, g);
	if (s->by == BY_SOURCE)
		return symbol_text(n, g->source);
	if (!task || task->kind != NAME_TASK)
		return "?";
	return rows_printf(rows, "%s (%d)", task->text, task->task.tid);
}

static struct value tasks_value(struct rows *rows, const struct names *n,
				const struct schedule_group *g)
{
	char buf[128] = "";

	for (int i = 0; i < SCHEDULE_TASKS && g->tasks[i].id; i++) {
		size_t len = strlen(buf);

		if (i && len + 18 >= sizeof(buf))
			break;
		snprintf(buf + len, sizeof(buf) - len, "%s%s", i ? " " : "",
			 names_str(n, g->tasks[i].id));
	}
	return value_text(rows_text(rows, buf));
}

static struct value wait_value(const struct schedule *s,
			       const struct schedule_group *g)
{
	if (schedule_has_wait(s, g))
		return value_real((double)g->wait_ns / (double)g->waits);
	return value_absent(s->exact || s->is_kernels ?
			    "no timed wait ended in the window" :
			    "wait times need every switch: --every 1");
}

static struct value p99_value(const struct schedule *s,
			      const struct schedule_group *g)
{
	if (g->p99_ns)
		return value_real((double)g->p99_ns);
	return value_absent(s->is_kernels ?
			    "fewer than 100 timed waits in the window" :
			    "only the in-kernel engine times so many waits");
}

static struct value trend_value(uint64_t id)
{
	return (struct value){ .kind = VALUE_TREND, .u = id };
}

/* What only an attributed row has. */
static void set_origin(struct row *row, const struct schedule *s,
		       const struct names *n, const struct schedule_group *g)
{
	const struct schedule_heavy *via = &g->via[0];

	if (g->id == SCHEDULE_ENDED)
		return;
	row->v[COL_STACKS] = value_u64(g->stacks);
	if (g->id == SCHEDULE_SELF)
		return;
	row->v[COL_CLASS] = value_text(class_name(s->by == BY_TASK ?
						  via->class : g->class));
	if (via->id || s->by == BY_TASK)
		row->v[COL_VIA] = value_text(symbol_text(n, via->id));
	if (g->source && s->by != BY_TASK)
		row->v[COL_ALIAS] =
			value_text(symbol_alias(names_str(n, g->source)));
}

/* Each count is rounded so that the counts add up: `before` is the weight of
 * the rows above. */
static void set_counts(struct row *row, const struct schedule *s,
		       const struct schedule_group *g, uint64_t before)
{
	double total = (double)s->switches.diff, low, high;
	double share = schedule_share(s, g->w, &low, &high);

	/* Half the interval each: neighbours change places when they surely
	 * differ, but 10 % never stands above 90 %. */
	row->low = isnan(share) ? 0 : share - (share - low) / 2;
	row->high = isnan(share) ? 0 : share + (high - share) / 2;
	row->v[COL_SHARE] = value_real(share);
	row->v[COL_PLUS_MINUS] = value_real(wilson_reach(share, low, high));
	row->v[COL_SAMPLES] = value_u64(g->n);
	if (s->switches.state != DELTA_OK || !s->w)
		return;
	row->v[COL_PER_S] = value_real(share * delta_rate(s->switches));
	row->v[COL_SWITCHES] = value_u64(
		(uint64_t)(total * (double)(before + g->w) / (double)s->w +
			   .5) -
		(uint64_t)(total * (double)before / (double)s->w + .5));
}

int schedule_fill(const struct model *m, const struct view *view,
		struct rows *rows)
{
	const struct names *n = m->newer ? m->newer->names : NULL;
	const struct schedule *s;
	uint64_t before = 0;
	int err = schedule_make(&rows->schedule, m, view->by);

	if (!err)
		err = schedule_ends_make(rows, m);
	if (err)
		return err;
	s = rows->schedule;
	for (uint32_t i = 0; i < s->ngroups; i++) {
		const struct schedule_group *g = &s->group[i];
		struct row *row = rows_add(rows, g->id);

		if (!row)
			return rows->err;
		set_counts(row, s, g, before);
		before += g->w;
		row->v[COL_SOURCE] = value_text(schedule_text(rows, s, n, g));
		set_origin(row, s, n, g);
		row->v[COL_WAIT] = wait_value(s, g);
		row->v[COL_P99] = p99_value(s, g);
		if (view->by == BY_SOURCE && g->id < SCHEDULE_ENDED)
			row->v[COL_TREND] = trend_value(g->id);
		row->v[COL_TASKS] = tasks_value(rows, n, g);
		if (row->low > .5 && g->class != CLASS_IDLE)
			row->role = ROLE_HOT;
	}
	return 0;
}

const struct column *schedule_columns(enum view_by by, bool timed)
{
	static const struct column *const all[2][BY_COUNT] = {
		{ untimed_source, untimed_stack, untimed_task },
		{ schedule_source_columns, by_stack, by_task },
	};

	return all[timed][by];
}
