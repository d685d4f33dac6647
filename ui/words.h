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

#endif
