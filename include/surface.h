/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is on the page?  A grid of cells, each a character and a role (not a
 * colour).  Panes draw here; curses.c puts it on a terminal, batch.c prints
 * it.  Drawing outside is clipped, never an error.
 */
#ifndef SURFACE_H
#define SURFACE_H

#include <stddef.h>
#include <stdint.h>

enum role {
	ROLE_NORMAL, ROLE_TITLE, ROLE_LABEL, ROLE_HEADER, ROLE_SORTED,
	ROLE_SELECTED, ROLE_HOT, ROLE_WARM, ROLE_MISSING, ROLE_WARN,
	ROLE_BAR, ROLE_RULE, ROLE_TAB, ROLE_TAB_ON, ROLE_KEY, ROLE_HINT,
	ROLE_GAP, ROLE_COUNT
};

enum { CELL_REST = 0 };		/* ch of the second half of a wide character */

struct cell {
	uint32_t ch;		/* Unicode, printable, never a control */
	uint8_t role;
};

struct surface {
	int w, h;
	int ascii;		/* only bytes 0x20..0x7e may be put */
	struct cell *cell;	/* w * h, row by row */
	int cap;
};

/* A new size, all blank; 0 or -ENOMEM (old one kept).  w, h >= 0. */
int surface_resize(struct surface *s, int w, int h);
void surface_clear(struct surface *s);
void surface_free(struct surface *s);
/*
 * Put text (bytes from anywhere) at x, y in at most `w` columns: UTF-8
 * decoded, controls and invalid bytes become one replacement character each,
 * widths by wcwidth, a wide character never cut in half.  Returns columns
 * used.  Never touches cells beyond x + w.
 */
int surface_text(struct surface *s, int x, int y, int w, enum role role,
		 const char *text);
/* The same, flush right within w; too long text is cut at its end. */
int surface_right(struct surface *s, int x, int y, int w, enum role role,
		  const char *text);
int surface_printf(struct surface *s, int x, int y, int w, enum role role,
		   const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void surface_fill(struct surface *s, int x, int y, int w, int h, enum role role,
		  uint32_t ch);
void surface_role(struct surface *s, int x, int y, int w, enum role role);
/* A trend in w cells: the newest n values, eight heights (ASCII: " .:-=+*#"),
 * NAN blank; top = value of a full bar, 0 = the largest. */
void surface_spark(struct surface *s, int x, int y, int w, enum role role,
		   const double *v, size_t n, double top);
int text_width(const char *text, int ascii);	/* columns surface_text needs */

#endif
