/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Can schedules be watched here, how well, and if not: why?  Finds the event
 * and puts the answers into health, as collector "sched".
 */
#ifndef COLLECTORS_SCHED_HEALTH_H
#define COLLECTORS_SCHED_HEALTH_H

#include <stdint.h>
#include "collector.h"
#include "ksyms.h"
#include "perf.h"
#include "sched_format.h"

struct sched_state {		/* how it goes; all counts cumulative */
	uint64_t symbols, every;
	uint64_t lost;		/* records lost by full rings */
	uint64_t bad;		/* records that were not of the format */
	uint64_t backwards;	/* waits dropped */
	uint64_t told_every, told_lost;	/* as health says now */
};

/* The event's code and format: 0, or -errno after health_set(). */
int sched_health_event(const struct env *env, struct sched_format *f,
		       struct perf_code *code);
void sched_health_refused(struct health *h, int err,
			  const struct perf_code *code);
void sched_health_symbols(struct health *h, enum ksyms_state state);
/* Once a sample; an item is set only when its words change. */
void sched_health_update(struct health *h, struct sched_state *s,
			 const char *engine);

#endif
