/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a frame say to a program?  One JSON object in one line (JSON
 * Lines, RFC 8259 inside), whatever the input:
 *
 *	{"time":"2026-11-30T14:03:22.123+01:00","seq":7,"pane":"schedule",
 *	 "host":"web-07","span_s":1.000000000,"rows":[{"share":0.746,...,
 *	 "wait":null,"absent":{"wait":"why"}},...],
 *	 "total_rows":12,"notes":["schedstat: no such file", ...]}
 *
 * Integers are exact and never pass through a double; what is not available is
 * null, with the reason in "absent"; bytes that are no UTF-8 are U+FFFD.
 */
#ifndef JSON_H
#define JSON_H

#include "model.h"
#include "out.h"
#include "pane.h"

void json_string(struct out *o, const char *text);
void json_real(struct out *o, double v);	/* null unless finite */
/* Arranged rows (table_arrange()), at most max of them, 0 = all. */
void json_rows(struct out *o, const struct column *columns,
	       const struct rows *rows, const struct series *series,
	       uint64_t max);
/* A whole frame with its newline; pane NULL: the readings of the newest
 * sample, "readings":[{"metric":"vm.pgfault","value":1},...], with "key",
 * "sub" and their names where the metric has them. */
void json_frame(struct out *o, const struct model *m, const struct pane *pane,
		const struct column *columns, const struct rows *rows,
		uint64_t max);
/* The text behind an id of names: a stack joined by ';'. */
void out_name(struct out *o, const struct names *names, uint32_t id,
	      void (*put)(struct out *, const char *));

#endif
