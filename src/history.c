/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened in the last minutes?
 *
 * One piece of memory, taken at the start and touched only as far as it is
 * filled, holds the blocks, each in one run of bytes. The newest block grows;
 * where something is in its way it moves to a gap, and where no gap is wide
 * enough the oldest block is dropped. Neither the pinned block nor the open one
 * ever is. Cursors know a block by its number, never by an address.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "codec.h"
#include "history.h"

struct mark {
	uint64_t seq, mono_ns;
};

struct block {
	uint64_t number;	/* rising, never used again */
	size_t at, len;		/* in the memory */
	unsigned n;		/* samples, at least one */
	struct mark mark[CODEC_BLOCK_SAMPLES_MAX];
};

struct history {
	uint64_t span_ns, pin, numbers;
	size_t max_bytes, bytes;
	uint8_t *memory;
	struct block *block;	/* in order of time */
	size_t n, cap;
	struct codec_encoder *encoder;
};

struct cursor {
	struct source src;	/* first */
	struct history *h;
	struct codec_decoder *decoder;
	uint64_t want;		/* next() gives it, or the oldest after it */
	uint64_t number;	/* of the block that is being decoded */
	int begun;		/* one is */
};

static const struct mark *block_last(const struct block *b)
{
	return &b->mark[b->n - 1];
}

static int is_pinned(const struct history *h, const struct block *b)
{
	return h->pin && b->mark[0].seq <= h->pin &&
	       block_last(b)->seq >= h->pin;
}

/* ---- memory ---- */

static void drop(struct history *h, size_t i)
{
	h->bytes -= h->block[i].len;
	h->n--;
	memmove(&h->block[i], &h->block[i + 1],
		(h->n - i) * sizeof(*h->block));
}

/* Drop the oldest block that may go: all but the last and the pinned one. */
static int drop_oldest(struct history *h)
{
	size_t i;

	for (i = 0; i + 1 < h->n; i++)
		if (!is_pinned(h, &h->block[i])) {
			drop(h, i);
			return 0;
		}
	return -ENOSPC;
}

static void drop_old(struct history *h, uint64_t now_ns)
{
	size_t i = 0;

	while (i + 1 < h->n)
		if (now_ns - block_last(&h->block[i])->mono_ns > h->span_ns &&
		    !is_pinned(h, &h->block[i]))
			drop(h, i);
		else
			i++;
}

/* How many bytes from `at` on belong to none of the blocks but `b`? */
static size_t gap(const struct history *h, const struct block *b, size_t at)
{
	size_t i, end = h->max_bytes;
	const struct block *o;

	for (i = 0; i < h->n; i++) {
		o = &h->block[i];
		if (o == b || o->at + o->len <= at)
			continue;
		if (o->at <= at)
			return 0;
		if (o->at < end)
			end = o->at;
	}
	return end - at;
}

/* Move b to a gap of `need` bytes, if there is one. */
static int move(struct history *h, struct block *b, size_t need)
{
	size_t i, at = 0;

	for (i = 0; gap(h, b, at) < need; i++) {
		if (i == h->n)
			return -ENOSPC;
		at = h->block[i].at + h->block[i].len;
	}
	memmove(h->memory + at, h->memory + b->at, b->len);
	b->at = at;
	return 0;
}

/* Room for `more` bytes at the end of the last block. */
static int make_room(struct history *h, size_t more)
{
	struct block *b;

	for (;;) {
		b = &h->block[h->n - 1];
		if (gap(h, b, b->at) >= b->len + more ||
		    !move(h, b, b->len + more))
			return 0;
		if (drop_oldest(h))
			return -ENOSPC;
	}
}

/* ---- adding ---- */

static int block_new(struct history *h)
{
	struct block *b = array_reserve(h->block, h->n + 1, &h->cap,
					sizeof(*b));

	if (!b)
		return -ENOMEM;
	h->block = b;
	b += h->n;
	b->at = h->n ? b[-1].at + b[-1].len : 0;
	b->len = b->n = 0;
	b->number = h->numbers++;
	h->n++;
	return 0;
}

static int store(struct history *h, const struct sample *s,
		 const struct codec_bytes *c)
{
	struct block *b;
	int err = c->begins ? block_new(h) : 0;

	if (err)
		return err;
	err = make_room(h, c->len);
	b = &h->block[h->n - 1];
	if (err) {
		h->n -= c->begins;
		return err;
	}
	memcpy(h->memory + b->at + b->len, c->data, c->len);
	b->len += c->len;
	h->bytes += c->len;
	b->mark[b->n].seq = s->seq;
	b->mark[b->n++].mono_ns = s->mono_ns;
	return 0;
}

static int encode_and_store(struct history *h, const struct sample *s)
{
	struct codec_bytes c;
	int err = codec_encode(h->encoder, s, &c);

	if (!err)
		err = store(h, s, &c);
	if (err)
		codec_abandon(h->encoder);
	return err;
}

struct history *history_new(uint64_t span_ns, size_t max_bytes)
{
	struct history *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->span_ns = span_ns;
	h->max_bytes = max_bytes;
	h->memory = malloc(max_bytes ? max_bytes : 1);
	h->encoder = codec_encoder_new(0);
	if (!h->memory || !h->encoder) {
		history_free(h);
		return NULL;
	}
	return h;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	codec_encoder_free(h->encoder);
	free(h->memory);
	free(h->block);
	free(h);
}

/* Where the open block leaves no room it is closed, so that it can go too. */
int history_add(struct history *h, const struct sample *s)
{
	int err;

	if (!s->names || !s->sorted || s->seq <= history_last(h))
		return -EINVAL;
	err = encode_and_store(h, s);
	if (err == -ENOSPC)
		err = encode_and_store(h, s);
	if (!err)
		drop_old(h, s->mono_ns);
	return err;
}

uint64_t history_first(const struct history *h)
{
	return h->n ? h->block[0].mark[0].seq : 0;
}

uint64_t history_last(const struct history *h)
{
	return h->n ? block_last(&h->block[h->n - 1])->seq : 0;
}

size_t history_bytes(const struct history *h)
{
	return h->bytes;
}

uint64_t history_at(const struct history *h, uint64_t at_ns)
{
	const struct block *b;
	size_t i;
	unsigned k;

	for (i = h->n; i--;) {
		b = &h->block[i];
		for (k = b->n; k--;)
			if (b->mark[k].mono_ns <= at_ns)
				return b->mark[k].seq;
	}
	return history_first(h);
}

void history_pin(struct history *h, uint64_t seq)
{
	h->pin = seq;
}

/* ---- cursors ---- */

/* The block that a cursor is in, NULL if it was dropped. */
static const struct block *cursor_block(const struct cursor *c)
{
	size_t i;

	for (i = c->h->n; c->begun && i--;)
		if (c->h->block[i].number == c->number)
			return &c->h->block[i];
	return NULL;
}

/* The oldest block that goes as far as seq. */
static const struct block *block_find(const struct history *h, uint64_t seq)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		if (block_last(&h->block[i])->seq >= seq)
			return &h->block[i];
	return NULL;
}

static void cursor_begin(struct cursor *c, const struct block *b)
{
	codec_begin(c->decoder);
	c->number = b->number;
	c->begun = 1;
}

static int cursor_next(struct source *src, struct sample *s)
{
	struct cursor *c = (struct cursor *)src;
	const struct block *b = cursor_block(c);
	int got;

	if (!b || block_last(b)->seq < c->want) {
		b = block_find(c->h, c->want);
		if (!b)
			return 0;
		if (!c->begun || b->number != c->number)
			cursor_begin(c, b);
	}
	got = codec_next(c->decoder, c->h->memory + b->at, b->len, c->want, s);
	if (got > 0)
		c->want = s->seq + 1;
	return got;
}

static int cursor_seek(struct source *src, uint64_t seq)
{
	struct cursor *c = (struct cursor *)src;
	const struct block *b = cursor_block(c);

	if (!c->h->n || seq > history_last(c->h))
		return -ENOENT;
	if (!b || seq < c->want || seq > block_last(b)->seq)
		c->begun = 0;
	c->want = seq;
	return 0;
}

static int cursor_fd(const struct source *src)
{
	(void)src;
	return -1;
}

static void cursor_close(struct source *src)
{
	struct cursor *c = (struct cursor *)src;

	codec_decoder_free(c->decoder);
	free(c);
}

struct source *history_cursor(struct history *h)
{
	struct cursor *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->src.next = cursor_next;
	c->src.seek = cursor_seek;
	c->src.fd = cursor_fd;
	c->src.close = cursor_close;
	c->h = h;
	c->decoder = codec_decoder_new(CODEC_SAMPLE_BYTES);
	if (!c->decoder) {
		free(c);
		return NULL;
	}
	return &c->src;
}
