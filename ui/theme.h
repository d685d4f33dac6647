/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a role look?  Colours and attributes, without naming any terminal
 * library.  A theme only adds to what the text already says.
 */
#ifndef THEME_H
#define THEME_H

#include "surface.h"

enum { LOOK_BOLD = 1, LOOK_REVERSE = 2, LOOK_UNDERLINE = 4 };
enum colour {
	COLOUR_DEFAULT = -1, COLOUR_BLACK, COLOUR_RED, COLOUR_GREEN,
	COLOUR_YELLOW, COLOUR_BLUE, COLOUR_MAGENTA, COLOUR_CYAN, COLOUR_WHITE
};

struct look {
	int8_t fg, bg;		/* enum colour */
	uint8_t attributes;
};

struct theme {
	const char *name;
	int colours;		/* 0: attributes alone */
	struct look look[ROLE_COUNT];
};

/* The default for NULL and for names that the options would refuse. */
const struct theme *theme_find(const char *name);

#endif
