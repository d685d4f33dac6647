// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How were times spread?
 */
#include "histogram.h"

#include <math.h>

#define NORMAL_95 1.96

static bool was_known(const struct model *m, uint16_t metric, uint16_t known,
		      uint32_t key)
{
	const char *collector = metric_collector(metric);
	size_t n;

	if (!m->older || !model_span(m, collector))
		return false;
	if (known)
		return sample_find(m->older, known, key, 0) != NULL;
	return sample_range(m->older, metric, &n) ||
	       model_read_ns(m->older, collector);
}

uint64_t histogram_gained(const struct model *m, uint16_t metric,
			  uint16_t known, const struct model_row *row)
{
	if (row->d.state == DELTA_OK)
		return row->d.diff;
	return row->d.state == DELTA_FIRST &&
	       was_known(m, metric, known, row->key) ? row->d.value : 0;
}

void histogram_add(struct histogram *h, uint32_t bucket, uint64_t n)
{
	h->n[bucket < BUCKETS ? bucket : BUCKETS - 1] += n;
	h->all += n;
}

double histogram_quantile(const struct histogram *h, double q)
{
	unsigned b;

	if (!bucket_quantile(h->n, q, &b))
		return NAN;
	/* a bucket of one nanosecond is exact */
	return bucket_end(b) - bucket_low(b) == 1 ? (double)bucket_low(b)
						  : (double)bucket_end(b);
}

double histogram_mean_reach(const struct histogram *h)
{
	double n = (double)h->all, sum = 0, squares = 0;

	for (unsigned b = 0; b < BUCKETS - 1; b++) {
		double mid = ((double)bucket_low(b) + (double)bucket_end(b)) / 2;

		sum += (double)h->n[b] * mid;
		squares += (double)h->n[b] * mid * mid;
	}
	if (h->all < 2 || !(sum > 0))
		return NAN;
	return NORMAL_95 * sqrt(fmax(squares - sum * sum / n, 0) / (n - 1) / n)
	       / (sum / n);
}
