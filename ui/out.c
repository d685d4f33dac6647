/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a frame of text leave whole?
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "out.h"
#include "text.h"

#define SECOND	1000000000ll

enum { OUT_FIRST = 16384, STUCK_MS = 500 };

/* Room for n bytes and a NUL behind them. */
static int room(struct out *o, size_t n)
{
	size_t cap = o->cap ? o->cap : OUT_FIRST;
	char *buf;

	if (n < o->cap - o->n)
		return 0;
	while (cap - o->n <= n)
		cap *= 2;
	buf = realloc(o->buf, cap);
	if (!buf) {
		o->err = -ENOMEM;
		return o->err;
	}
	o->buf = buf;
	o->cap = cap;
	return 0;
}

void out_reset(struct out *o)
{
	o->n = 0;
	o->err = 0;
}

void out_free(struct out *o)
{
	free(o->buf);
	memset(o, 0, sizeof(*o));
}

void out_bytes(struct out *o, const char *bytes, size_t n)
{
	if (room(o, n))
		return;
	memcpy(o->buf + o->n, bytes, n);
	o->n += n;
}

void out_text(struct out *o, const char *text)
{
	out_bytes(o, text, strlen(text));
}

void out_clean(struct out *o, int ascii, const char *text)
{
	size_t len = strlen(text), n;
	char buf[4];
	uint32_t ch;
	int width;

	for (; len; text += n, len -= n) {
		n = text_next(text, len, ascii, &ch, &width);
		if (width)
			out_bytes(o, buf, text_encode(buf, ch));
	}
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || room(o, (size_t)n))
		return;
	va_start(ap, fmt);
	vsnprintf(o->buf + o->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	o->n += (size_t)n;
}

static int line_end(const struct surface *s, int y)
{
	const struct cell *c = &s->cell[(size_t)y * s->w];
	int end = s->w;

	while (end && c[end - 1].ch == ' ')
		end--;
	return end;
}

void out_surface(struct out *o, const struct surface *s, int from, int to)
{
	char buf[4];
	int x, y;

	for (y = from; y < to && y < s->h; y++) {
		int end = line_end(s, y);
		const struct cell *c = &s->cell[(size_t)y * s->w];

		for (x = 0; x < end; x++)
			if (c[x].ch != CELL_REST)
				out_bytes(o, buf, text_encode(buf, c[x].ch));
		out_bytes(o, "\n", 1);
	}
}

void out_time(struct out *o, int64_t wall_ns, int32_t utc_offset_s)
{
	int64_t ns = wall_ns % SECOND;
	time_t at = (time_t)(wall_ns / SECOND) + utc_offset_s;
	int32_t minutes = (utc_offset_s < 0 ? -utc_offset_s : utc_offset_s) /
			  60;
	char date[40] = "";
	struct tm tm;

	if (ns < 0) {
		ns += SECOND;
		at--;
	}
	if (gmtime_r(&at, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	out_printf(o, "%s.%03d%c%02d:%02d", date, (int)(ns / 1000000),
		   utc_offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

/*
 * Wait until fd takes something.  Signals may be blocked here and wait for the
 * loop: a reader that takes nothing for so long must not keep them from it.
 */
static int wait_for_room(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	sigset_t waiting;

	while (!poll(&p, 1, STUCK_MS))
		if (!sigpending(&waiting) && !sigisemptyset(&waiting))
			return -EINTR;
	return 0;
}

/* A pipe that has room takes PIPE_BUF bytes and does not block. */
int out_write(struct out *o, int fd)
{
	size_t done = 0, piece;
	ssize_t n;
	int err = o->err;

	while (!err && done < o->n) {
		err = wait_for_room(fd);
		if (err)
			break;
		piece = o->n - done < PIPE_BUF ? o->n - done : PIPE_BUF;
		n = write(fd, o->buf + done, piece);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR && errno != EAGAIN)
			err = -errno;
	}
	out_reset(o);
	return err;
}
