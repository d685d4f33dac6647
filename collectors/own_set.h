/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How are the events of one process, on each of its threads, held together?
 */
#ifndef COLLECTORS_OWN_SET_H
#define COLLECTORS_OWN_SET_H

#include <stddef.h>
#include "perf.h"

struct own_set {
	size_t threads, events;
	struct perf_task **event;	/* all of a thread, then the next */
	uint64_t done_ns;		/* since boot: when all were open */
	/* its owner's */
	size_t users;			/* living processes they count */
	unsigned look;			/* in which they were opened */
	int still;			/* nothing counted at the last read */
};

/* Threads that ended meanwhile are left out; -ESRCH: all did.  0 or -errno,
 * and nothing is open then. */
int own_set_open(struct own_set **out, const struct perf_code *code,
		 size_t events, const int *tid, size_t n);
/* Add to to[events] what the set has counted in all; 1 if any of it moved. */
int own_set_read(const struct own_set *s, struct perf_value *to);
void own_set_free(struct own_set *s);	/* accepts NULL */

#endif
