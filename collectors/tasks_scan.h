/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How deep are the run queues, many times a second?  A program in the kernel
 * looks at all of them, called by a clock event of one CPU, so that idle CPUs
 * are let sleep; where no event can be had, at each drain.
 */
#ifndef COLLECTORS_TASKS_SCAN_H
#define COLLECTORS_TASKS_SCAN_H

#include <linux/types.h>
#include "bpf.h"
#include "procfs.h"
#include "tasks.bpf.h"

struct tasks_scan {
	const struct env *env;
	struct bpf *bpf;		/* borrowed */
	struct tasks_depth *depth;	/* by CPU, shared with the program */
	uint8_t *online;		/* by CPU */
	uint32_t cpus;
	struct procfs_file file;	/* devices/system/cpu/online */
	int fd;				/* the clock event, -1: none */
	int cpu;			/* it is on, -1 */
	int err;			/* why there is none, -errno */
	uint64_t seed;
};

int tasks_scan_open(struct tasks_scan *s, const struct env *env,
		    struct bpf *b, uint32_t cpus);	/* 0 or -errno */
void tasks_scan_close(struct tasks_scan *s);	/* accepts zeroed but fd -1 */
/* At 10 Hz: another period, so that no rhythm falls in step with it. */
void tasks_scan_drain(struct tasks_scan *s);
/* Append rq.*, of the CPUs that are online; follows them.  0 or -ENOMEM. */
int tasks_scan_add(struct tasks_scan *s, struct sample *to);

#endif
