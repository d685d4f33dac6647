/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is on the page?
 *
 * Invariants: every cell's ch is printable and one column wide, or a wide
 * character that is followed by CELL_REST; a CELL_REST stands nowhere else.
 * Whoever overwrites half of a wide character blanks its other half.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "surface.h"
#include "text.h"

static const struct cell blank = { ' ', ROLE_NORMAL };

static int end_of(int x, int w)		/* x + w without overflow */
{
	return w > 0 && x > INT_MAX - w ? INT_MAX : x + (w > 0 ? w : 0);
}

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* The other half of a wide character must not stay alone. */
static void cell_free(struct surface *s, int x, int y)
{
	struct cell *c = &s->cell[(size_t)y * s->w + x];

	if (c->ch == CELL_REST && x > 0)
		c[-1].ch = ' ';
	if (x + 1 < s->w && c[1].ch == CELL_REST)
		c[1].ch = ' ';
}

static void cell_put(struct surface *s, int x, int y, enum role role,
		     uint32_t ch)
{
	struct cell *c;

	if (x < 0 || x >= s->w)
		return;
	cell_free(s, x, y);
	c = &s->cell[(size_t)y * s->w + x];
	c->ch = ch;
	c->role = (uint8_t)role;
}

/* A character of `width` columns at x; one that is half outside is blank. */
static void char_put(struct surface *s, int x, int y, enum role role,
		     uint32_t ch, int width)
{
	if (width == 1) {
		cell_put(s, x, y, role, ch);
	} else if (x < 0 || x + 1 >= s->w) {
		cell_put(s, x, y, role, ' ');
		cell_put(s, x + 1, y, role, ' ');
	} else {
		cell_put(s, x, y, role, ch);
		cell_put(s, x + 1, y, role, ' ');
		s->cell[(size_t)y * s->w + x + 1].ch = CELL_REST;
	}
}

/* Columns of text within w; what does not fit whole is left out. */
static int measure(const char *text, int ascii, int w)
{
	size_t len = strlen(text), n;
	uint32_t ch;
	int used = 0, width;

	for (; len; text += n, len -= n) {
		n = text_next(text, len, ascii, &ch, &width);
		if (width > w - used)
			break;
		used += width;
	}
	return used;
}

int surface_resize(struct surface *s, int w, int h)
{
	size_t n = (size_t)w * (size_t)h;
	struct cell *cell;

	if (w && (size_t)h > INT_MAX / (size_t)w)
		return -ENOMEM;
	if (n > (size_t)s->cap) {
		cell = reallocarray(s->cell, n, sizeof(*cell));
		if (!cell)
			return -ENOMEM;
		s->cell = cell;
		s->cap = (int)n;
	}
	s->w = w;
	s->h = h;
	surface_clear(s);
	return 0;
}

void surface_clear(struct surface *s)
{
	size_t n = (size_t)s->w * (size_t)s->h, i;

	for (i = 0; i < n; i++)
		s->cell[i] = blank;
}

void surface_free(struct surface *s)
{
	free(s->cell);
	s->cell = NULL;
	s->w = s->h = s->cap = 0;
}

int surface_text(struct surface *s, int x, int y, int w, enum role role,
		 const char *text)
{
	size_t len = strlen(text), n;
	int used = 0, width;
	uint32_t ch;

	if (y < 0 || y >= s->h)
		return measure(text, s->ascii, w);
	w = end_of(x, w) - x;
	for (; len; text += n, len -= n) {
		n = text_next(text, len, s->ascii, &ch, &width);
		if (width > w - used)
			break;
		if (width)
			char_put(s, x + used, y, role, ch, width);
		used += width;
	}
	return used;
}

int surface_right(struct surface *s, int x, int y, int w, enum role role,
		  const char *text)
{
	int used = measure(text, s->ascii, w);

	return surface_text(s, end_of(x, w) - used, y, used, role, text);
}

int surface_printf(struct surface *s, int x, int y, int w, enum role role,
		   const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return surface_text(s, x, y, w, role, buf);
}

void surface_fill(struct surface *s, int x, int y, int w, int h, enum role role,
		  uint32_t ch)
{
	int x1 = min_int(end_of(x, w), s->w), y1 = min_int(end_of(y, h), s->h);
	int i, j;

	ch = text_clean(ch, s->ascii);
	for (j = max_int(y, 0); j < y1; j++)
		for (i = max_int(x, 0); i < x1; i++)
			cell_put(s, i, j, role, ch);
}

void surface_role(struct surface *s, int x, int y, int w, enum role role)
{
	int x1 = min_int(end_of(x, w), s->w), i;

	if (y < 0 || y >= s->h)
		return;
	for (i = max_int(x, 0); i < x1; i++)
		s->cell[(size_t)y * s->w + i].role = (uint8_t)role;
}

static double largest(const double *v, size_t n)
{
	double top = 0;

	for (; n; n--, v++)
		if (*v > top && !isinf(*v))
			top = *v;
	return top;
}

static uint32_t spark_char(double v, double top, int ascii)
{
	static const char ramp[] = " .:-=+*#";
	int step = 0;

	if (v > 0 && top > 0)
		step = v >= top ? 7 : min_int(6, 1 + (int)(v / top * 7));
	return ascii ? (uint32_t)ramp[step] : 0x2581u + (uint32_t)step;
}

void surface_spark(struct surface *s, int x, int y, int w, enum role role,
		   const double *v, size_t n, double top)
{
	size_t i;

	if (w <= 0)
		return;
	surface_fill(s, x, y, w, 1, role, ' ');
	if (n > (size_t)w) {
		v += n - (size_t)w;
		n = (size_t)w;
	}
	if (!(top > 0))
		top = largest(v, n);
	x = end_of(x, w) - (int)n;
	for (i = 0; i < n; i++)
		if (!isnan(v[i]))
			surface_fill(s, x + (int)i, y, 1, 1, role,
				     spark_char(v[i], top, s->ascii));
}

int text_width(const char *text, int ascii)
{
	return measure(text, ascii, INT_MAX);
}
