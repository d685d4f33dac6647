/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long did the busiest threads wait for a CPU?
 */
#ifndef TASKS_DELAY_H
#define TASKS_DELAY_H

#include "collector.h"
#include "tasks_table.h"

enum { TASKS_BUSIEST = 64 };

struct tasks_busy {
	uint32_t score;
	size_t index;		/* in the table */
};

struct tasks_delay_state {
	const struct env *env;
	struct tasks_busy busy[TASKS_BUSIEST];	/* a heap, least busy first */
	size_t n;
};

/* Rank a task by what it used since the pass before (ticks) and its state. */
void tasks_delay_rank(struct task *task, uint64_t ticks);
/* Choose the busiest of the pass, read what the kernel says of these. */
void tasks_delay_read(struct tasks_delay_state *d, struct tasks_table *t);

#endif
