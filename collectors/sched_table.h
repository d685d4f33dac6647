/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often did each task leave the CPU at each stack?  Pairs (stack, task),
 * bounded; what is let go moves to (stack, 0) or to (0, 0), so no total falls.
 */
#ifndef COLLECTORS_SCHED_TABLE_H
#define COLLECTORS_SCHED_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum { SCHED_PAIRS = 16384, SCHED_STACKS = 16384,
       SCHED_ROOM = SCHED_PAIRS + SCHED_STACKS };

struct sched_pair {
	uint32_t stack, task;	/* ids of names, 0 = ended */
	uint64_t n, w, w2;	/* stacks, sum of weights and their squares */
	uint64_t waits, wait_ns;
	uint64_t queued_ns;	/* part of wait_ns, where it is known */
	uint32_t seen;		/* sample it was last added to in */
};

struct sched_table {
	struct sched_pair *pair, *spare;
	size_t n;		/* (0, 0) is always there */
	uint32_t *index;	/* open addressing: place in pair + 1 */
	uint32_t *seen;		/* room to find what was unseen longest */
	int sorted;		/* pair is in order of (stack, task) */
};

int sched_table_init(struct sched_table *t);	/* 0 or -ENOMEM */
void sched_table_free(struct sched_table *t);	/* accepts zeroed */
/* May a new stack come in before the next retirement? */
int sched_table_room(const struct sched_table *t);
/* One stack that stands for `weight` switches. */
void sched_table_add(struct sched_table *t, uint32_t stack, uint32_t task,
		     uint64_t weight, uint32_t seq);
void sched_table_wait(struct sched_table *t, uint32_t stack, uint32_t task,
		      uint64_t wait_ns, uint64_t queued_ns);
/*
 * Sort, and let go: pairs of the tasks in ended (sorted ids), pairs above
 * SCHED_PAIRS and stacks above SCHED_STACKS, the longest unseen first, down to
 * three quarters.  drop is called for each stack that is gone.
 */
void sched_table_retire(struct sched_table *t, const uint32_t *ended,
			size_t nended, void (*drop)(void *arg, uint32_t stack),
			void *arg);

#endif
