/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How were times spread?  Counts of a window by include/buckets.h.
 */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "buckets.h"
#include "model.h"

struct histogram {		/* zeroed is empty */
	uint64_t n[BUCKETS];
	uint64_t all;
};

/*
 * What a row of a counted histogram gained since older.  A bucket that is new
 * began at 0, if `known` (a metric of the same key, sub 0) was read at older;
 * known 0: if its collector was reading then.
 */
uint64_t histogram_gained(const struct model *m, uint16_t metric,
			  uint16_t known, const struct model_row *row);
void histogram_add(struct histogram *h, uint32_t bucket, uint64_t n);
/* ns at the upper edge of the bucket that holds the q-quantile; NAN: empty. */
double histogram_quantile(const struct histogram *h, double q);
/* 95 % reach of a mean of these, as a part of it; NAN of fewer than two. */
double histogram_mean_reach(const struct histogram *h);

#endif
