/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was read at one moment?  A sample is the only thing that is recorded,
 * replayed or compared.  Raw readings only; no reading means "not available",
 * never zero, and health says why.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stddef.h>
#include <stdint.h>
#include "metric.h"
#include "names.h"

struct reading {		/* one number, as read */
	uint16_t metric;	/* enum metric or a dynamic id */
	uint32_t key;		/* by the metric's scope; 0 = "ended" for names */
	uint32_t sub;		/* by its sub-scope, else 0 */
	uint64_t value;
};

struct health;			/* health.h */

struct host {			/* facts that hold for a whole recording */
	char name[65], release[65], machine[65], boot_id[37];
	uint32_t cpus;		/* possible CPUs */
	uint32_t clk_tck;	/* ticks per second of UNIT_TICKS */
	uint32_t page_size;	/* bytes */
	uint64_t mem_bytes;
};

struct sample {
	uint64_t seq;		/* +1 each, from 1 */
	uint64_t mono_ns;	/* CLOCK_MONOTONIC: rates */
	uint64_t boot_ns;	/* CLOCK_BOOTTIME: shows a suspend */
	int64_t wall_ns;	/* CLOCK_REALTIME, for people */
	int32_t utc_offset_s;	/* local time minus UTC, then and there */
	struct reading *v;	/* sorted by (metric, key, sub) once sealed */
	size_t n, cap;
	int sorted;		/* still in order so far */
	struct names *names;	/* borrowed; outlives the sample */
	struct health *health;	/* owned copy */
	const struct host *host;	/* borrowed */
};

int sample_init(struct sample *s);		/* 0 or -ENOMEM */
void sample_free(struct sample *s);		/* accepts zeroed */
/* Empty it for the next moment; keeps its memory. */
void sample_reset(struct sample *s);
/* Append; 0 or -ENOMEM.  Two equal (metric, key, sub) are a caller's bug:
 * seal keeps the last. */
int sample_add(struct sample *s, uint16_t metric, uint32_t key, uint32_t sub,
	       uint64_t value);
void sample_seal(struct sample *s);		/* sorts only what is not */
/* The reading, or NULL.  Sealed samples only. */
const struct reading *sample_find(const struct sample *s, uint16_t metric,
				  uint32_t key, uint32_t sub);
/* All readings of one metric: first of *n in a row; NULL if none. */
const struct reading *sample_range(const struct sample *s, uint16_t metric,
				   size_t *n);
int sample_copy(struct sample *to, const struct sample *from); /* 0, -ENOMEM */

#endif
