/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which two samples does the user look at?  The newest and one a window ago;
 * when paused, any of the history and one a window before it.
 */
#ifndef LENS_H
#define LENS_H

#include "history.h"
#include "model.h"
#include "options.h"
#include "view.h"

struct lens {
	struct model model;	/* what is looked at: stays valid until the
				 * next lens call */
	uint64_t count;		/* samples added */

	struct history *history;	/* NULL: only steps of one sample */
	struct source *old_cursor, *new_cursor, *walk_cursor;
	struct series *series;
	uint64_t series_seq;	/* last sample in series, 0 none */
	struct sample live[2], first, older, newer, walk[2];
	unsigned at;		/* live[at] is the newest */
};

/* History is kept only if `keep`.  0 or -ENOMEM. */
int lens_open(struct lens *l, const struct options *opt, int keep);
void lens_close(struct lens *l);	/* accepts zeroed */
/* Where the source's next sample goes; then lens_add() takes it in. */
struct sample *lens_room(struct lens *l);
int lens_add(struct lens *l, const struct view *v);	/* 0, -ENOMEM */
/*
 * The view's paused, step or window changed: look there.  Sets v->seq (0 when
 * not paused), clears v->step.
 */
void lens_move(struct lens *l, struct view *v);

#endif
