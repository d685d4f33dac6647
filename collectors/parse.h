/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the kernel's texts say?  Each parser appends readings to a sample
 * whose names (s->names) are set, keeps nothing, and takes any bytes.
 */
#ifndef PARSE_H
#define PARSE_H

#include <stddef.h>
#include <stdint.h>
#include "sample.h"

/* /proc/vmstat: keys added, or -EINVAL (none), -ENOMEM. */
int vmstat_parse(const char *text, size_t len, struct sample *s);

/* /proc/stat: CPUs added, or -EINVAL (not a line known), -ENOMEM. */
int stat_parse(const char *text, size_t len, struct sample *s);

struct loadavg {
	uint64_t running;	/* tasks running or waiting for a CPU */
	uint64_t tasks;		/* threads that exist */
	uint64_t avg1_centi;	/* 1/100 */
};
/* /proc/loadavg: 0 or -EINVAL; -ERANGE: a count that cannot be. */
int loadavg_parse(const char *text, size_t len, struct loadavg *load);

struct self_stat {
	char comm[64];		/* raw bytes, NUL ended */
	size_t len;
	char state;
	uint64_t start;		/* clock ticks since boot */
};
/* /proc/PID/stat, the fields that tell a task: 0 or -EINVAL. */
int self_parse(const char *text, size_t len, struct self_stat *stat);

struct schedstat_facts {
	unsigned version;	/* 0: no version line */
	unsigned cpus, domains;	/* lines taken */
	unsigned bad;		/* lines cut short or not as this version's */
	int counting;		/* 0: events and domains all stand at 0, as
				 * with kernel.sched_schedstats=0; left out */
};
/*
 * /proc/schedstat: CPUs added; -EINVAL (not such a text), -EOPNOTSUPP (a
 * version we cannot read), -ENOMEM.  facts is always filled.  counting = 0
 * leaves out what sched_schedstats=0 freezes, whatever stands there.
 */
int schedstat_parse(const char *text, size_t len, int counting,
		    struct sample *s, struct schedstat_facts *facts);

enum { INTERRUPTS_TLB = 1, INTERRUPTS_RES = 2, INTERRUPTS_CAL = 4,
       INTERRUPTS_LOC = 8, INTERRUPTS_IPI = 16 };
/* /proc/interrupts: bits of the rows added (0 = none of ours), or -EINVAL (no
 * header), -ENOMEM. */
int interrupts_parse(const char *text, size_t len, struct sample *s);

/*
 * A file of /proc/pressure: totals into the metrics some and full (METRIC_NONE
 * = not wanted).  Bits 1 (some), 2 (full) of those added; -EINVAL; -ENOMEM.
 */
int pressure_parse(const char *text, size_t len, uint16_t some, uint16_t full,
		   struct sample *s);

struct tasks_delay {
	uint64_t run_ns, delay_ns, slices;
};
/* /proc/TID/schedstat: 0; -EINVAL; -ENODATA: all zero, not counted. */
int tasks_parse_delay(const char *text, size_t len, struct tasks_delay *d);

/* A list of CPUs, "0-3,8,10-11": calls add(ctx, cpu) for each; 0 or -EINVAL. */
int tasks_parse_cpus(const char *text, size_t len,
		     void (*add)(void *ctx, unsigned cpu), void *ctx);

#endif
