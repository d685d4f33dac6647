/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where do a block's mark and the pieces of its frame begin and end?
 */
#include <errno.h>
#include <string.h>
#include <zstd.h>
#include "codec.h"
#include "codec_format.h"
#include "codec_frame.h"

enum { CHECKSUM_BYTES = 4, BLOCK_HEAD_BYTES = 3, SCRATCH_BYTES = 32 << 10 };
enum { BLOCK_RAW, BLOCK_RLE, BLOCK_COMPRESSED, BLOCK_RESERVED };

/* Magic, descriptor, window: a frame of ours has no dictionary, no single
 * segment, a checksum; a content size (of 2, 4 or 8 bytes) does no harm. */
static int header_size(const uint8_t *p, size_t left, size_t *size)
{
	static const uint8_t content_size[] = { 0, 2, 4, 8 };
	static const uint8_t magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	size_t i, have = left < 4 ? left : 4;

	for (i = 0; i < have; i++)
		if (p[i] != magic[i])
			return -EBADMSG;
	if (left < 6)
		return 0;
	if ((p[4] & 0x3f) != 0x04)
		return -EBADMSG;
	*size = 6 + content_size[p[4] >> 6];
	return *size <= left;
}

static int block_size(const uint8_t *p, size_t left, size_t *size, int *last)
{
	uint32_t head;

	if (left < BLOCK_HEAD_BYTES)
		return 0;
	head = get_le(p, BLOCK_HEAD_BYTES);
	if (!head)
		return 0;
	*last = head & 1;
	*size = head >> 3;
	switch (head >> 1 & 3) {
	case BLOCK_RLE:
		*size = 1;
		break;
	case BLOCK_RESERVED:
		return -EBADMSG;
	}
	if (head >> 3 > (128 << 10))
		return -EBADMSG;
	*size += BLOCK_HEAD_BYTES;
	return *size <= left;
}

int codec_frame_piece(struct codec_frame *f, const uint8_t *data, size_t len,
		      size_t *size)
{
	const uint8_t *p = data + f->at;
	size_t left = len - f->at;
	int got, last = 0;

	if (f->ended || len < f->at)
		return 0;
	if (!f->begun) {
		got = header_size(p, left, size);
	} else if (!f->last) {
		got = block_size(p, left, size, &last);
	} else {
		*size = CHECKSUM_BYTES;
		got = *size <= left;
	}
	if (got <= 0)
		return got;
	f->ended = f->last;
	f->last = last || f->last;
	f->begun = 1;
	f->at += *size;
	return 1;
}

int codec_mark_read(const void *data, size_t len, struct codec_mark *m)
{
	const uint8_t *p = data;
	uint8_t start[16];
	size_t have = len < sizeof(start) ? len : sizeof(start);

	put_le(start, MARK_MAGIC, 4);
	put_le(start + 4, MARK_PAYLOAD, 4);
	memcpy(start + 8, CODEC_NAME, 8);
	if (have && memcmp(p, start, have))
		return -EBADMSG;
	if (len < CODEC_MARK_BYTES)
		return 0;
	if (get_le(p + 56, 4) != crc32c(0, p, 56))
		return -EBADMSG;
	m->file_id = get_le(p + 16, 8);
	m->block = get_le(p + 24, 8);
	m->first_seq = get_le(p + 32, 8);
	m->first_mono_ns = get_le(p + 40, 8);
	m->first_wall_ns = get_le(p + 48, 8);
	return CODEC_MARK_BYTES;
}

/* Decompress a piece into nothing; zstd checks the sum at the end. */
static int check_piece(ZSTD_DCtx *zstd, const uint8_t *p, size_t size)
{
	uint8_t scratch[SCRATCH_BYTES];
	ZSTD_inBuffer in = { p, size, 0 };
	ZSTD_outBuffer out;
	size_t left;

	do {
		out.dst = scratch;
		out.size = sizeof(scratch);
		out.pos = 0;
		left = ZSTD_decompressStream(zstd, &out, &in);
		if (ZSTD_isError(left))
			return -EBADMSG;
	} while (in.pos < in.size || out.pos == out.size);
	return 0;
}

int codec_verify(const void *frame, size_t len, size_t *size)
{
	struct codec_frame f = { 0 };
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	size_t piece, from = 0;
	int got;

	if (!zstd)
		return -ENOMEM;
	ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, CODEC_WINDOW_LOG);
	while ((got = codec_frame_piece(&f, frame, len, &piece)) > 0) {
		got = check_piece(zstd, (const uint8_t *)frame + from, piece);
		if (got)
			break;
		from = f.at;
	}
	ZSTD_freeDCtx(zstd);
	if (got < 0)
		return got;
	*size = f.at;
	return f.ended;
}
