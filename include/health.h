/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What could not be read, why, and what did reading cost?  One item for each
 * collector as a whole (metric 0, cpu -1) and one for each part of it that is
 * missing.  The live source keeps one table; every sample carries a copy.
 * doctor prints it, panes show its reasons in place of numbers.
 */
#ifndef HEALTH_H
#define HEALTH_H

#include <stdint.h>
#include <stddef.h>

enum health_level { HEALTH_OK, HEALTH_PARTLY, HEALTH_ABSENT, HEALTH_NOTE };

enum { HEALTH_PART = 24, HEALTH_WHY = 240, HEALTH_COLLECTOR = 16 };

struct health_item {
	char collector[HEALTH_COLLECTOR];
	uint16_t metric;		/* 0 = not one metric */
	int32_t cpu;			/* -1 = all */
	int32_t err;			/* positive errno, 0 none */
	uint8_t level;			/* enum health_level */
	char part[HEALTH_PART];		/* "" = the collector, else what of it */
	char why[HEALTH_WHY];		/* "192 keys", or the reason */
	char remedy[HEALTH_WHY];	/* a command to type, or words; "" none */
};

struct health_cost {			/* one per collector, all cumulative */
	char collector[HEALTH_COLLECTOR];
	uint64_t read_ns;		/* CLOCK_MONOTONIC when it last read */
	uint64_t cost_ns;		/* CPU time spent in it */
	uint64_t lost;			/* events lost */
	/* Live only: memory its maps hold in the kernel, and what of it a
	 * CPU more would add. */
	uint64_t map_bytes, map_cpu_bytes;
};

struct health {
	struct health_item *item;
	size_t n, cap;
	struct health_cost *cost;
	size_t ncost, capcost;
	uint32_t version;		/* +1 when an item changes */
};

/*
 * Set the item (collector, part, metric, cpu), replacing what it said before.
 * why and remedy are cut to fit; remedy may be NULL.  Out of memory: dropped.
 */
void health_set(struct health *h, const char *collector, const char *part,
		uint16_t metric, int cpu, enum health_level level, int err,
		const char *remedy, const char *why_fmt, ...)
	__attribute__((format(printf, 9, 10)));
void health_clear(struct health *h, const char *collector, const char *part,
		  uint16_t metric, int cpu);
/* The collector's cost line, made if new; NULL only when out of memory. */
struct health_cost *health_cost(struct health *h, const char *collector);
/* Best reason for a missing number: the most exact item that is not OK for
 * (collector, metric, cpu), else for the collector; NULL = none known. */
const struct health_item *health_why(const struct health *h,
				     const char *collector, uint16_t metric,
				     int cpu);
int health_copy(struct health *to, const struct health *from);
void health_free(struct health *h);	/* accepts zeroed */

#endif
