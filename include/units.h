/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is a number written for people?  Three significant figures, the unit
 * once: 0, 7, 56.3k, 1.20M, 38us, 1.3ms, 12.5%.  Exact: all digits.
 * Each writes at most n bytes with the NUL and returns buf.  The decimal
 * point is always '.'.  At most 6 characters (99.9k 999us 1.23T), for any
 * input: larger than 999P is ">999P", NaN and infinities "-".
 */
#ifndef UNITS_H
#define UNITS_H

#include <stddef.h>
#include <stdint.h>

char *units_count(char *buf, size_t n, double v);	/* 56.3k */
char *units_ns(char *buf, size_t n, double ns);		/* 38us 1.3ms 2.5s 3.1h */
char *units_bytes(char *buf, size_t n, double bytes);	/* 4K 64K 1.2M, 1024 */
char *units_percent(char *buf, size_t n, double share);	/* 0.746: 74.6% */
char *units_exact(char *buf, size_t n, uint64_t v);	/* 56,283 */
/* Wall clock "14:03:22" of a sample's own zone. */
char *units_clock(char *buf, size_t n, int64_t wall_ns, int32_t utc_offset_s);

/* "1.5", "10", "250ms", "2m": seconds to ns; 0 or -EINVAL, -ERANGE. */
int units_parse_span(const char *text, uint64_t *ns);

/*
 * Ends of the 95 % Wilson interval of a share from weighted samples: sum w of
 * the row, of all, and sum w^2 of all (n_eff = w^2 / w2).  *lo and *hi are in
 * [0,1].  All zero: [0,1].  Its centre is not the share.
 */
void wilson_interval(double w_row, double w_all, double w2_all, double *lo,
		     double *hi);
/* The +- that reaches both ends from the share; NaN of NaN. */
double wilson_reach(double share, double lo, double hi);
/* The largest reach that a share of so many samples can have; 1 of none. */
double wilson_reach_max(double w_all, double w2_all);

#endif
