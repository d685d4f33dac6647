/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks are there, and which ended?  A task is (tid, start time): a tid
 * alone comes back for another one.
 *
 * A task that a pass did not see again stays for two more samples with its last
 * counts, then these move to the totals of the ended, so that no sum over all
 * tasks ever falls.
 */
#ifndef TASKS_TABLE_H
#define TASKS_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include "names.h"
#include "parse.h"
#include "sample.h"

enum { TASKS_MAX = 65536, TASKS_STAY = 2 /* samples */ };

enum task_count {		/* what is counted of each task */
	TASK_COUNT_UTIME, TASK_COUNT_STIME, TASK_COUNT_MINFLT,
	TASK_COUNT_MAJFLT,
	TASK_COUNT_RUN, TASK_COUNT_DELAY, TASK_COUNT_SLICES,
	TASK_COUNT_NVCSW, TASK_COUNT_NIVCSW,
	TASK_COUNTS,
	TASK_COUNTS_STAT = TASK_COUNT_RUN,	/* those every task has */
	TASK_COUNTS_DELAY = TASK_COUNT_NVCSW,	/* with run, delay, slices */
};

struct task {
	int32_t tid, tgid;
	uint64_t start;			/* clock ticks since boot */
	uint32_t id;			/* of names */
	uint32_t comm_hash;		/* of its name as libproc2 gave it */
	uint32_t pass;			/* the last that saw it */
	uint32_t score;			/* how busy it was lately */
	int32_t cpu;			/* it ran on last */
	char state;
	uint8_t ended;			/* 0 lives, else 1 + samples since */
	uint8_t has_delay;		/* run, delay, slices are read */
	uint8_t has_switches;		/* nvcsw, nivcsw too */
	uint64_t cgroup;		/* 0: not known */
	uint64_t utime_ns, stime_ns;	/* as told last, see tasks_cputime() */
	char comm[16];			/* as told last by the kernel itself */
	uint64_t count[TASK_COUNTS];
};

struct tasks_table {
	struct task *v;			/* in the order they were first seen */
	size_t n, cap;
	uint32_t *slot;			/* hash by tid: 1 + index, 0 free */
	size_t slots;			/* a power of two, or 0 */
	uint32_t pass;
	size_t over;			/* of this pass, above TASKS_MAX */
	int has_delay;			/* some task ever had one */
	int has_switches;
	uint64_t ended[TASK_COUNTS];
};

void tasks_table_begin(struct tasks_table *t);		/* a pass */
/* The task, made if new (id 0), as seen in this pass; NULL: no room. */
struct task *tasks_table_see(struct tasks_table *t, int32_t tid,
			     uint64_t start);
/* Did this pass see a task of this tid? */
int tasks_table_saw(const struct tasks_table *t, int32_t tid);
void tasks_table_end(struct tasks_table *t);		/* of the pass */
/* Append all readings, by metric; a sample later for the ended. 0, -ENOMEM. */
int tasks_table_add(struct tasks_table *t, struct sample *s);
/* Before a sample: the long ended go to the totals, their names go. */
void tasks_table_retire(struct tasks_table *t, struct names *names);
void tasks_table_free(struct tasks_table *t);

#endif
