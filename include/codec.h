/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do samples become blocks of bytes, and blocks samples?  A block is a
 * skippable zstd frame of ours (the mark), then one zstd frame of a CBOR
 * sequence: a head, then items [seq, crc, bytes], each flushed, so that a cut
 * at any byte keeps the samples before it.  Any block can be read alone.
 * Encoding what was decoded gives the same bytes.
 */
#ifndef CODEC_H
#define CODEC_H

#include <stddef.h>
#include <stdint.h>
#include "sample.h"

enum {
	CODEC_BLOCK_SAMPLES = 64,	/* up to MAX while the first, whole
					 * sample is over a fifth of the block */
	CODEC_BLOCK_SAMPLES_MAX = 256,
	CODEC_SAMPLE_BYTES = 64 << 20,	/* an encoded sample, at most */
	CODEC_MARK_BYTES = 60,
	CODEC_WINDOW_LOG = 21,		/* of zstd, at most */
};

struct codec_mark {		/* the skippable frame before a block */
	uint64_t file_id, block;	/* blocks count from 0 */
	uint64_t first_seq, first_mono_ns;
	int64_t first_wall_ns;
};

struct codec_bytes {		/* to be appended, in the encoder's memory */
	const uint8_t *data;
	size_t len;
	int begins;		/* the first byte is that of a new block */
	int ends;		/* the block is complete: the next begins one */
};

struct codec_encoder;

struct codec_encoder *codec_encoder_new(uint64_t file_id);	/* or NULL */
void codec_encoder_free(struct codec_encoder *e);
/* A sealed sample with names, of a higher seq than the block's last (-EINVAL).
 * 0; after -ENOMEM, -EFBIG it is lost, and the next one begins a block. */
int codec_encode(struct codec_encoder *e, const struct sample *s,
		 struct codec_bytes *out);
/* Complete the open block, if there is one; 0 or -ENOMEM. */
int codec_finish(struct codec_encoder *e, struct codec_bytes *out);
/* Leave the open block as it is; the next sample begins another. */
void codec_abandon(struct codec_encoder *e);

/* CODEC_MARK_BYTES, 0: more bytes are needed, -EBADMSG: no mark of ours. */
int codec_mark_read(const void *data, size_t len, struct codec_mark *m);
/*
 * A block's frame (from after its mark) as a whole: 1 complete, its checksum
 * holds, *size bytes long; 0 not complete in these bytes; -EBADMSG; -ENOMEM.
 * Show no sample of a complete block before this.
 */
int codec_verify(const void *frame, size_t len, size_t *size);

struct codec_decoder;

/* max_bytes: of an encoded sample; bounds all memory.  NULL: no memory. */
struct codec_decoder *codec_decoder_new(size_t max_bytes);
void codec_decoder_free(struct codec_decoder *d);
void codec_begin(struct codec_decoder *d);	/* a block, from its mark on */
/*
 * The next sample with seq >= from, of the block whose bytes so far (from its
 * mark on; they may move and grow between calls) are given: 1; 0: no more in
 * these bytes; -ENOMEM; -EBADMSG for good.  Every sample passed its CRC.
 * *s borrows names and host of the decoder, kept over one more codec_begin().
 */
int codec_next(struct codec_decoder *d, const void *block, size_t len,
	       uint64_t from, struct sample *s);
const char *codec_why(const struct codec_decoder *d);	/* of -EBADMSG */

#endif
