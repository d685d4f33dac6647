/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How did the headline rates and each row go, sample by sample?  Fed with
 * consecutive samples, it is the same whether they come live, from history or
 * from a file.  Values are rates per second (gauges: as read), NAN = gap.
 */
#ifndef SERIES_H
#define SERIES_H

#include <stddef.h>
#include "sample.h"

enum headline { HEAD_SWITCHES, HEAD_RUNQ, HEAD_FAULTS, HEAD_TLB, HEAD_COUNT };
enum { SERIES_KEEP = 64 };	/* points kept of each */
enum { PEAKS_KEEP = 1024 };	/* steps whose largest depths are kept */

struct series;

struct series *series_new(void);
void series_free(struct series *s);
/* Add the step from prev to cur (prev NULL: starts anew). */
void series_add(struct series *s, const struct sample *prev,
		const struct sample *cur);
void series_clear(struct series *s);
/* Up to `max` newest points, oldest first; returns how many. */
size_t series_headline(const struct series *s, enum headline h, double *v,
		       size_t max);
/* The trend of a schedule source (row id as schedule rows use it: source
 * symbol id << 8 | enum sched_class): switches per second at each sample. */
size_t series_source(const struct series *s, uint64_t row, double *v,
		     size_t max);
/*
 * The largest run-queue depth read after since_ns (CLOCK_MONOTONIC) on a CPU
 * or, cpu = -1, of the system; NAN where it was not read, or where the series
 * did not see all of that time (PEAKS_KEEP steps at most).
 */
double series_peak(const struct series *s, int cpu, uint64_t since_ns);
/* The longest wait for a CPU that ended after since_ns, in ns; as above. */
double series_delay(const struct series *s, uint64_t since_ns);

#endif
