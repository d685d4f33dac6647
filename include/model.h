/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What changed between two samples?  Pure arithmetic; the same for live,
 * history and files.  Rates use the clock of the collector that read.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include "sample.h"
#include "health.h"

enum delta_state {
	DELTA_OK,
	DELTA_ABSENT,		/* no reading now: see model_why() */
	DELTA_FIRST,		/* now only: no older one to compare */
	DELTA_RESET,		/* the counter fell: no difference known */
};

struct delta {
	enum delta_state state;
	uint64_t value;		/* newer's reading; of a sum: their sum */
	uint64_t diff;		/* newer - older, DELTA_OK only */
	uint64_t span_ns;	/* time between the two reads, never 0 if OK */
};

struct series;			/* series.h: trends, fed sample by sample */

struct model {
	const struct sample *older;	/* NULL: only one sample yet */
	const struct sample *newer;
	const struct series *series;	/* may be NULL */
	uint64_t span_ns;		/* mono of newer - older */
	uint64_t planned_ns;		/* the window asked for; 0 = all */
};

void model_update(struct model *m, const struct sample *older,
		  const struct sample *newer, const struct series *series);

struct delta model_delta(const struct model *m, uint16_t metric, uint32_t key,
			 uint32_t sub);
/* Over all (key, sub) with a reading in both; OK if at least one, RESET if
 * any fell. */
struct delta model_sum(const struct model *m, uint16_t metric);
/* Over all subs of one key. */
struct delta model_sum_key(const struct model *m, uint16_t metric,
			   uint32_t key);
double delta_rate(struct delta d);	/* per second; NAN unless DELTA_OK */

struct model_iter {			/* all (key, sub) of newer, in order */
	const struct metric_info *info;
	const struct reading *now, *end, *old, *oldend;
	const struct model *m;
	uint64_t span_ns;
	uint64_t gone;			/* of keys that ended: now in key 0 */
	bool from_zero;			/* new keys began at 0 since older */
};
struct model_row { uint32_t key, sub; struct delta d; };
/* Values that moved to key 0, "ended", are taken off its difference: each row
 * shows what happened since older, and rows add up. */
void model_iterate(const struct model *m, uint16_t metric,
		   struct model_iter *it);
bool model_next(struct model_iter *it, struct model_row *row);

/* Largest run-queue depth of the window, of a CPU or (-1) the system; NAN
 * where it was not read, or the series does not reach so far back. */
double model_depth_max(const struct model *m, int cpu);
/* Nanoseconds between the two reads of this collector (span_ns if unknown). */
uint64_t model_span(const struct model *m, const char *collector);
/* When this collector read for the sample; 0 = not known. */
uint64_t model_read_ns(const struct sample *s, const char *collector);
/* The collector a metric belongs to: the part of its name before '.'. */
/* Why is there no number?  Never NULL: "not read yet" at the least. */
const char *model_why(const struct model *m, uint16_t metric, int cpu);
const char *metric_collector(uint16_t metric);	/* "vmstat" for vm.* */

#endif
