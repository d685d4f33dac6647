/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which order are the collectors asked?  What moves fastest first, so that
 * the counts of switches are of nearly one moment; the pass over all threads,
 * which takes longest and so moves the clock, last.  Flushes before
 * switches: both say what a task is called, and later records are to be right.
 */
#include "collectors.h"

const struct collector *const collector_table[] = {
	&self_collector,
	&loadavg_collector,
	&stat_collector,
	&tlb_collector,
	&sched_collector,
	&pipes_collector,
	&counters_collector,
	&vmstat_collector,
	&schedstat_collector,
	&interrupts_collector,
	&pressure_collector,
	&tasks_collector,
	&box_collector,
	NULL
};
