/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long did each sleep last?  From a task's switch-out to its switch-in,
 * wherever that happens; only when every switch of every CPU is seen.  Pure.
 * For perf events; the in-kernel engine times them itself: sched_sleeps.h.
 */
#ifndef COLLECTORS_SCHED_WAITS_H
#define COLLECTORS_SCHED_WAITS_H

#include <stddef.h>
#include <stdint.h>

enum { SCHED_EVENTS = 1 << 18, SCHED_SLEEPERS = 1 << 16 };

struct sched_event {		/* prev leaves the CPU, next gets it */
	uint64_t time_ns;
	int32_t prev, next;	/* tids; 0 = idle */
	uint32_t stack, task;	/* prev's, as ids of names */
	int dead;		/* prev never comes back */
};

struct sched_sleeper {
	uint64_t out_ns;	/* 0: not asleep */
	int32_t tid;		/* 0: an empty slot */
	uint32_t stack, task;
};

struct sched_waits {
	struct sched_event *event;	/* not settled yet */
	size_t n;
	struct sched_sleeper *sleeper;	/* open addressing by tid */
	size_t used;
	uint64_t newest_ns;	/* of all events so far */
	uint64_t horizon_ns;	/* nothing older is still to come */
	int overflow;
	uint64_t backwards;	/* waits dropped: ended before they began */
	uint64_t cut;		/* sleeps dropped: something was lost since */
};

int sched_waits_init(struct sched_waits *w);	/* 0 or -ENOMEM */
void sched_waits_free(struct sched_waits *w);	/* accepts zeroed */
void sched_waits_add(struct sched_waits *w, const struct sched_event *e);
/*
 * All rings were emptied: time what ended before that.  Events of one CPU come
 * in order, those of two do not; what is older than the newest of the last
 * call is complete.  lost: records are missing, so nothing pending is true.
 */
void sched_waits_settle(struct sched_waits *w, int lost,
			void (*fn)(void *arg, uint32_t stack, uint32_t task,
				   uint64_t wait_ns), void *arg);
/* Forget what is pending. */
void sched_waits_cut(struct sched_waits *w);

#endif
