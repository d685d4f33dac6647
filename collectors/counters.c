/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often did these events happen, on every CPU?  What the counters hold,
 * with the time they were wanted and the time they had hardware to run on;
 * scaling is done by who shows them.
 *
 * An event is wanted on whole CPUs.  Where the kernel refuses that to a user,
 * all are of the own user's processes, under names and a sub key that say so:
 * never some of these and some of those.
 */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "collector.h"
#include "collectors.h"
#include "counters_own.h"
#include "events.h"
#include "perf.h"

#define SELF "counters"

/* Not context-switches: at 400,000 a second that event costs 4 % of a pair's
 * time, and ctxt of /proc/stat is the same number for nothing. */
static const char usual[] = "task-clock,cpu-migrations,page-faults,cycles,"
	"instructions,stalled-cycles-frontend,stalled-cycles-backend,"
	"branches,branch-misses,cache-misses,dTLB-load-misses,"
	"iTLB-load-misses";

enum { TYPE_SOFTWARE = 1 };	/* PERF_TYPE_SOFTWARE */

struct counter {
	struct event_want want;
	struct perf_group *group;	/* NULL: could not be opened */
	int own;			/* else index + 1 in counters_own */
	int err;			/* positive errno then, and the words */
	char why[HEALTH_WHY], remedy[HEALTH_WHY];
	size_t missing;			/* CPUs without it, as last reported */
	uint32_t text;			/* its name's id */
	const struct names *names;	/* in this table */
};

struct counters {
	const struct env *env;
	struct counter c[EVENTS_MAX];
	size_t n, open;
	size_t cpus;			/* as last reported */
	struct counters_own *own;	/* NULL: on whole CPUs */
	char refused[HEALTH_WHY], remedy[HEALTH_WHY];	/* why not, then */
};

static int is_hardware(const struct counter *c)
{
	return c->want.code.type != TYPE_SOFTWARE && !c->want.tracepoint;
}

static int counter_try(struct counter *c)
{
	struct perf_want want = { .every = 0 };
	int err;

	err = events_resolve(&c->want, c->why, sizeof(c->why), c->remedy,
			     sizeof(c->remedy));
	if (err)
		return err;
	want.code = c->want.code;
	err = perf_open(&c->group, &want);
	if (err)
		perf_why(-err, &want.code, c->why, sizeof(c->why), c->remedy,
			 sizeof(c->remedy));
	return err;
}

static void counter_open(struct counters *cs, struct counter *c)
{
	int err = counter_try(c);

	if (!err) {
		cs->open++;
		if (perf_cpus(c->group) > cs->cpus)
			cs->cpus = perf_cpus(c->group);
		return;
	}
	c->err = -err;
}

static void report_absent(const struct counters *cs, const struct counter *c)
{
	if (c->err)
		health_set(cs->env->health, SELF, c->want.name, 0, -1,
			   HEALTH_ABSENT, c->err, c->remedy, "%s: %s",
			   c->want.name, c->why);
}

static const struct counter *refused_find(const struct counters *cs)
{
	size_t i;

	for (i = 0; i < cs->n; i++)
		if (cs->c[i].err == EACCES || cs->c[i].err == EPERM)
			return &cs->c[i];
	return NULL;
}

static int counter_try_own(struct counters *cs, struct counter *c)
{
	int i = events_resolve(&c->want, c->why, sizeof(c->why), c->remedy,
			       sizeof(c->remedy));

	if (!i)
		i = counters_own_add(cs->own, &c->want, c->why, sizeof(c->why),
				     c->remedy, sizeof(c->remedy));
	return i;
}

/* Whole CPUs are refused: the own user's processes, if that is let. */
static void counters_open_own(struct counters *cs)
{
	const struct counter *first = refused_find(cs);
	size_t i;
	int at;

	if (!first || counters_own_open(&cs->own, cs->env))
		return;
	strcpy(cs->refused, first->why);
	strcpy(cs->remedy, first->remedy);
	for (i = 0; i < cs->n; i++) {
		at = counter_try_own(cs, &cs->c[i]);
		cs->c[i].err = at < 0 ? -at : 0;
		cs->c[i].own = at < 0 ? 0 : at + 1;
		cs->open += at >= 0;
	}
	if (cs->open && !counters_own_look(cs->own))
		return;
	for (i = 0; i < cs->n; i++)
		cs->c[i].err = cs->c[i].err ? cs->c[i].err : EACCES;
	cs->open = 0;
}

/* When no hardware event opened and all for one reason, say it once: in the
 * words of each, so that doctor makes one line of them. */
static void report_hardware(struct counters *cs)
{
	const struct counter *first = NULL;
	size_t i, n = 0;

	for (i = 0; i < cs->n; i++) {
		if (!is_hardware(&cs->c[i]))
			continue;
		if (!cs->c[i].err || (first && first->err != cs->c[i].err))
			return;
		first = first ? first : &cs->c[i];
		n++;
	}
	if (n > 1)
		health_set(cs->env->health, SELF, "hardware", 0, -1,
			   HEALTH_ABSENT, first->err, first->remedy,
			   "%s", first->why);
}

/* What task-clock means on a whole CPU, where it counts no task; and that the
 * kernel does not leave its own time out of it when told to. */
static void report_clock(const struct counters *cs)
{
	size_t i;

	for (i = 0; i < cs->n; i++)
		if (cs->c[i].own && !strcmp(cs->c[i].want.name, "task-clock:u"))
			health_set(cs->env->health, SELF, "task-clock", 0, -1,
				   HEALTH_NOTE, 0, NULL, "the time in the "
				   "kernel is in task-clock:u too");
	for (i = 0; i < cs->n; i++)
		if (cs->c[i].group && !strcmp(cs->c[i].want.name, "task-clock"))
			health_set(cs->env->health, SELF, "task-clock", 0, -1,
				   HEALTH_NOTE, 0, NULL, "task-clock of whole "
				   "CPUs counts their idle time too: 1 s per "
				   "CPU and second, as in perf stat -a");
}

static int report_none(struct counters *cs)
{
	const struct counter *c = &cs->c[0];

	health_set(cs->env->health, SELF, "", 0, -1, HEALTH_ABSENT, c->err,
		   c->remedy, "no event can be counted on whole CPUs: %s",
		   c->why);
	return -c->err;
}

static void report_own(struct counters *cs)
{
	const struct passwd *pw = getpwuid(geteuid());
	char uid[16];

	snprintf(uid, sizeof(uid), "%u", geteuid());
	health_set(cs->env->health, SELF, "", 0, -1, HEALTH_PARTLY, EACCES,
		   cs->remedy, "own processes of user %s only (%zu of %zu "
		   "events): %s", pw ? pw->pw_name : uid, cs->open, cs->n,
		   cs->refused);
}

static void report_open(struct counters *cs)
{
	health_set(cs->env->health, SELF, "", 0, -1,
		   cs->open == cs->n ? HEALTH_OK : HEALTH_PARTLY, 0, NULL,
		   "%zu of %zu events on %zu CPUs", cs->open, cs->n, cs->cpus);
}

static int counters_parse(struct counters *cs, const char *list)
{
	struct event_want want[EVENTS_MAX];
	char err[HEALTH_WHY];
	int i, n = events_parse(list, want, EVENTS_MAX, err, sizeof(err));

	if (n < 0) {
		health_set(cs->env->health, SELF, "", 0, -1, HEALTH_ABSENT,
			   -n, "stalltop --list-events", "%s", err);
		return n;
	}
	for (i = 0; i < n; i++)
		cs->c[i].want = want[i];
	cs->n = (size_t)n;
	return 0;
}

static void counters_close(void *state)
{
	struct counters *cs = state;
	size_t i;

	for (i = 0; cs && i < cs->n; i++)
		perf_close(cs->c[i].group);
	if (cs)
		counters_own_close(cs->own);
	free(cs);
}

static int counters_open(void **state, const struct env *env)
{
	struct counters *cs = calloc(1, sizeof(*cs));
	size_t i;
	int err;

	if (!cs)
		return -ENOMEM;
	cs->env = env;
	err = counters_parse(cs, env->opt->events ? env->opt->events : usual);
	if (err)
		goto out;
	for (i = 0; i < cs->n; i++)
		counter_open(cs, &cs->c[i]);
	if (!cs->open)
		counters_open_own(cs);
	for (i = 0; i < cs->n; i++)
		report_absent(cs, &cs->c[i]);
	if (!cs->open) {
		err = report_none(cs);
		goto out;
	}
	if (cs->own)
		report_own(cs);
	else
		report_open(cs);
	report_hardware(cs);
	report_clock(cs);
	*state = cs;
out:
	if (err)
		counters_close(cs);
	return err;
}

/* Says which CPUs an event is not counted on, when their number changes. */
static void counter_report(struct counters *cs, struct counter *c)
{
	struct health *h = cs->env->health;
	size_t i, missing = 0, n = perf_cpus(c->group);
	int cpu, err, of = -1, why = 0;

	for (i = 0; i < n; i++) {
		cpu = perf_slot_cpu(c->group, i, &err);
		if (!err)
			continue;
		missing++;
		of = cpu;
		why = err;
	}
	if (missing == c->missing)
		return;
	c->missing = missing;
	if (missing)
		health_set(h, SELF, c->want.name, 0, -1, HEALTH_PARTLY, why,
			   NULL, "%s: not counted on %zu of %zu CPUs, such as "
			   "%d: %s", c->want.name, missing, n, of,
			   why == ENODEV ? "it is offline" : strerror(why));
	else
		health_clear(h, SELF, c->want.name, 0, -1);
}

static int value_add(const struct counter *c, struct sample *s, uint32_t sub,
		     const struct perf_value *v)
{
	int err = 0;

	if (!v->enabled_ns)
		return 0;	/* never counted here */
	err = sample_add(s, PERF_VALUE, c->text, sub, v->value);
	if (!err)
		err = sample_add(s, PERF_ENABLED, c->text, sub, v->enabled_ns);
	if (!err)
		err = sample_add(s, PERF_RUNNING, c->text, sub, v->running_ns);
	return err;
}

static int counter_name(struct counter *c, const struct sample *s)
{
	if (c->names != s->names) {
		c->text = names_text(s->names, c->want.name,
				     strlen(c->want.name));
		c->names = s->names;
	}
	return c->text ? 0 : -ENOMEM;
}

/* Also of CPUs that went: what they counted stays in the totals. */
static int counter_collect(struct counter *c, struct sample *s)
{
	struct perf_value v;
	size_t i, n = perf_cpus(c->group);
	int err = counter_name(c, s), cpu, ignored;

	for (i = 0; !err && i < n; i++) {
		cpu = perf_slot_cpu(c->group, i, &ignored);
		perf_read(c->group, i, &v);
		err = value_add(c, s, (uint32_t)cpu, &v);
	}
	return err;
}

static int own_collect(struct counters *cs, struct sample *s)
{
	struct perf_value v;
	int err = counters_own_look(cs->own);
	size_t i;

	counters_own_read(cs->own);
	for (i = 0; !err && i < cs->n; i++) {
		if (!cs->c[i].own)
			continue;
		counters_own_total(cs->own, cs->c[i].own - 1, &v);
		err = counter_name(&cs->c[i], s);
		if (!err)
			err = value_add(&cs->c[i], s, PERF_OWN_USER, &v);
	}
	return err;
}

static int cpus_collect(struct counters *cs, struct sample *s)
{
	size_t i, cpus = 0;
	struct counter *c;
	int err = 0;

	for (i = 0; !err && i < cs->n; i++) {
		c = &cs->c[i];
		if (!c->group)
			continue;
		perf_follow(c->group);
		counter_report(cs, c);
		err = counter_collect(c, s);
		if (perf_cpus(c->group) - c->missing > cpus)
			cpus = perf_cpus(c->group) - c->missing;
	}
	if (cpus != cs->cpus) {
		cs->cpus = cpus;
		report_open(cs);
	}
	return err;
}

static int counters_collect(void *state, struct sample *s)
{
	struct counters *cs = state;

	collector_stamp(cs->env, SELF);
	return cs->own ? own_collect(cs, s) : cpus_collect(cs, s);
}

const struct collector counters_collector = {
	.name = SELF,
	.needs = "perf_event_open (whole CPUs: CAP_PERFMON or "
		 "kernel.perf_event_paranoid at most 0; else own processes)",
	.live_only = 1,
	.open = counters_open,
	.collect = counters_collect,
	.close = counters_close,
};
