/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are these the bytes that were written?
 *
 * Eight bytes a step through eight tables of the reflected polynomial
 * 0x1edc6f41, made at the first call.
 */
#include "crc32c.h"

#define POLYNOMIAL 0x82f63b78u

static uint32_t table[8][256];

static void table_fill(void)
{
	uint32_t crc;
	int i, bit, k;

	for (i = 0; i < 256; i++) {
		crc = i;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		table[0][i] = crc;
	}
	for (i = 0; i < 256; i++)
		for (k = 1; k < 8; k++)
			table[k][i] = table[k - 1][i] >> 8 ^
				      table[0][table[k - 1][i] & 0xff];
}

uint32_t crc32c(uint32_t crc, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint32_t low;

	if (!table[0][1])
		table_fill();
	crc = ~crc;
	for (; len >= 8; p += 8, len -= 8) {
		low = crc ^ (p[0] | p[1] << 8 | p[2] << 16 |
			     (uint32_t)p[3] << 24);
		crc = table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^
		      table[5][low >> 16 & 0xff] ^ table[4][low >> 24] ^
		      table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^
		      table[0][p[7]];
	}
	for (; len; len--)
		crc = crc >> 8 ^ table[0][(crc ^ *p++) & 0xff];
	return ~crc;
}
