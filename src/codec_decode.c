/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do blocks of bytes become samples?
 *
 * The frame is given to zstd one zstd block (at most 128 KiB of plain bytes) at
 * a time, because on an error it drops all that the same call had decoded. So
 * the pieces' sizes are read here first (RFC 8878, 3.1.1). What comes out waits
 * in `plain` until an item is whole; an item may claim no more than max_bytes.
 * Nothing of the head is believed before the CRC of the first sample, which
 * covers it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "codec.h"
#include "codec_format.h"
#include "codec_frame.h"
#include "sample_read.h"

enum { PIECE_BYTES = 128 << 10 };	/* plain bytes of a zstd block */
enum { HEAD_BYTES = 4 << 20 };		/* of a block, at most */
enum { READING_BYTES = 16, READINGS_LEAST = 4096 };

struct codec_decoder {
	size_t max_bytes;
	ZSTD_DCtx *zstd;
	struct codec_frame frame;
	struct wire_out plain;	/* decompressed */
	size_t plain_at;	/* read so far */
	struct wire_out head;	/* the block's head, as it stands */
	int head_read;
	uint32_t head_crc;
	struct codec_mark mark;
	struct sample_reader reader;
	uint64_t seq;		/* of the last sample, 0 none in this block */
	int err;		/* for good, until codec_begin() */
	const char *why;
};

static int fail(struct codec_decoder *d, int err, const char *why)
{
	d->why = why;
	return d->err = err;
}

/* Decompress one piece of the frame behind what is plain already. */
static int expand(struct codec_decoder *d, const uint8_t *data, size_t len)
{
	ZSTD_inBuffer in = { data, len, 0 };
	ZSTD_outBuffer out;
	size_t left;

	do {
		if (wire_reserve(&d->plain, PIECE_BYTES))
			return fail(d, -ENOMEM, "memory is short");
		out.dst = d->plain.data;
		out.size = d->plain.cap;
		out.pos = d->plain.len;
		left = ZSTD_decompressStream(d->zstd, &out, &in);
		if (ZSTD_isError(left))
			return fail(d, -EBADMSG, ZSTD_getErrorName(left));
		d->plain.len = out.pos;
	} while (in.pos < in.size || out.pos == out.size);
	return 0;
}

/* Forget what has been read of plain. */
static void plain_shift(struct codec_decoder *d)
{
	if (d->plain_at)
		memmove(d->plain.data, d->plain.data + d->plain_at,
			d->plain.len - d->plain_at);
	d->plain.len -= d->plain_at;
	d->plain_at = 0;
}

/* 1: more is plain; 0: the bytes end here; or an error. */
static int feed(struct codec_decoder *d, const uint8_t *data, size_t len)
{
	size_t from = d->frame.at, piece;
	int err = codec_frame_piece(&d->frame, data, len, &piece);

	if (err < 0)
		return fail(d, err, "not a zstd frame");
	if (!err)
		return 0;
	if (d->plain.len - d->plain_at > d->max_bytes)
		return fail(d, -EBADMSG, "an item is too large");
	plain_shift(d);
	err = expand(d, data + from, piece);
	return err ? err : 1;
}

/* Take the block's head off plain, unread.  0, -EAGAIN, or an error. */
static int take_head(struct codec_decoder *d)
{
	struct wire_in in = { d->plain.data, d->plain.len, 0 };
	int err = wire_skip(&in);

	if (err == -EAGAIN && d->plain.len <= HEAD_BYTES)
		return err;
	if (err)
		return fail(d, -EBADMSG, "its head is no CBOR");
	d->head.len = 0;
	if (wire_reserve(&d->head, in.at))
		return fail(d, -ENOMEM, "memory is short");
	memcpy(d->head.data, d->plain.data, in.at);
	d->head.len = in.at;
	d->head_crc = crc32c(0, d->head.data, in.at);
	d->plain_at = in.at;
	return 0;
}

/* The CRC of the first sample has vouched for the head: read it. */
static int read_head(struct codec_decoder *d, uint64_t seq)
{
	struct wire_in in = { d->head.data, d->head.len, 0 };
	struct block_head head;
	int err = sample_read_head(&d->reader, &in, &head);

	if (err)
		return fail(d, err, d->reader.why);
	if (head.file_id != d->mark.file_id || head.block != d->mark.block ||
	    seq != d->mark.first_seq)
		return fail(d, -EBADMSG, "its mark is of another block");
	d->head_read = 1;
	return 0;
}

/* The item at the front of plain, if it is whole: 0, -EAGAIN, or damage. */
static int get_item(struct codec_decoder *d, struct wire_in *in, uint64_t *seq,
		    struct wire_item *body)
{
	uint64_t crc = 0;
	size_t n;
	int err = wire_get_array(in, &n);

	if (!err && n != 3)
		err = -EBADMSG;
	if (!err)
		err = wire_get_uint(in, seq, UINT64_MAX);
	if (!err)
		err = wire_get_uint(in, &crc, UINT32_MAX);
	if (!err)
		err = wire_next(in, body);
	if (!err && body->type != WIRE_BYTES)
		err = -EBADMSG;
	if (!err && item_crc(d->head_crc, *seq, body->text, body->n) != crc)
		return fail(d, -EBADMSG, "a sample's CRC is wrong");
	return err == -EBADMSG ? fail(d, err, "an item is no sample") : err;
}

/* Read the sample at the front of plain: 1, 0 if it is not whole, or error. */
static int read_item(struct codec_decoder *d)
{
	struct wire_in in = { d->plain.data, d->plain.len, d->plain_at };
	struct wire_in sample = { 0 };
	struct wire_item body;
	uint64_t seq;
	int err = get_item(d, &in, &seq, &body);

	if (err == -EAGAIN)
		return 0;
	if (err)
		return err;
	if (seq <= d->seq)
		return fail(d, -EBADMSG, "its samples are out of order");
	if (!d->head_read)
		err = read_head(d, seq);
	if (err)
		return err;
	sample.data = (const uint8_t *)body.text;
	sample.len = body.n;
	err = sample_read(&d->reader, &sample);
	if (err)
		return fail(d, err, d->reader.why);
	d->seq = seq;
	d->plain_at = in.at;
	return 1;
}

/* Go on to the next sample: 1, 0, or an error. */
static int advance(struct codec_decoder *d, const uint8_t *data, size_t len)
{
	int got = 0;

	for (;;) {
		if (!d->head.len && d->plain.len && take_head(d) < 0 && d->err)
			return d->err;
		if (d->head.len)
			got = read_item(d);
		if (got)
			return got;
		got = feed(d, data, len);
		if (got <= 0)
			break;
		got = 0;
	}
	if (!got && d->frame.ended && d->plain_at != d->plain.len)
		return fail(d, -EBADMSG, "it ends within a sample");
	return got;
}

static int read_mark(struct codec_decoder *d, const uint8_t *data, size_t len)
{
	int n = codec_mark_read(data, len, &d->mark);

	if (n < 0)
		return fail(d, n, "its mark is damaged");
	d->frame.at = n;
	return n > 0;
}

struct codec_decoder *codec_decoder_new(size_t max_bytes)
{
	struct codec_decoder *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->max_bytes = max_bytes;
	d->reader.limit = max_bytes / READING_BYTES;
	if (d->reader.limit < READINGS_LEAST)
		d->reader.limit = READINGS_LEAST;
	d->zstd = ZSTD_createDCtx();
	if (!d->zstd || sample_read_init(&d->reader)) {
		codec_decoder_free(d);
		return NULL;
	}
	ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, CODEC_WINDOW_LOG);
	codec_begin(d);
	return d;
}

void codec_decoder_free(struct codec_decoder *d)
{
	if (!d)
		return;
	ZSTD_freeDCtx(d->zstd);
	wire_free(&d->plain);
	wire_free(&d->head);
	sample_read_free(&d->reader);
	free(d);
}

void codec_begin(struct codec_decoder *d)
{
	ZSTD_DCtx_reset(d->zstd, ZSTD_reset_session_only);
	memset(&d->frame, 0, sizeof(d->frame));
	d->plain.len = d->plain_at = d->head.len = 0;
	d->plain.err = d->head.err = 0;
	d->head_read = 0;
	d->seq = 0;
	d->err = 0;
	d->why = NULL;
	sample_read_begin(&d->reader);
}

int codec_next(struct codec_decoder *d, const void *block, size_t len,
	       uint64_t from, struct sample *s)
{
	int got = 1, err;

	if (d->err)
		return d->err;
	if (!d->frame.at)
		got = read_mark(d, block, len);
	if (got > 0)
		do
			got = advance(d, block, len);
		while (got > 0 && d->seq < from);
	if (got <= 0)
		return got;
	err = sample_read_out(&d->reader, s);
	s->seq = d->seq;
	return err ? err : 1;
}

const char *codec_why(const struct codec_decoder *d)
{
	return d->why ? d->why : "no error";
}
