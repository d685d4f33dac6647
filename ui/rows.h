/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where do a pane's rows live?  In arrays that are used again for the next
 * frame: once they are large enough, nothing is allocated.  Out of memory is
 * kept in rows->err, so that panes need not look at every step.
 */
#ifndef ROWS_H
#define ROWS_H

#include "pane.h"

void rows_reset(struct rows *r);	/* empty, memory kept */
void rows_free(struct rows *r);		/* accepts zeroed */
/* A new row, all values absent without a reason; valid until the next
 * rows_add().  NULL: out of memory, r->err set. */
struct row *rows_add(struct rows *r, uint64_t id);
/* Copies that live until rows_reset(); "" when out of memory. */
const char *rows_text(struct rows *r, const char *text);
const char *rows_printf(struct rows *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Values; text and reasons are not copied. */
struct value value_u64(uint64_t u);
struct value value_real(double r);	/* NAN: absent */
struct value value_text(const char *text);
struct value value_absent(const char *why);

#endif
