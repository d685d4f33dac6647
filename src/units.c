// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How is a number written for people?
 *
 * Three significant figures, and never more than six characters, whatever the
 * input: columns must not break at 1,000 % or after a bad counter.
 */
#include "units.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct scale {
	double from;		/* of values this large or larger */
	double unit;		/* shown in these */
	const char *suffix;
};

/* From the largest down.  The limits are where rounding to three figures
 * would reach the next unit: 999.5 is 1.00k. */
static const struct scale counts[] = {
	{ 999.5e12, 1e15, "P" }, { 999.5e9, 1e12, "T" }, { 999.5e6, 1e9, "G" },
	{ 999.5e3, 1e6, "M" },	 { 999.5, 1e3, "k" },
};
static const struct scale times[] = {
	{ 99.5 * 3600e9, 86400e9, "d" }, { 99.5 * 60e9, 3600e9, "h" },
	{ 99.5e9, 60e9, "min" },	 { 999.5e6, 1e9, "s" },
	{ 999.5e3, 1e6, "ms" },		 { 999.5, 1e3, "us" },
};
static const struct scale sizes[] = {
	{ 999.5 * 0x1p40, 0x1p50, "P" }, { 999.5 * 0x1p30, 0x1p40, "T" },
	{ 999.5 * 0x1p20, 0x1p30, "G" }, { 999.5 * 0x1p10, 0x1p20, "M" },
	{ 1000, 0x1p10, "K" },
};

static bool write_odd(char *buf, size_t n, double v, double largest,
		      const char *suffix)
{
	if (!isfinite(v) || v < 0)
		snprintf(buf, n, "-");
	else if (v >= largest)
		snprintf(buf, n, ">999%s", suffix);
	else
		return false;
	return true;
}

static const struct scale *scale_for(const struct scale *s, size_t n, double v)
{
	for (size_t i = 0; i < n; i++)
		if (v >= s[i].from)
			return &s[i];
	return NULL;
}

/* Decimals so that `figures` significant ones stand. */
static int decimals(double v, int figures)
{
	if (v >= 99.95 || figures < 2)
		return 0;
	if (v >= 9.995 || figures < 3)
		return v >= 9.95 && figures < 3 ? 0 : 1;
	return 2;
}

char *units_count(char *buf, size_t n, double v)
{
	const struct scale *s;

	if (write_odd(buf, n, v, 999.5e15, "P"))
		return buf;
	s = scale_for(counts, sizeof(counts) / sizeof(*counts), v);
	if (s)
		snprintf(buf, n, "%.*f%s", decimals(v / s->unit, 3),
			 v / s->unit, s->suffix);
	else if (v < 0.05 && v > 0)
		snprintf(buf, n, "<0.1");
	else
		snprintf(buf, n, "%.*f",
			 v >= 99.95 || fabs(v - round(v)) < 0.05 ? 0 : 1, v);
	return buf;
}

char *units_ns(char *buf, size_t n, double ns)
{
	const struct scale *s;

	if (write_odd(buf, n, ns, 999.5 * 86400e9, "d"))
		return buf;
	s = scale_for(times, sizeof(times) / sizeof(*times), ns);
	if (s)
		snprintf(buf, n, "%.*f%s", decimals(ns / s->unit, 2),
			 ns / s->unit, s->suffix);
	else
		snprintf(buf, n, "%.0fns", ns);
	return buf;
}

char *units_bytes(char *buf, size_t n, double bytes)
{
	const struct scale *s;
	double v;

	if (write_odd(buf, n, bytes, 999.5 * 0x1p50, "P"))
		return buf;
	s = scale_for(sizes, sizeof(sizes) / sizeof(*sizes), bytes);
	v = s ? bytes / s->unit : bytes;
	snprintf(buf, n, "%.*f%s",
		 !s || v >= 99.95 || fabs(v - round(v)) < 0.05 ? 0 : 1, v,
		 s ? s->suffix : "");
	return buf;
}

char *units_percent(char *buf, size_t n, double share)
{
	double v = share * 100;

	if (!isfinite(v) || v < 0)
		snprintf(buf, n, "-");
	else if (v > 0 && v < 0.05)
		snprintf(buf, n, "<0.1%%");
	else if (v >= 99999.5)
		snprintf(buf, n, ">999%%");
	else
		snprintf(buf, n, "%.*f%%", v >= 99.95 ? 0 : 1, v);
	return buf;
}

char *units_exact(char *buf, size_t n, uint64_t v)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu",
			   (unsigned long long)v);
	size_t out = 0;

	for (int i = 0; i < len && out + 2 < n; i++) {
		if (i && (len - i) % 3 == 0)
			buf[out++] = ',';
		buf[out++] = digits[i];
	}
	if (n)
		buf[out] = '\0';
	return buf;
}

char *units_clock(char *buf, size_t n, int64_t wall_ns, int32_t utc_offset_s)
{
	int64_t day = 86400, sec = wall_ns / 1000000000 + utc_offset_s;

	sec = (sec % day + day) % day;
	snprintf(buf, n, "%02d:%02d:%02d", (int)(sec / 3600),
		 (int)(sec / 60 % 60), (int)(sec % 60));
	return buf;
}

static const struct {
	const char *suffix;
	double ns;
} spans[] = {
	{ "", 1e9 }, { "ns", 1 },   { "us", 1e3 },   { "ms", 1e6 },
	{ "s", 1e9 }, { "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
};

/* Digits with at most one point; strtod() would follow the locale. */
static const char *parse_decimal(const char *p, double *v)
{
	double unit = 1;
	bool digit = false;

	for (*v = 0; *p >= '0' && *p <= '9'; p++, digit = true)
		*v = *v * 10 + (*p - '0');
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++, digit = true)
			*v += (*p - '0') * (unit /= 10);
	return digit ? p : NULL;
}

int units_parse_span(const char *text, uint64_t *ns)
{
	double v;
	const char *suffix = parse_decimal(text, &v);

	if (!suffix)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
		if (strcmp(suffix, spans[i].suffix))
			continue;
		if (v * spans[i].ns >= 9e18)
			return -ERANGE;
		*ns = (uint64_t)llround(v * spans[i].ns);
		return 0;
	}
	return -EINVAL;
}

#define Z	1.959964	/* 95 % of a normal distribution, two-sided */

/* E. B. Wilson, 1927: right at shares near 0 and 1 too.  Samples of different
 * weight count as n_eff = (sum w)^2 / sum w^2 equal ones (Kish, 1965). */
void wilson_interval(double w_row, double w_all, double w2_all, double *lo,
		     double *hi)
{
	const double z2 = Z * Z;
	double n, p, centre, half;

	*lo = 0;
	*hi = 1;
	if (!(w_all > 0) || !(w2_all > 0) || w_row < 0)
		return;
	n = w_all * w_all / w2_all;
	p = w_row < w_all ? w_row / w_all : 1;
	centre = (p + z2 / (2 * n)) / (1 + z2 / n);
	half = sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n);
	*lo = fmax(0, centre - half);
	*hi = fmin(1, centre + half);
}

double wilson_reach(double share, double lo, double hi)
{
	return share - lo > hi - share ? share - lo : hi - share;
}

/* d from 1/2, the reach is d z^2 / (n + z^2) + z sqrt(n (1/4 - d^2) + z^2 / 4)
 * / (n + z^2), largest at d = z / (2 sqrt(n)) and never beyond d = 1/2. */
double wilson_reach_max(double w_all, double w2_all)
{
	double n = w2_all > 0 ? w_all * w_all / w2_all : 0;

	return n > Z * Z ? Z / (2 * sqrt(n)) : Z * Z / (n + Z * Z);
}
