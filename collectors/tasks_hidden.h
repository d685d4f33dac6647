/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many processes may we not read?  /proc mounted with hidepid=noaccess
 * lists them and refuses; with hidepid=invisible nobody can count them.
 */
#ifndef TASKS_HIDDEN_H
#define TASKS_HIDDEN_H

#include "collector.h"
#include "tasks_table.h"

struct tasks_hidden {
	const struct env *env;
	int known;		/* processes is a count */
	int listed;		/* hidepid=noaccess: look for them */
	uint64_t processes;
};

void tasks_hidden_open(struct tasks_hidden *h, const struct env *env);
/* After a pass: count what is listed, not seen, and denied. */
void tasks_hidden_count(struct tasks_hidden *h, const struct tasks_table *t);

#endif
