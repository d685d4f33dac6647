/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do encoder and decoder agree on?
 *
 * The mark: zstd's skippable magic and size, then, little-endian, "stalltop",
 * file id, block, first seq, first mono_ns, first wall_ns (64 bits each) and
 * the CRC of all bytes before it.  The crc of an item is that of the bytes of
 * the block's head, of seq (64 bits, little-endian) and of the sample, in this
 * order: so a damaged head damages every sample.
 */
#ifndef CODEC_FORMAT_H
#define CODEC_FORMAT_H

#include <stdint.h>
#include "crc32c.h"

#define CODEC_NAME "stalltop"

enum { CODEC_MAJOR = 1, CODEC_MINOR = 0 };
enum { MARK_MAGIC = 0x184D2A53, MARK_PAYLOAD = 52 };

static inline void put_le(uint8_t *p, uint64_t v, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		p[i] = v >> 8 * i;
}

static inline uint64_t get_le(const uint8_t *p, int bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | p[bytes];
	return v;
}

static inline uint32_t item_crc(uint32_t head_crc, uint64_t seq,
				const void *sample, size_t len)
{
	uint8_t le[8];

	put_le(le, seq, sizeof(le));
	return crc32c(crc32c(head_crc, le, sizeof(le)), sample, len);
}

#endif
