/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is the task called?  libproc2 hands out comm with control bytes made '.'
 * and bytes that are no text in the locale made '?': names keep what the
 * kernel has, so a name with one of these is read from /proc/TID/comm again,
 * once for each name libproc2 shows.
 */
#ifndef TASKS_COMM_H
#define TASKS_COMM_H

#include "collector.h"
#include "tasks_table.h"

/* Id of names for the task, whose comm libproc2 gave as shown (or NULL). */
uint32_t tasks_comm(const struct env *env, struct task *task,
		    const char *shown);

#endif
