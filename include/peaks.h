/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How deep were the run queues at most, and how long did a task wait in one,
 * over any of the last steps?  A sample has the largest since the sample
 * before; a window's is the largest of its samples.
 */
#ifndef PEAKS_H
#define PEAKS_H

#include <stddef.h>
#include <stdint.h>
#include "sample.h"

struct peaks {
	uint64_t from_ns;	/* all steps since are kept */
	size_t n, at;		/* steps kept; place of the next */
	size_t ncpu;
	uint64_t *end_ns;	/* mono_ns at the end of each step ... */
	uint32_t *depth;	/* ... and 1 + ncpu depths, 0 = the system's */
	uint64_t *delay_ns;	/* ... and the longest delay on any CPU */
};

/* The step from prev to cur; out of memory it forgets all. */
void peaks_add(struct peaks *p, const struct sample *prev,
	       const struct sample *cur);
/* As series_peak(). */
double peaks_largest(const struct peaks *p, int cpu, uint64_t since_ns);
double peaks_delay(const struct peaks *p, uint64_t since_ns);	/* ns */
void peaks_clear(struct peaks *p);	/* keeps its memory */
void peaks_free(struct peaks *p);	/* accepts zeroed */

#endif
