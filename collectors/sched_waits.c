/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How are switch-outs and switch-ins brought together?  Merged by time, then
 * keyed by tid: a task sleeps on one CPU and wakes on another, and the rings
 * are emptied one after the other.  A span that holds a loss is dropped: the
 * switch-in that is seen need not be the one that ended it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "sched_waits.h"

enum { FULL = SCHED_SLEEPERS / 4 * 3 };

static struct sched_sleeper *sleeper_slot(const struct sched_waits *w,
					  int32_t tid)
{
	size_t i = ((uint32_t)tid * 0x9e3779b1u) >> 8 & (SCHED_SLEEPERS - 1);

	while (w->sleeper[i].tid && w->sleeper[i].tid != tid)
		i = (i + 1) & (SCHED_SLEEPERS - 1);
	return &w->sleeper[i];
}

static size_t sleepers_forget(struct sched_waits *w)
{
	size_t i, n = 0;

	if (!w->used)
		return 0;
	for (i = 0; i < SCHED_SLEEPERS; i++)
		n += w->sleeper[i].out_ns != 0;
	memset(w->sleeper, 0, SCHED_SLEEPERS * sizeof(*w->sleeper));
	w->used = 0;
	return n;
}

static void sleep_begin(struct sched_waits *w, const struct sched_event *e)
{
	struct sched_sleeper *s;

	if (w->used >= FULL)
		w->cut += sleepers_forget(w);
	s = sleeper_slot(w, e->prev);
	if (!s->tid && e->dead)
		return;
	if (!s->tid)
		w->used++;
	s->tid = e->prev;
	s->out_ns = e->dead ? 0 : e->time_ns;
	s->stack = e->stack;
	s->task = e->task;
}

static void sleep_end(struct sched_waits *w, const struct sched_event *e,
		      void (*fn)(void *arg, uint32_t stack, uint32_t task,
				 uint64_t wait_ns), void *arg)
{
	struct sched_sleeper *s = sleeper_slot(w, e->next);

	if (!s->tid || !s->out_ns)
		return;
	if (e->time_ns < s->out_ns)
		w->backwards++;
	else
		fn(arg, s->stack, s->task, e->time_ns - s->out_ns);
	s->out_ns = 0;
}

static int event_compare(const void *a, const void *b)
{
	const struct sched_event *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return 0;
}

static void events_sort(struct sched_waits *w)
{
	size_t i;

	for (i = 1; i < w->n; i++)
		if (event_compare(&w->event[i - 1], &w->event[i]) > 0) {
			qsort(w->event, w->n, sizeof(*w->event),
			      event_compare);
			return;
		}
}

int sched_waits_init(struct sched_waits *w)
{
	memset(w, 0, sizeof(*w));
	w->event = calloc(SCHED_EVENTS, sizeof(*w->event));
	w->sleeper = calloc(SCHED_SLEEPERS, sizeof(*w->sleeper));
	if (w->event && w->sleeper)
		return 0;
	sched_waits_free(w);
	return -ENOMEM;
}

void sched_waits_free(struct sched_waits *w)
{
	free(w->event);
	free(w->sleeper);
	memset(w, 0, sizeof(*w));
}

void sched_waits_add(struct sched_waits *w, const struct sched_event *e)
{
	if (e->time_ns > w->newest_ns)
		w->newest_ns = e->time_ns;
	if (w->n < SCHED_EVENTS)
		w->event[w->n++] = *e;
	else
		w->overflow = 1;
}

void sched_waits_cut(struct sched_waits *w)
{
	w->cut += sleepers_forget(w);
	w->n = 0;
	w->overflow = 0;
	w->horizon_ns = w->newest_ns;
}

void sched_waits_settle(struct sched_waits *w, int lost,
			void (*fn)(void *arg, uint32_t stack, uint32_t task,
				   uint64_t wait_ns), void *arg)
{
	const struct sched_event *e = w->event, *end;

	if (lost || w->overflow) {
		sched_waits_cut(w);
		return;
	}
	events_sort(w);
	for (end = e + w->n; e < end && e->time_ns <= w->horizon_ns; e++) {
		if (e->next > 0)
			sleep_end(w, e, fn, arg);
		if (e->prev > 0)
			sleep_begin(w, e);
	}
	w->n = (size_t)(end - e);
	memmove(w->event, e, w->n * sizeof(*e));
	w->horizon_ns = w->newest_ns;
}
