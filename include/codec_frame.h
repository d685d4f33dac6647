/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where are the pieces of a zstd frame?  RFC 8878, 3.1.1: a header, blocks of
 * at most 128 KiB, a checksum.
 */
#ifndef CODEC_FRAME_H
#define CODEC_FRAME_H

#include <stddef.h>
#include <stdint.h>

struct codec_frame {
	size_t at;		/* where the next piece begins */
	int begun, last, ended;	/* header, last block, checksum are past */
};

/*
 * The next piece of the frame in data[at..len): 1 and its size, `at` moved
 * past it; 0: it is not whole in these bytes, or the frame has ended, or only
 * zeros follow, as in a file that was cut by a power failure; -EBADMSG: no
 * frame that codec.h writes.
 */
int codec_frame_piece(struct codec_frame *f, const uint8_t *data, size_t len,
		      size_t *size);

#endif
