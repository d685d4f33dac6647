/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Into which bucket of a histogram does a time fall?  Four to each power of
 * two, so that a bucket is at most a quarter as wide as its lower edge; the
 * first eight hold one nanosecond each.  The programs in the kernel count by
 * the same rule (core.bpf.h).
 */
#ifndef BUCKETS_H
#define BUCKETS_H

#include <stdbool.h>
#include <stdint.h>

enum { BUCKETS = 252 };

unsigned bucket_of(uint64_t ns);	/* 0 .. BUCKETS - 1 */
uint64_t bucket_low(unsigned b);	/* least ns that falls into it */
uint64_t bucket_end(unsigned b);	/* least ns above it, UINT64_MAX: none */
/*
 * The bucket that holds the q-quantile (0 < q <= 1) of n[BUCKETS]: false, and
 * *b untouched, when there is nothing in them.
 */
bool bucket_quantile(const uint64_t n[BUCKETS], double q, unsigned *b);

#endif
