/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do samples become blocks of bytes?
 *
 * One zstd stream per block, flushed after every sample and ended with the last
 * one. A failure anywhere leaves a block that is whole up to the sample before;
 * the encoder then begins another, since its difference state is lost.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "codec.h"
#include "codec_format.h"
#include "sample_write.h"

/* Level 1 with a window that holds two large samples. */
enum { LEVEL = 1, WINDOW_LOG = 20 };

struct codec_encoder {
	uint64_t file_id, block, last_seq;
	int open;		/* a block is */
	unsigned samples;	/* in it */
	size_t bytes, first_bytes;	/* of it, and of its first sample */
	uint32_t head_crc;
	ZSTD_CCtx *zstd;
	struct sample_writer writer;
	struct wire_out sample, plain, out;
};

static void write_host(const struct host *h, struct wire_out *o)
{
	wire_str(o, "host");
	wire_map(o, 8);
	wire_str(o, "name");
	wire_text(o, h->name, strnlen(h->name, sizeof(h->name)));
	wire_str(o, "release");
	wire_text(o, h->release, strnlen(h->release, sizeof(h->release)));
	wire_str(o, "machine");
	wire_text(o, h->machine, strnlen(h->machine, sizeof(h->machine)));
	wire_str(o, "boot_id");
	wire_text(o, h->boot_id, strnlen(h->boot_id, sizeof(h->boot_id)));
	wire_str(o, "cpus");
	wire_uint(o, h->cpus);
	wire_str(o, "clk_tck");
	wire_uint(o, h->clk_tck);
	wire_str(o, "page_size");
	wire_uint(o, h->page_size);
	wire_str(o, "mem_bytes");
	wire_uint(o, h->mem_bytes);
}

static void write_head(struct codec_encoder *e, const struct sample *s,
		       struct wire_out *o)
{
	wire_map(o, 5 + (s->host != NULL));
	wire_str(o, "format");
	wire_str(o, CODEC_NAME);
	wire_str(o, "version");
	wire_array(o, 2);
	wire_uint(o, CODEC_MAJOR);
	wire_uint(o, CODEC_MINOR);
	wire_str(o, "file");
	wire_uint(o, e->file_id);
	wire_str(o, "block");
	wire_uint(o, e->block);
	if (s->host)
		write_host(s->host, o);
	wire_str(o, "metrics");
	sample_write_metrics(&e->writer, s, o);
	e->head_crc = o->err ? 0 : crc32c(0, o->data, o->len);
}

static void write_mark(const struct codec_encoder *e, const struct sample *s,
		       struct wire_out *o)
{
	uint8_t *p;

	if (wire_reserve(o, CODEC_MARK_BYTES))
		return;
	p = o->data + o->len;
	put_le(p, MARK_MAGIC, 4);
	put_le(p + 4, MARK_PAYLOAD, 4);
	memcpy(p + 8, CODEC_NAME, 8);
	put_le(p + 16, e->file_id, 8);
	put_le(p + 24, e->block, 8);
	put_le(p + 32, s->seq, 8);
	put_le(p + 40, s->mono_ns, 8);
	put_le(p + 48, s->wall_ns, 8);
	put_le(p + 56, crc32c(0, p, 56), 4);
	o->len += CODEC_MARK_BYTES;
}

static int block_begin(struct codec_encoder *e, const struct sample *s)
{
	size_t bad;

	bad = ZSTD_CCtx_reset(e->zstd, ZSTD_reset_session_only);
	if (ZSTD_isError(bad))
		return -ENOMEM;
	e->samples = 0;
	e->bytes = e->first_bytes = 0;
	sample_write_begin(&e->writer, s->names);
	write_mark(e, s, &e->out);
	write_head(e, s, &e->plain);
	return e->out.err ? e->out.err : e->plain.err;
}

/* Compress what is plain, to the end of a zstd block or of the frame. */
static int compress(struct codec_encoder *e, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { e->plain.data, e->plain.len, 0 };
	ZSTD_outBuffer out;
	size_t left;

	do {
		if (wire_reserve(&e->out, ZSTD_CStreamOutSize()))
			return -ENOMEM;
		out.dst = e->out.data;
		out.size = e->out.cap;
		out.pos = e->out.len;
		left = ZSTD_compressStream2(e->zstd, &out, &in, how);
		e->out.len = out.pos;
		if (ZSTD_isError(left))
			return -ENOMEM;
	} while (left);
	e->plain.len = 0;
	return 0;
}

static int write_item(struct codec_encoder *e, const struct sample *s)
{
	int err = sample_write(&e->writer, s, &e->sample);

	if (err)
		return err;
	if (e->sample.len > CODEC_SAMPLE_BYTES)
		return -EFBIG;
	wire_array(&e->plain, 3);
	wire_uint(&e->plain, s->seq);
	wire_uint(&e->plain, item_crc(e->head_crc, s->seq, e->sample.data,
				      e->sample.len));
	wire_bytes(&e->plain, e->sample.data, e->sample.len);
	return e->plain.err ? e->plain.err : compress(e, ZSTD_e_flush);
}

static int block_is_full(const struct codec_encoder *e)
{
	if (e->samples < CODEC_BLOCK_SAMPLES)
		return 0;
	return e->samples >= CODEC_BLOCK_SAMPLES_MAX ||
	       e->first_bytes * 5 <= e->bytes;
}

static void out_clear(struct codec_encoder *e)
{
	e->sample.len = e->plain.len = e->out.len = 0;
	e->sample.err = e->plain.err = e->out.err = 0;
}

static void out_give(const struct codec_encoder *e, struct codec_bytes *out,
		     int begins)
{
	out->data = e->out.data;
	out->len = e->out.len;
	out->begins = begins;
	out->ends = !e->open;
}

static int sample_valid(const struct codec_encoder *e, const struct sample *s)
{
	return s->names && s->sorted && (!e->open || s->seq > e->last_seq);
}

/* The sample is written: count it, and end the block if it is full. */
static int block_add(struct codec_encoder *e, const struct sample *s)
{
	e->last_seq = s->seq;
	e->bytes += e->out.len;
	if (!e->samples++)
		e->first_bytes = e->bytes;
	if (!block_is_full(e))
		return 0;
	codec_abandon(e);
	return compress(e, ZSTD_e_end);
}

struct codec_encoder *codec_encoder_new(uint64_t file_id)
{
	struct codec_encoder *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->file_id = file_id;
	e->zstd = ZSTD_createCCtx();
	if (!e->zstd) {
		free(e);
		return NULL;
	}
	ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_windowLog, WINDOW_LOG);
	ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_checksumFlag, 1);
	return e;
}

void codec_encoder_free(struct codec_encoder *e)
{
	if (!e)
		return;
	ZSTD_freeCCtx(e->zstd);
	sample_write_free(&e->writer);
	wire_free(&e->sample);
	wire_free(&e->plain);
	wire_free(&e->out);
	free(e);
}

int codec_encode(struct codec_encoder *e, const struct sample *s,
		 struct codec_bytes *out)
{
	int err = 0, begins;

	if (!sample_valid(e, s))
		return -EINVAL;
	if (e->open && s->names != e->writer.names.names)
		codec_abandon(e);
	begins = !e->open;
	out_clear(e);
	e->open = 1;
	if (begins)
		err = block_begin(e, s);
	if (!err)
		err = write_item(e, s);
	if (!err)
		err = block_add(e, s);
	if (err && e->open)
		codec_abandon(e);
	if (!err)
		out_give(e, out, begins);
	return err;
}

int codec_finish(struct codec_encoder *e, struct codec_bytes *out)
{
	int err = 0;

	out_clear(e);
	if (e->open) {
		codec_abandon(e);
		err = compress(e, ZSTD_e_end);
	}
	out_give(e, out, 0);
	return err;
}

void codec_abandon(struct codec_encoder *e)
{
	e->block += e->open;
	e->open = 0;
}
