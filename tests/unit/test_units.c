// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers for people: three figures, at most six characters, any input. */
#include "test.h"

#include <errno.h>
#include <math.h>

#include "units.h"

static char buf[32];

TEST(counts_have_three_figures)
{
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 0), "0");
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 7), "7");
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 7.25), "7.2");
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 912), "912");
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 1204), "1.20k");
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 56283), "56.3k");
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 1.2e6), "1.20M");
}

TEST(rounding_goes_to_the_next_unit)
{
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 999.6), "1.00k");
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 999600), "1.00M");
	CHECK_EQ_STR(units_ns(buf, sizeof(buf), 999.7), "1.0us");
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 99.97), "100");
}

TEST(small_is_not_zero)
{
	CHECK_EQ_STR(units_count(buf, sizeof(buf), 0.01), "<0.1");
	CHECK_EQ_STR(units_percent(buf, sizeof(buf), 0.0001), "<0.1%");
	CHECK_EQ_STR(units_percent(buf, sizeof(buf), 0), "0.0%");
}

TEST(times_and_sizes)
{
	CHECK_EQ_STR(units_ns(buf, sizeof(buf), 38e3), "38us");
	CHECK_EQ_STR(units_ns(buf, sizeof(buf), 1.3e6), "1.3ms");
	CHECK_EQ_STR(units_ns(buf, sizeof(buf), 2.5e9), "2.5s");
	CHECK_EQ_STR(units_ns(buf, sizeof(buf), 5000e9), "83min");
	CHECK_EQ_STR(units_bytes(buf, sizeof(buf), 4096), "4K");
	CHECK_EQ_STR(units_bytes(buf, sizeof(buf), 65536), "64K");
	CHECK_EQ_STR(units_percent(buf, sizeof(buf), 0.746), "74.6%");
}

TEST(C75_never_wider_than_six)
{
	const double odd[] = { -1, NAN, INFINITY, 1e30, 99.949, 9.9949, 999.49,
			       1e15, 4294966405.0, 1.8446744073709552e19 };

	for (double v = 1e-9; v < 1e30; v *= 1.0931) {
		CHECK(strlen(units_count(buf, sizeof(buf), v)) <= 6);
		CHECK(strlen(units_ns(buf, sizeof(buf), v)) <= 6);
		CHECK(strlen(units_bytes(buf, sizeof(buf), v)) <= 6);
		CHECK(strlen(units_percent(buf, sizeof(buf), v)) <= 6);
	}
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		CHECK(strlen(units_count(buf, sizeof(buf), odd[i])) <= 6);
		CHECK(strlen(units_ns(buf, sizeof(buf), odd[i])) <= 6);
		CHECK(strlen(units_percent(buf, sizeof(buf), odd[i])) <= 6);
	}
	CHECK_EQ_STR(units_count(buf, sizeof(buf), -3), "-");
	CHECK_EQ_STR(units_count(buf, sizeof(buf), NAN), "-");
}

TEST(C20_exact_keeps_every_digit)
{
	CHECK_EQ_STR(units_exact(buf, sizeof(buf), 0), "0");
	CHECK_EQ_STR(units_exact(buf, sizeof(buf), 56283), "56,283");
	CHECK_EQ_STR(units_exact(buf, sizeof(buf), 9007199254740993ull),
		     "9,007,199,254,740,993");
	CHECK_EQ_STR(units_exact(buf, sizeof(buf), UINT64_MAX),
		     "18,446,744,073,709,551,615");
}

TEST(C58_clock_uses_the_samples_own_zone)
{
	CHECK_EQ_STR(units_clock(buf, sizeof(buf), 0, 0), "00:00:00");
	CHECK_EQ_STR(units_clock(buf, sizeof(buf), 0, -3600), "23:00:00");
	CHECK_EQ_STR(units_clock(buf, sizeof(buf), 86399900000000ll, 0),
		     "23:59:59");
	CHECK_EQ_STR(units_clock(buf, sizeof(buf), 86399900000000ll, 7200),
		     "01:59:59");
}

TEST(spans_are_parsed_whole_or_refused)
{
	uint64_t ns = 0;

	CHECK_EQ_INT(units_parse_span("1.5", &ns), 0);
	CHECK_EQ_U64(ns, 1500000000);
	CHECK_EQ_INT(units_parse_span("250ms", &ns), 0);
	CHECK_EQ_U64(ns, 250000000);
	CHECK_EQ_INT(units_parse_span("2m", &ns), 0);
	CHECK_EQ_U64(ns, 120000000000ull);
	CHECK_EQ_INT(units_parse_span("", &ns), -EINVAL);
	CHECK_EQ_INT(units_parse_span(".", &ns), -EINVAL);
	CHECK_EQ_INT(units_parse_span("-1", &ns), -EINVAL);
	CHECK_EQ_INT(units_parse_span("1e3", &ns), -EINVAL);
	CHECK_EQ_INT(units_parse_span("1 s", &ns), -EINVAL);
	CHECK_EQ_INT(units_parse_span("nan", &ns), -EINVAL);
	CHECK_EQ_INT(units_parse_span("99999999999h", &ns), -ERANGE);
}

TEST(wilson_knows_its_edges)
{
	double lo, hi;

	wilson_interval(0, 0, 0, &lo, &hi);
	CHECK_NEAR(lo, 0, 1e-9);
	CHECK_NEAR(hi, 1, 1e-9);
	wilson_interval(0, 100, 100, &lo, &hi);
	CHECK_NEAR(lo, 0, 1e-9);
	CHECK_NEAR(hi, 0.036994, 1e-5);
	wilson_interval(100, 100, 100, &lo, &hi);
	CHECK_NEAR(hi, 1, 1e-9);
	CHECK_NEAR(lo, 1 - 0.036994, 1e-5);
	wilson_interval(50, 100, 100, &lo, &hi);
	CHECK_NEAR(lo, 0.403832, 1e-5);
	CHECK_NEAR(hi, 0.596168, 1e-5);
}

/* 100 samples of weight 61 say no more than 100 of weight 1. */
TEST(wilson_counts_samples_not_weights)
{
	double lo1, hi1, lo61, hi61;

	wilson_interval(50, 100, 100, &lo1, &hi1);
	wilson_interval(50 * 61.0, 100 * 61.0, 100 * 61.0 * 61.0, &lo61, &hi61);
	CHECK_NEAR(lo1, lo61, 1e-12);
	CHECK_NEAR(hi1, hi61, 1e-12);
}

/* What stands beside a share reaches both ends of its interval, also where few
 * samples move the centre: one of one may well be 21 %. */
TEST(wilson_reaches_both_ends)
{
	double lo, hi, share, reach, most;

	wilson_interval(1, 1, 1, &lo, &hi);
	CHECK_NEAR(wilson_reach(1, lo, hi), 0.793456, 1e-5);
	CHECK_NEAR(wilson_reach_max(1, 1), 0.793456, 1e-5);
	for (int n = 1; n < 300; n += 7) {
		most = wilson_reach_max(n, n);
		for (int i = 0; i <= n; i++) {
			share = (double)i / n;
			wilson_interval(i, n, n, &lo, &hi);
			reach = wilson_reach(share, lo, hi);
			CHECK(share - reach <= lo + 1e-9);
			CHECK(share + reach >= hi - 1e-9);
			CHECK(reach <= most + 1e-9);
		}
	}
	CHECK_NEAR(wilson_reach_max(0, 0), 1, 1e-9);
}

TEST_MAIN
