/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long did the waits of each row take at most, and how were those of one
 * row spread?
 */
#ifndef SCHEDULE_ENDS_H
#define SCHEDULE_ENDS_H

#include "histogram.h"
#include "rows.h"
#include "schedule_rows.h"

enum { SCHEDULE_P99_MIN = 100 };	/* waits below which there is none */

/* Set p99_ns of all groups of rows->schedule; 0 or -ENOMEM. */
int schedule_ends_make(struct rows *rows, const struct model *m);
/* The waits of one row. */
void schedule_ends_of(struct histogram *h, struct schedule *s,
		      const struct model *m, uint64_t id);

#endif
