/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where do a pane's rows live?
 *
 * Invariants: texts never move before rows_reset(), so a full block of the
 * arena is not moved but chained: its first bytes hold the block before it.
 * rows_reset() joins a chain into one block of their sum.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rows.h"

enum { ROWS_FIRST = 64, TEXT_FIRST = 4096 };

struct block {
	struct block *before;
	size_t cap;
	char text[];
};

static struct block *block_of(const struct rows *r)
{
	return r->text ? (struct block *)(void *)(r->text -
					offsetof(struct block, text)) : NULL;
}

static int block_add(struct rows *r, size_t cap)
{
	struct block *b = malloc(sizeof(*b) + cap);

	if (!b) {
		r->err = -ENOMEM;
		return r->err;
	}
	b->before = block_of(r);
	b->cap = cap;
	r->text = b->text;
	r->captext = cap;
	r->ntext = 0;
	return 0;
}

static size_t blocks_free(struct rows *r)
{
	struct block *b = block_of(r), *before;
	size_t sum = 0;

	for (; b; b = before) {
		before = b->before;
		sum += b->cap;
		free(b);
	}
	r->text = NULL;
	r->captext = r->ntext = 0;
	return sum;
}

static char *text_room(struct rows *r, size_t len)
{
	char *to;

	if (len > r->captext - r->ntext) {
		size_t cap = r->captext ? 2 * r->captext : TEXT_FIRST;

		if (block_add(r, cap > len ? cap : len))
			return NULL;
	}
	to = r->text + r->ntext;
	r->ntext += len;
	return to;
}

void rows_reset(struct rows *r)
{
	struct block *b = block_of(r);

	r->n = r->norder = 0;
	r->ntext = 0;
	r->err = 0;
	if (b && b->before)
		block_add(r, blocks_free(r));
}

void rows_free(struct rows *r)
{
	blocks_free(r);
	free(r->row);
	free(r->order);
	free(r->schedule);
	free(r->node);
	free(r->part);
	free(r->end);
	memset(r, 0, sizeof(*r));
}

struct row *rows_add(struct rows *r, uint64_t id)
{
	struct row *row;

	if (r->n == r->cap) {
		size_t cap = r->cap ? 2 * r->cap : ROWS_FIRST;

		row = reallocarray(r->row, cap, sizeof(*row));
		if (!row) {
			r->err = -ENOMEM;
			return NULL;
		}
		r->row = row;
		r->cap = cap;
	}
	row = &r->row[r->n++];
	memset(row, 0, sizeof(*row));
	row->id = id;
	return row;
}

const char *rows_text(struct rows *r, const char *text)
{
	size_t len = strlen(text) + 1;
	char *to = text_room(r, len);

	return to ? memcpy(to, text, len) : "";
}

const char *rows_printf(struct rows *r, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return rows_text(r, buf);
}

struct value value_u64(uint64_t u)
{
	return (struct value){ .kind = VALUE_U64, .u = u };
}

struct value value_real(double r)
{
	if (isnan(r))
		return value_absent(NULL);
	return (struct value){ .kind = VALUE_REAL, .r = r };
}

struct value value_text(const char *text)
{
	return (struct value){ .kind = VALUE_TEXT, .text = text };
}

struct value value_absent(const char *why)
{
	return (struct value){ .kind = VALUE_ABSENT, .text = why };
}
