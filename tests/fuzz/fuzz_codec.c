/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Can any bytes make the decoder crash, hang or take memory without bound?
 *
 * The first byte of an input says how deep the rest goes in:
 *   0  the block's bytes as they are: mark, zstd frame
 *   1  a mark and a frame of ours around the rest: any CBOR sequence
 *   2  and a good head and CRCs too: the rest is encoded samples, each after
 *      its length (two bytes, little-endian)
 * so that a fuzzer need not guess checksums.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "codec.h"
#include "codec_format.h"
#include "names.h"
#include "wire.h"

enum { LIMIT = 1 << 20, INPUT_MAX = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static struct codec_decoder *decoder;
static struct codec_encoder *encoder;
static struct sample sample;

/* Every name that a reading may mean is looked at to its last byte. */
static uint64_t look_at(const struct sample *s)
{
	const struct name *n;
	uint64_t sum = 0;
	size_t i, k;

	for (i = 0; i < s->n; i++) {
		n = names_get(s->names, s->v[i].key);
		if (!n)
			continue;
		sum += strlen(n->text);
		for (k = 0; n->kind == NAME_STACK && k < n->len; k++)
			sum += strlen(names_str(s->names, n->stack.frame[k]));
	}
	return sum;
}

/* What was decoded can be encoded, and every step of it read again. */
static void decode(const uint8_t *block, size_t len)
{
	struct codec_bytes out;
	int i;

	codec_begin(decoder);
	codec_abandon(encoder);
	for (i = 0; i < 300; i++) {
		if (codec_next(decoder, block, len, 0, &sample) <= 0)
			break;
		look_at(&sample);
		if (codec_encode(encoder, &sample, &out))
			abort();
	}
	if (codec_why(decoder)[0] == '\0')
		abort();
}

static void put_mark(struct wire_out *o, uint64_t seq)
{
	uint8_t *p;

	if (wire_reserve(o, CODEC_MARK_BYTES))
		abort();
	p = o->data + o->len;
	memset(p, 0, CODEC_MARK_BYTES);
	put_le(p, MARK_MAGIC, 4);
	put_le(p + 4, MARK_PAYLOAD, 4);
	memcpy(p + 8, CODEC_NAME, 8);
	put_le(p + 32, seq, 8);
	put_le(p + 56, crc32c(0, p, 56), 4);
	o->len += CODEC_MARK_BYTES;
}

/* A frame as the encoder writes it: flushed, with a checksum. */
static void put_frame(struct wire_out *o, const struct wire_out *plain)
{
	static ZSTD_CCtx *zstd;
	ZSTD_inBuffer in = { plain->data, plain->len, 0 };
	ZSTD_outBuffer out = { 0 };
	size_t left;

	if (!zstd)
		zstd = ZSTD_createCCtx();
	ZSTD_CCtx_reset(zstd, ZSTD_reset_session_and_parameters);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
	if (wire_reserve(o, ZSTD_compressBound(plain->len) + 64))
		abort();
	out.dst = o->data;
	out.size = o->cap;
	out.pos = o->len;
	left = ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush);
	if (!left)
		left = ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_end);
	if (left)
		abort();
	o->len = out.pos;
}

static void put_head(struct wire_out *o)
{
	static const struct {
		uint16_t id;
		const char *name, *unit, *kind, *scope, *sub;
	} m[] = {
		{ 1, "vm.pgfault", "count", "counter", "none", "none" },
		{ 2, "sched.n", "count", "counter", "stack", "task" },
		{ 3, "task.state", "letter", "gauge", "task", "none" },
		{ 4, "self.task", "name", "gauge", "none", "none" },
		{ 0x4000, "vm.key", "pages", "gauge", "none", "none" },
	};
	size_t i;

	wire_map(o, 3);
	wire_str(o, "format");
	wire_str(o, CODEC_NAME);
	wire_str(o, "version");
	wire_array(o, 1);
	wire_uint(o, CODEC_MAJOR);
	wire_str(o, "metrics");
	wire_array(o, sizeof(m) / sizeof(*m));
	for (i = 0; i < sizeof(m) / sizeof(*m); i++) {
		wire_array(o, 6);
		wire_uint(o, m[i].id);
		wire_str(o, m[i].name);
		wire_str(o, m[i].unit);
		wire_str(o, m[i].kind);
		wire_str(o, m[i].scope);
		wire_str(o, m[i].sub);
	}
}

static void put_items(struct wire_out *o, const uint8_t *data, size_t len)
{
	uint32_t head_crc = crc32c(0, o->data, o->len);
	uint64_t seq = 0;
	size_t n;

	while (len >= 2) {
		n = get_le(data, 2);
		data += 2;
		len -= 2;
		n = n < len ? n : len;
		wire_array(o, 3);
		wire_uint(o, ++seq);
		wire_uint(o, item_crc(head_crc, seq, data, n));
		wire_bytes(o, data, n);
		data += n;
		len -= n;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct wire_out plain, block;
	size_t size;

	if (!decoder) {
		decoder = codec_decoder_new(LIMIT);
		encoder = codec_encoder_new(0);
		sample_init(&sample);
	}
	if (!len || len > INPUT_MAX)
		return 0;
	if (data[0] == 0) {
		decode(data + 1, len - 1);
		if (len > 1)
			codec_verify(data + 1, len - 1, &size);
		return 0;
	}
	plain.len = block.len = 0;
	put_mark(&block, 1);
	if (data[0] == 1 && len > 1 && !wire_reserve(&plain, len)) {
		memcpy(plain.data, data + 1, len - 1);
		plain.len = len - 1;
	} else {
		put_head(&plain);
		put_items(&plain, data + 1, len - 1);
	}
	put_frame(&block, &plain);
	decode(block.data, block.len);
	if (codec_verify(block.data + CODEC_MARK_BYTES,
			 block.len - CODEC_MARK_BYTES, &size) != 1)
		abort();
	return 0;
}
