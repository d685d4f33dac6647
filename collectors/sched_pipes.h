/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which pipes did sampled tasks sleep in, at which end, how often and for how
 * long?  Pairs (pipe, task), bounded; what is let go moves to (pipe, 0) or to
 * (0, 0), so no total falls.
 */
#ifndef COLLECTORS_SCHED_PIPES_H
#define COLLECTORS_SCHED_PIPES_H

#include <linux/types.h>
#include "sample.h"
#include "sched.bpf.h"

enum { SCHED_PIPE_PAIRS = 4096 };

struct sched_pipe_end {
	uint64_t n, w;		/* sampled sleeps, sleeps they stand for */
	uint64_t waits, wait_ns; /* of the sampled ones, those that ended */
};

struct sched_pipe_pair {
	uint32_t pipe, task;	/* ids of names, 0 = ended */
	uint32_t slots, fill;	/* pages, at the last sleep seen */
	uint64_t seen;		/* turn of the last sleep seen, of all pairs */
	struct sched_pipe_end end[2];	/* by sched_pipe.writes */
};

struct sched_pipes {
	struct names *names;	/* borrowed */
	struct sched_pipe_pair *pair;	/* (0, 0) is always there */
	size_t n;
	uint32_t *index;	/* open addressing: place in pair + 1 */
	uint64_t *seen;		/* room to find what was unseen longest */
	uint64_t turn;
	uint64_t unknown;	/* sleeps in pipe code, pipe not told */
	int sorted;
};

/* 0 or -ENOMEM.  Pipes' names are held by it. */
int sched_pipes_init(struct sched_pipes *p, struct names *names);
void sched_pipes_free(struct sched_pipes *p);	/* accepts zeroed */
/*
 * A sampled switch of the task at this stack (ids), standing for weight
 * switches: what the program saw of its pipe.  The id of the pipe's name for
 * sched_pipes_wait(), which may be 0; or 0 where it is no pipe's.
 */
uint32_t sched_pipes_add(struct sched_pipes *p, const struct sched_pipe *at,
			 uint32_t stack, uint32_t task, uint64_t weight);
/* That sleep is over.  Nothing where pipe is 0: give what sched_pipes_add()
 * returned, and writes as it was there. */
void sched_pipes_wait(struct sched_pipes *p, uint32_t pipe, uint32_t task,
		      int writes, uint64_t wait_ns);
/* Once a sample: sort, and let go the tasks in ended (sorted ids), and of the
 * pairs above three quarters of SCHED_PIPE_PAIRS those unseen longest. */
void sched_pipes_retire(struct sched_pipes *p, const uint32_t *ended,
			size_t nended);
int sched_pipes_collect(const struct sched_pipes *p, struct sample *to);

#endif
