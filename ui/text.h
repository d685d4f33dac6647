/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which characters may meet the screen?  Names come from the kernel as bytes
 * that a hostile program may have chosen; only what this lets through is shown.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { TEXT_REPLACEMENT = 0xfffd };

/*
 * The character at s, of at most len bytes (len >= 1): returns the bytes it
 * takes, >= 1.  *ch is printable, *width 0 (to be dropped), 1 or 2.
 * Controls, invalid UTF-8 (each byte) and what wcwidth() does not know become
 * the replacement character; in ASCII mode all that is not ASCII becomes '?'
 * but for the characters we draw with, which have an ASCII form.
 */
size_t text_next(const char *s, size_t len, int ascii, uint32_t *ch,
		 int *width);
/* A character as it may be drawn: itself, its ASCII form or the replacement;
 * always one column wide. */
uint32_t text_clean(uint32_t ch, int ascii);
/* UTF-8 of ch into buf, 1 to 4 bytes, returned; no NUL. */
size_t text_encode(char *buf, uint32_t ch);
/* Decode strictly (RFC 3629): bytes used, 0 if s does not begin with a
 * character. */
size_t text_decode(const char *s, size_t len, uint32_t *ch);

#endif
