// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When did a collector read?  Its rates are taken over the time between two
 * reads of its own, not over the time between two samples.
 */
#include <time.h>
#include "collector.h"

uint64_t collector_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void collector_stamp(const struct env *env, const char *collector)
{
	struct health_cost *cost = health_cost(env->health, collector);

	if (cost)
		cost->read_ns = collector_now_ns();
}
