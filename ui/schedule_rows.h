/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who called schedule(), how often, and how sure is that?  Differences of the
 * sampled stacks, grouped by source, stack or task.  Pure; one block of memory
 * that is reused from frame to frame.
 */
#ifndef SCHEDULE_ROWS_H
#define SCHEDULE_ROWS_H

#include <stdbool.h>
#include "attribution.h"
#include "model.h"
#include "view.h"

/* Ids no source (symbol id << 8 | class), stack or task can have. */
#define SCHEDULE_ENDED	(1ull << 48)	/* what retired keys had */
#define SCHEDULE_SELF	(1ull << 49)	/* stalltop itself */

struct schedule_pair {		/* what a (stack, task) did since older */
	uint32_t stack, task;	/* ids of names; 0 = ended */
	uint64_t n, w, w2;	/* stacks; sum of weights, of their squares */
	uint64_t waits, wait_ns, queued_ns;	/* queued: part of wait */
};

enum { SCHEDULE_BESIDE = 5 };

struct schedule_walk {
	struct model_iter w, beside[SCHEDULE_BESIDE];
	struct model_row row[SCHEDULE_BESIDE];	/* the next of each */
	bool has[SCHEDULE_BESIDE];
};

void schedule_walk(struct schedule_walk *walk, const struct model *m);
bool schedule_next(struct schedule_walk *walk, struct schedule_pair *p);

struct schedule_heavy {		/* the heaviest of many, by weight */
	uint64_t w, hash;
	uint32_t id;
	enum sched_class class;
};

enum { SCHEDULE_VIAS = 3, SCHEDULE_TASKS = 6 };

struct schedule_group {
	uint64_t id;		/* row id */
	uint32_t source, stack, task;	/* ids of names, 0 none */
	enum sched_class class;
	uint32_t depth;		/* of source in stack */
	uint32_t stacks, last;	/* distinct stacks; the one counted last */
	uint64_t n, w, waits, wait_ns, queued_ns;
	uint64_t p99_ns;	/* by schedule_ends_make(); 0 not known */
	/* VIA symbols; by task: sources. */
	struct schedule_heavy via[SCHEDULE_VIAS];
	struct schedule_heavy tasks[SCHEDULE_TASKS];	/* by comm */
};

enum schedule_kind {		/* how a switch was */
	KIND_BLOCKED, KIND_PREEMPTED, KIND_YIELDED, KIND_IDLE, SCHEDULE_KINDS
};

struct schedule {		/* freed by free() */
	struct delta switches;	/* as the tracepoint counted, all CPUs */
	double unseen;		/* share of /proc/stat's that it missed, 0 for
				 * what two moments of reading explain */
	struct delta lost;
	struct delta untimed, skipped;
	uint64_t waits;		/* timed, of all groups */
	bool is_kernels;	/* the in-kernel engine counted these: */
	struct delta kind[SCHEDULE_KINDS];	/* exact */
	uint64_t n, w, w2;	/* of all groups */
	uint64_t preempted, yielded, idle, ended;	/* weights */
	bool nameless;		/* addresses: the kinds of wait are unknown */
	bool exact;		/* every switch was seen, none lost */
	uint32_t self;		/* task id, 0 unknown */
	enum view_by by;
	uint32_t stack;		/* the one that `from` is about */
	struct attribution from;
	uint32_t ngroups, cap;	/* cap: a power of two */
	struct schedule_group group[];	/* and behind it the hash index */
};

/* 0 or -ENOMEM; *s NULL or what an earlier call made.  Groups that did
 * nothing since older are left out. */
int schedule_make(struct schedule **s, const struct model *m,
		  enum view_by by);
const struct schedule_group *schedule_find(const struct schedule *s,
					   uint64_t id);
/* Is its mean wait worth showing?  Not when only some of its stacks, those of
 * a moment when every switch was seen, were timed. */
bool schedule_has_wait(const struct schedule *s,
		       const struct schedule_group *g);
/* Row id of a pair as `s` groups it; afterwards s->from is about p->stack. */
uint64_t schedule_id(struct schedule *s, const struct model *m,
		     const struct schedule_pair *p);
/* Share of w in all, and its 95 % interval: all NAN when nothing was seen;
 * exact: low = share = high. */
double schedule_share(const struct schedule *s, uint64_t w, double *low,
		      double *high);

#endif
