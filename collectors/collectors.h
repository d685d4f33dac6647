/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which collectors are there?  Each is the one exported table of its own file;
 * registry.c puts them in order.
 */
#ifndef COLLECTORS_H
#define COLLECTORS_H

#include "collector.h"

extern const struct collector vmstat_collector, stat_collector,
	loadavg_collector, self_collector, schedstat_collector,
	interrupts_collector, pressure_collector, tasks_collector,
	counters_collector, sched_collector, tlb_collector, box_collector,
	pipes_collector;

#endif
