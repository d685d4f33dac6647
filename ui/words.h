/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a sentence fit a narrow place?
 */
#ifndef WORDS_H
#define WORDS_H

#include "surface.h"

/* Text (ASCII) broken at blanks into lines of w columns, at most h of them;
 * returns how many lines were drawn. */
int words_draw(struct surface *s, int x, int y, int w, int h, enum role role,
	       const char *text);

/* Put a piece of a line at x if all of it fits, or if it is the first (x at
 * most 1); returns where the next one goes, gap behind it: after one that did
 * not fit, nowhere, so that no gap in a list is hidden. */
int words_piece(struct surface *s, int x, int y, int gap, enum role role,
		const char *text);

#endif
