/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is an event described so that this kernel takes it?  perf.c's own.
 */
#ifndef COLLECTORS_PERF_ATTR_H
#define COLLECTORS_PERF_ATTR_H

#include <linux/perf_event.h>
#include "perf.h"

/* Disabled, with the read format `value, enabled, running`. */
void perf_attr_init(struct perf_event_attr *a, const struct perf_want *want);
/* Could `err` (-errno) of an opening be about something that can be dropped? */
int perf_attr_may_weaken(const struct perf_event_attr *a, int err);
/*
 * Drop the newest thing this kernel or PMU may not know, and say so in *lacks
 * if numbers change by it.  0 when nothing is left to drop.
 */
int perf_attr_weaken(struct perf_event_attr *a, unsigned *lacks);
/* Once: room for an event per CPU, and for what else is to come. */
void perf_raise_nofile(size_t cpus);

#endif
