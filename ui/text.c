/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which characters may meet the screen?
 *
 * Invariant: no control character, C0 or C1, leaves text_next().  UTF-8 is
 * decoded here, because mbrtowc() depends on the locale; wcwidth() does too,
 * so outside a UTF-8 locale (where it knows no CJK) a small table serves.
 */
#include <wchar.h>
#include "surface.h"
#include "text.h"

struct range {
	uint32_t from, to;
};

static const struct range wide[] = {
	{ 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf },
	{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
	{ 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f },
	{ 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

static const struct range zero[] = {
	{ 0x300, 0x36f }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
	{ 0x2060, 0x206f }, { 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f },
	{ 0xfeff, 0xfeff }, { 0xe0000, 0xe0fff },
};

/* What we draw with ourselves, and how it looks in ASCII. */
static const struct {
	uint32_t ch;
	char ascii;
} drawn[] = {
	{ 0x2500, '-' }, { 0x2502, '|' }, { 0x2514, '`' }, { 0x251c, '+' },
	{ 0x2524, '+' }, { 0x252c, '+' }, { 0x2534, '+' }, { 0x253c, '+' },
	{ 0x2581, ' ' }, { 0x2582, '.' }, { 0x2583, ':' }, { 0x2584, '-' },
	{ 0x2585, '=' }, { 0x2586, '+' }, { 0x2587, '*' }, { 0x2588, '#' },
	{ 0x2589, '#' }, { 0x258a, '#' }, { 0x258b, '#' }, { 0x258c, '=' },
	{ 0x258d, '=' }, { 0x258e, '-' }, { 0x258f, '-' }, { 0x25b8, '>' },
	{ 0x25be, 'v' }, { 0x25b4, '^' }, { 0x25bc, 'v' }, { 0x2026, '~' },
	{ 0xb1, '~' }, { 0xb5, 'u' }, { 0xb7, '.' }, { 0xd7, 'x' },
	{ 0x2192, '>' }, { 0x2190, '<' }, { 0x2193, 'v' }, { 0x2191, '^' },
};

static int in_range(const struct range *r, size_t n, uint32_t ch)
{
	for (; n; n--, r++)
		if (ch >= r->from && ch <= r->to)
			return 1;
	return 0;
}

static int width_of(uint32_t ch)
{
	if (ch < 0x20 || (ch >= 0x7f && ch < 0xa0))
		return -1;
	if (ch < 0x7f)
		return 1;
	if (wcwidth(0x4e00) == 2)
		return wcwidth((wchar_t)ch);
	if (in_range(zero, sizeof(zero) / sizeof(*zero), ch))
		return 0;
	return 1 + in_range(wide, sizeof(wide) / sizeof(*wide), ch);
}

static uint32_t ascii_of(uint32_t ch)
{
	size_t i;

	if (ch >= 0x20 && ch < 0x7f)
		return ch;
	for (i = 0; i < sizeof(drawn) / sizeof(*drawn); i++)
		if (drawn[i].ch == ch)
			return (uint32_t)drawn[i].ascii;
	return '?';
}

size_t text_decode(const char *s, size_t len, uint32_t *ch)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *b = (const unsigned char *)s;
	size_t n, i;
	uint32_t c;

	if (!len)
		return 0;
	if (b[0] < 0x80) {
		*ch = b[0];
		return 1;
	}
	n = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
	if (b[0] < 0xc2 || b[0] > 0xf4 || n > len)
		return 0;
	c = b[0] & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if ((b[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (b[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*ch = c;
	return n;
}

size_t text_encode(char *buf, uint32_t ch)
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = ch < 0x80 ? 1 : ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
	size_t i;

	for (i = n - 1; i; i--) {
		buf[i] = (char)(0x80 | (ch & 0x3f));
		ch >>= 6;
	}
	buf[0] = (char)(lead[n] | ch);
	return n;
}

uint32_t text_clean(uint32_t ch, int ascii)
{
	if (ascii)
		return ascii_of(ch);
	return width_of(ch) == 1 ? ch : TEXT_REPLACEMENT;
}

size_t text_next(const char *s, size_t len, int ascii, uint32_t *ch,
		 int *width)
{
	size_t n = text_decode(s, len, ch);

	*width = n ? width_of(*ch) : -1;
	if (ascii) {
		*ch = n ? ascii_of(*ch) : '?';
		*width = 1;
	} else if (*width < 0 || *width > 2) {
		*ch = TEXT_REPLACEMENT;
		*width = 1;
	}
	return n ? n : 1;
}
