/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One event on one CPU: perf.c's side towards perf_group.c and perf_task.c.
 *
 * A slot keeps its CPU for ever and is used again when the CPU comes back;
 * what it counted never falls: its past lives in `base`.
 */
#ifndef COLLECTORS_PERF_SLOT_H
#define COLLECTORS_PERF_SLOT_H

#include "perf.h"
#include "perf_ring.h"

struct perf_event_attr;
struct perf_event_mmap_page;
struct perf_evsel;

struct perf_slot {
	int cpu;			/* -1: any CPU, of one thread */
	int err;			/* positive: why it is closed */
	struct perf_evsel *evsel;	/* NULL when closed */
	struct perf_event_mmap_page *page;	/* NULL: no ring */
	struct perf_ring ring;
	uint64_t every;
	double fill;
	struct perf_value base, last;	/* before this opening; now in all */
	uint64_t enabled_ns, read_ns;	/* as read last, and when */
	int is_dead;			/* it stands, and counts no more */
};

/* All return 0 or -errno.  Open: as attr says, no ring, sets s->err; of the
 * thread tid, 0: the caller, -1: whatever runs there. */
int perf_slot_open(struct perf_slot *s, struct perf_event_attr *attr, int tid);
int perf_slot_map(struct perf_slot *s, unsigned pages, unsigned char *copy);
int perf_slot_enable(struct perf_slot *s);
int perf_slot_period(struct perf_slot *s, uint64_t every);
int perf_slot_read(struct perf_slot *s);	/* s->last is the newest */
void perf_slot_unmap(struct perf_slot *s);
void perf_slot_close(struct perf_slot *s);

/* The numbers of a list like "0-3,8", NULL: of the online CPUs; caller frees.
 * 0 or -errno. */
int perf_cpu_list(const char *list, int **cpu, size_t *n);

#endif
