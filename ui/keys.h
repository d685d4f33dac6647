/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which keys are there, where do they work and what do they say of themselves?
 * The help screen, the hint line and the man page are made of key_table.
 * A key is a Unicode character or one of enum press.
 */
#ifndef KEYS_H
#define KEYS_H

#include <stddef.h>
#include "model.h"
#include "pane.h"
#include "view.h"

enum press {			/* keys that are no character */
	PRESS_UP = 0x110000, PRESS_DOWN, PRESS_LEFT, PRESS_RIGHT, PRESS_PGUP,
	PRESS_PGDN, PRESS_HOME, PRESS_END, PRESS_BACKTAB, PRESS_F1,
	PRESS_TAB = 0x09, PRESS_ENTER = 0x0d, PRESS_ESC = 0x1b,
	PRESS_BACKSPACE = 0x7f, PRESS_CTRL_L = 0x0c, PRESS_CTRL_U = 0x15,
	PRESS_CTRL_Z = 0x1a,
};

enum where {			/* or'ed */
	IN_PAGE = 1,		/* no overlay */
	IN_TABLE = 2,		/* rows to walk through */
	IN_OPENABLE = 4,	/* rows that open */
	IN_OPEN = 8,		/* an opened row */
	IN_SCHEDULE = 16,	/* the schedule table */
	IN_HELP = 32, IN_FILTER = 64, IN_SORT = 128,
	IN_FILTERED = 256,	/* a table with a filter set */
};

struct key {
	int key[3];		/* 0 ended */
	int to;			/* key[0]..to, 0 = only key[] */
	const char *label;	/* "j Down" */
	const char *hint;	/* "s\tsort", NULL none */
	const char *help;	/* words for the help screen; NULL: none */
	unsigned where;
	unsigned rank;		/* of hints, 0 stays longest */
	/* May be NULL: the terminal does it. */
	int (*run)(struct view *v, const struct pane *pane, int key);
};

extern const struct key key_table[];	/* label == NULL ended */

unsigned key_where(const struct view *v);	/* what works now */
const struct key *key_find(int key, unsigned where);

#endif
