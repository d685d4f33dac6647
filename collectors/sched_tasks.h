/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which task is behind the tid of a record?  (tid, start time), looked up in
 * /proc when a tid is first met and every two seconds after; a task that is
 * gone by then is short-lived: start 0.
 */
#ifndef COLLECTORS_SCHED_TASKS_H
#define COLLECTORS_SCHED_TASKS_H

#include <stddef.h>
#include <stdint.h>
#include "names.h"

enum { SCHED_TASKS = 16384, SCHED_GONE = 16384, SCHED_COMM = 16 };

struct sched_task {
	int32_t tid;
	uint32_t id;			/* of names */
	uint64_t start;			/* clock ticks, 0 = short-lived */
	uint64_t asked_ns;		/* when /proc was asked last */
	uint32_t seen;			/* sample it was last met in */
	uint32_t ended;			/* sample it was found gone in, 0 */
	char comm[SCHED_COMM];		/* as in the records, not ended */
};

struct sched_gone {
	uint32_t id, since;		/* since: sample */
};

struct sched_tasks {
	int proc_fd;			/* borrowed */
	struct names *names;		/* borrowed */
	uint32_t idle;			/* id of tid 0 */
	struct sched_task *task;
	size_t n, next;			/* next: to be asked after */
	uint32_t *index;		/* by tid: place in task + 1 */
	struct sched_gone *gone;	/* ended, their pairs still stand */
	size_t ngone;
	unsigned budget;		/* questions left in this drain */
};

int sched_tasks_init(struct sched_tasks *t, int proc_fd, struct names *names);
void sched_tasks_free(struct sched_tasks *t);	/* accepts zeroed */
/* A drain begins: so many questions to /proc may be asked in it. */
void sched_tasks_allow(struct sched_tasks *t, unsigned questions);
/* Id of the task, 0 when there is no room.  now_ns: one for a whole drain;
 * seq: of the sample in the making, from 1. */
uint32_t sched_tasks_id(struct sched_tasks *t, int32_t tid, int32_t tgid,
			const char *comm, size_t ncomm, uint32_t seq,
			uint64_t now_ns);
/* The same where the start time (clock ticks) is known: nothing is asked. */
uint32_t sched_tasks_known(struct sched_tasks *t, int32_t tid, int32_t tgid,
			   uint64_t start, const char *comm, size_t ncomm,
			   uint32_t seq);
/*
 * Once a sample: ask after some of the unseen, and put the ids of those that
 * ended two samples ago into `ended`, sorted; returns how many, at most max.
 * When their pairs are gone, give them to sched_tasks_drop(): it forgets them
 * and their names.
 */
size_t sched_tasks_sweep(struct sched_tasks *t, uint32_t seq, uint32_t *ended,
			 size_t max);
void sched_tasks_drop(struct sched_tasks *t, const uint32_t *ended, size_t n);

#endif
