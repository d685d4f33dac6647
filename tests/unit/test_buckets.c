// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Buckets of times: without gaps, in order, a quarter wide at most.
 */
#include "test.h"
#include "buckets.h"

TEST(buckets_have_no_gap_and_are_a_quarter_wide_at_most)
{
	for (unsigned b = 0; b < BUCKETS; b++) {
		CHECK_EQ_U64(bucket_of(bucket_low(b)), b);
		CHECK_EQ_U64(bucket_of(bucket_end(b) - 1), b);
		if (b + 1 < BUCKETS)
			CHECK_EQ_U64(bucket_low(b + 1), bucket_end(b));
		if (b >= 8 && b + 1 < BUCKETS)
			CHECK(bucket_end(b) - bucket_low(b) <=
			      bucket_low(b) / 4);
	}
	CHECK_EQ_U64(bucket_of(UINT64_MAX), BUCKETS - 1);
	CHECK_EQ_U64(bucket_end(BUCKETS - 1), UINT64_MAX);
}

TEST(a_quantile_is_the_bucket_that_holds_it)
{
	uint64_t n[BUCKETS] = { 0 };
	unsigned b = 99;

	CHECK(!bucket_quantile(n, 0.5, &b));
	CHECK_EQ_U64(b, 99);
	n[10] = 99;
	n[20] = 1;
	CHECK(bucket_quantile(n, 0.5, &b));
	CHECK_EQ_U64(b, 10);
	CHECK(bucket_quantile(n, 0.99, &b));
	CHECK_EQ_U64(b, 10);
	CHECK(bucket_quantile(n, 1, &b));
	CHECK_EQ_U64(b, 20);
}

TEST_MAIN
