/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a frame reach the user, and how do keys come back?  Two presenters:
 * curses.c (a terminal) and batch.c (text or JSON on stdout).  The loop knows
 * only this.  view.h says what keys change.
 */
#ifndef PRESENT_H
#define PRESENT_H

#include "model.h"
#include "options.h"
#include "view.h"

enum present_result {		/* or'ed */
	PRESENT_REDRAW = 1,	/* the view changed: draw again */
	PRESENT_QUIT = 2,
	PRESENT_SEEK = 4,	/* view->paused or ->step changed: the loop
				 * moves the model, sets view->seq, clears
				 * the step */
	PRESENT_WINDOW = 8,	/* view->window_ns changed */
};

struct presenter {
	/* 0, or an exit status after one line on stderr (4: no usable
	 * terminal).  Sets what of *v depends on the output. */
	int (*open)(const struct options *opt, struct view *v);
	int (*fd)(void);			/* keys to poll for, -1 none */
	/* Read what was typed or resized; enum present_result. */
	int (*input)(struct view *v, const struct model *m);
	/* 0, or -errno: -EPIPE means the reader has gone. */
	int (*show)(const struct model *m, struct view *v);
	void (*suspend)(void);			/* give the terminal back */
	void (*resume)(void);			/* take it and redraw all */
	void (*close)(void);			/* safe at any time, twice */
};

extern const struct presenter curses_presenter, batch_presenter;

/* Gives the terminal back from a signal handler (curses.c takes the fatal
 * signals itself while the screen is up); the bytes it writes, *len 0 when
 * there is no screen. */
void curses_emergency(void);
const char *curses_restore_bytes(size_t *len);

/* Name to index in pane_table; -1 unknown.  "raw" is batch's own. */
int pane_find(const char *name);
void pane_list(FILE *f);	/* names, for messages */
void view_init(struct view *v, const struct options *opt);
void view_free(struct view *v);
/* One key (a KEY table's code) applied to the view; enum present_result.
 * Pure but for *v: key scripts in tests drive this. */
int view_key(struct view *v, const struct model *m, int key);

#endif
