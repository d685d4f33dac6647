/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which order are the collectors asked?  What moves fastest first; those
 * that cost most, and so move the clock, last.
 */
#include "collectors.h"

const struct collector *const collector_table[] = {
	&self_collector,
	&loadavg_collector,
	&stat_collector,
	&vmstat_collector,
	&schedstat_collector,
	&interrupts_collector,
	&pressure_collector,
	&tasks_collector,
	&counters_collector,
	&sched_collector,
	&box_collector,
	NULL
};
