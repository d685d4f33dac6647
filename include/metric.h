/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which numbers exist?  metric.def lists them; names are for ever.  Ids of the
 * table are stable only within one build: files map by name.  Dynamic metrics
 * (ids from METRIC_DYNAMIC up) are /proc/vmstat keys the table does not know.
 */
#ifndef METRIC_H
#define METRIC_H

#include <stddef.h>
#include <stdint.h>

enum metric_unit {
	UNIT_COUNT, UNIT_NS, UNIT_US, UNIT_TICKS /* USER_HZ */, UNIT_BYTES,
	UNIT_PAGES, UNIT_LETTER /* value is a character */,
	UNIT_NAME /* value is an id of struct names */, UNIT_CENTI /* 1/100 */,
};
enum metric_kind {
	COUNTER,	/* cumulative; a fall is a reset: no delta */
	COUNTER32,	/* the kernel keeps 32 bits: deltas modulo 2^32 */
	COUNTER_FLOOR,	/* may step back a little: deltas floored at 0 */
	GAUGE,		/* as it is now */
};
enum metric_scope {
	SCOPE_NONE,	/* key or sub is always 0 */
	SCOPE_CPU,	/* CPU number */
	SCOPE_TASK, SCOPE_STACK, SCOPE_TEXT, SCOPE_SYMBOL, /* id of names */
	SCOPE_NUMBER,	/* a plain number (a reason, a bucket) */
};

enum metric {
	METRIC_NONE,
#define M(sym, name, unit, kind, scope, sub, help) sym,
#include "metric.def"
#undef M
	METRIC_FIXED,			/* how many the table has */
	METRIC_DYNAMIC = 0x4000,	/* first dynamic id */
	METRIC_DYNAMIC_MAX = 0x5000,	/* 4,096 of them at most */
};

/* sub of perf.*: not of one CPU, but of the own user's processes on all. */
#define PERF_OWN_USER UINT32_MAX

struct metric_info {
	const char *name;	/* "vm.pgfault" */
	enum metric_unit unit;
	enum metric_kind kind;
	enum metric_scope scope, sub;
	const char *help;	/* one sentence, lower case */
};

/* The table's or a dynamic metric's entry; NULL for an id never defined. */
const struct metric_info *metric_info(uint16_t id);
/* Id by name, fixed or dynamic; METRIC_NONE if unknown. */
uint16_t metric_find(const char *name);
/*
 * Id of the metric `name`, made as a dynamic one (scope none) if unknown;
 * METRIC_NONE when all 4,096 are used.  Process-wide, append only.
 */
uint16_t metric_dynamic(const char *name, enum metric_unit unit,
			enum metric_kind kind);
/* One past the highest dynamic id in use. */
uint16_t metric_end(void);
/* Does this scope's key name something in struct names? */
int scope_is_name(enum metric_scope scope);
const char *unit_name(enum metric_unit unit);	/* "ns", "ticks", ... */
const char *kind_name(enum metric_kind kind);	/* "counter", "gauge" */
const char *scope_name(enum metric_scope scope);

#endif
