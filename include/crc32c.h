/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are these the bytes that were written?  CRC-32C (Castagnoli, RFC 3720).
 */
#ifndef CRC32C_H
#define CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Of bytes that follow those whose CRC is `crc`; 0 to begin. */
uint32_t crc32c(uint32_t crc, const void *data, size_t len);

#endif
