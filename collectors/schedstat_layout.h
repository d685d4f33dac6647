/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which number of a /proc/schedstat line is what, by version?
 */
#ifndef SCHEDSTAT_LAYOUT_H
#define SCHEDSTAT_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum {
	SCHEDSTAT_OLDEST = 15, SCHEDSTAT_NEWEST = 17,
	SCHEDSTAT_CPU_FIELDS = 9,
	SCHEDSTAT_CPU_EVENTS = 6,	/* of those, by sched_schedstats */
	SCHEDSTAT_DOMAIN_MAX = 45,
	SCHEDSTAT_DOMAINS = 32,		/* levels of one CPU */
};

struct schedstat_layout {
	unsigned version;
	int named;			/* the domain's name before its mask */
	size_t fields;			/* numbers of a domain line */
	size_t per_group;
	const uint16_t *group[3];	/* metrics, in the order of the line */
};

struct schedstat_domains {		/* of the CPU being read */
	size_t n;
	uint32_t id[SCHEDSTAT_DOMAINS];
};

extern const uint16_t schedstat_cpu[SCHEDSTAT_CPU_FIELDS];

const struct schedstat_layout *schedstat_layout_of(unsigned version); /* NULL */
/* Metric of number i, below layout->fields. */
uint16_t schedstat_domain_metric(const struct schedstat_layout *layout,
				 size_t i);

#endif
