/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many tasks run or wait on each CPU?  From the state and the last CPU of
 * every thread, taken at each pass; only CPUs that are online have readings,
 * and of those also the idle ones: 0 is measured.
 */
#ifndef TASKS_RQ_H
#define TASKS_RQ_H

#include "procfs.h"
#include "sample.h"

struct tasks_rq_cpu {
	uint32_t now, max;		/* max since the sample before */
	uint64_t reads, sum;		/* since the start */
	uint8_t online;
};

struct tasks_rq {
	struct procfs_file file;	/* devices/system/cpu/online */
	struct tasks_rq_cpu *cpu;	/* by CPU number */
	size_t n;
	int fresh;			/* a sample was made since the pass */
};

void tasks_rq_open(struct tasks_rq *rq, const struct env *env);
void tasks_rq_begin(struct tasks_rq *rq);		/* a pass */
void tasks_rq_count(struct tasks_rq *rq, int32_t cpu);	/* a task with R */
void tasks_rq_end(struct tasks_rq *rq);			/* of the pass */
int tasks_rq_add(struct tasks_rq *rq, struct sample *s); /* 0, -ENOMEM */
void tasks_rq_free(struct tasks_rq *rq);

#endif
