// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How does a sentence fit a narrow place?  Broken at blanks.
 */
#include "words.h"

#include <string.h>

/* Bytes of the next line of at most w columns, broken at a blank. */
static size_t line_length(const char *text, int w)
{
	size_t len = 0, fits = 0;

	for (;;) {
		while (text[len] && text[len] != ' ')
			len++;
		if (len > (size_t)w)
			return fits ? fits : (size_t)w;
		fits = len;
		if (!text[len])
			return fits;
		len++;
	}
}

int words_draw(struct surface *s, int x, int y, int w, int h, enum role role,
	       const char *text)
{
	char line[512];
	int used = 0;

	if (w < 1)
		return 0;
	if (w > (int)sizeof(line) - 1)
		w = (int)sizeof(line) - 1;
	while (*text && used < h) {
		size_t len = line_length(text, w);

		memcpy(line, text, len);
		line[len] = '\0';
		text += len;
		while (*text == ' ')
			text++;
		surface_text(s, x, y + used++, w, role, line);
	}
	return used;
}

int words_piece(struct surface *s, int x, int y, int gap, enum role role,
		const char *text)
{
	int w = text_width(text, s->ascii);

	if (x + w > s->w && x > 1)
		return s->w;
	return x + surface_text(s, x, y, s->w - x, role, text) + gap;
}
