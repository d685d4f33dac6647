// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Into which bucket of a histogram does a time fall?
 */
#include <math.h>

#include "buckets.h"

enum { PER_OCTAVE = 4, EXACT = 4 };	/* below EXACT a bucket is its ns */

unsigned bucket_of(uint64_t ns)
{
	unsigned e;

	if (ns < EXACT)
		return (unsigned)ns;
	e = 63 - (unsigned)__builtin_clzll(ns);
	return (e - 1) * PER_OCTAVE + (unsigned)(ns >> (e - 2) & 3);
}

uint64_t bucket_low(unsigned b)
{
	unsigned e = b / PER_OCTAVE + 1;

	if (b < EXACT)
		return b;
	if (b >= BUCKETS)
		return UINT64_MAX;
	return (uint64_t)(PER_OCTAVE + b % PER_OCTAVE) << (e - 2);
}

uint64_t bucket_end(unsigned b)
{
	return bucket_low(b + 1);
}

bool bucket_quantile(const uint64_t n[BUCKETS], double q, unsigned *b)
{
	uint64_t all = 0, below = 0, want;
	unsigned i;

	for (i = 0; i < BUCKETS; i++)
		all += n[i];
	if (!all)
		return false;
	want = (uint64_t)ceil(q * (double)all);
	for (i = 0; i < BUCKETS - 1; i++) {
		below += n[i];
		if (below >= want)
			break;
	}
	*b = i;
	return true;
}
