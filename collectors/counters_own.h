/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can a user count who may not count whole CPUs?  The threads of all
 * processes of the own (effective) user, and all that they fork.
 */
#ifndef COLLECTORS_COUNTERS_OWN_H
#define COLLECTORS_COUNTERS_OWN_H

#include <stddef.h>
#include "events.h"
#include "perf.h"

struct env;
struct counters_own;

/* 0, or -errno when the kernel does not even let us count ourselves. */
int counters_own_open(struct counters_own **out, const struct env *env);
void counters_own_close(struct counters_own *o);	/* accepts NULL */
/*
 * Count this event too (before the first look): its index, and its name is
 * what is counted now ("page-faults:u").  Or -errno with the reason, also for
 * what would be 0 for ever: the kernel's own doing, where it must be left out.
 */
int counters_own_add(struct counters_own *o, struct event_want *ev, char *why,
		     size_t nwhy, char *remedy, size_t nremedy);
/* Find newcomers, let go of who ended; says in health who is not counted. */
int counters_own_look(struct counters_own *o);
/* Read all; then each event's total of all processes, which never falls. */
void counters_own_read(struct counters_own *o);
void counters_own_total(const struct counters_own *o, int event,
			struct perf_value *v);

#endif
