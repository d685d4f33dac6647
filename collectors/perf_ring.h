/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the bytes of a perf ring buffer say?  Pure: works on any memory, and
 * believes no size it has not checked.
 */
#ifndef COLLECTORS_PERF_RING_H
#define COLLECTORS_PERF_RING_H

#include <stddef.h>
#include <stdint.h>
#include "perf.h"

enum { PERF_RECORD_ROOM = 1 << 16 };	/* header.size has 16 bits */

struct perf_layout {		/* what the event was opened with */
	uint64_t sample_type;	/* of TID TIME CPU READ CALLCHAIN RAW */
	uint64_t read_format;	/* without GROUP */
};

struct perf_ring {
	const unsigned char *data;
	size_t size;		/* a power of two */
	uint64_t tail;		/* first byte not read yet, ever growing */
	uint64_t count_base;	/* added to each sample's count */
	unsigned char *copy;	/* PERF_RECORD_ROOM bytes, 8-aligned: records
				 * that wrap around the end are joined here */
};

enum perf_record { RECORD_OTHER, RECORD_SAMPLE, RECORD_LOST, RECORD_BAD };

/*
 * Parse one 8-aligned record of `len` bytes (its header.size).  A sample goes
 * to *s, pointing into rec; what a loss record says is added to *lost.
 */
enum perf_record perf_record_parse(const struct perf_layout *l,
				   const void *rec, size_t len,
				   struct perf_sample *s, uint64_t *lost);

/*
 * Hand the samples between r->tail and head to fn and move the tail to head.
 * What cannot be a record ends the walk: the rest is skipped and adds one to
 * *lost, as does a damaged sample.  Returns samples handed.
 */
size_t perf_ring_read(struct perf_ring *r, uint64_t head,
		      const struct perf_layout *l,
		      void (*fn)(void *arg, const struct perf_sample *),
		      void *arg, uint64_t *lost);

#endif
