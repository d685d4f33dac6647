/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a frame of text leave whole?  It is put together in memory and
 * written without a pause, so that nothing ends in its middle.
 */
#ifndef OUT_H
#define OUT_H

#include <stddef.h>
#include <stdint.h>
#include "surface.h"

struct out {			/* zeroed to begin with; reused */
	char *buf;
	size_t n, cap;
	int err;		/* -ENOMEM: something is missing */
};

void out_reset(struct out *o);
void out_free(struct out *o);
void out_bytes(struct out *o, const char *bytes, size_t n);
void out_text(struct out *o, const char *text);
/* Bytes from anywhere, cleaned as surface_text() does. */
void out_clean(struct out *o, int ascii, const char *text);
void out_printf(struct out *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Lines of a surface from..to-1 as UTF-8, without blanks at their ends. */
void out_surface(struct out *o, const struct surface *s, int from, int to);
/* "2026-11-30T14:03:22.123+01:00" */
void out_time(struct out *o, int64_t wall_ns, int32_t utc_offset_s);
/* All of it to fd, waiting for its reader; 0 or -errno, -EINTR: a blocked
 * signal came and the reader takes nothing.  Empty afterwards. */
int out_write(struct out *o, int fd);

#endif
