/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the Schedule pane's opened row tell each other: what is
 * behind the row, and columns of lines to say it in.
 */
#ifndef SCHEDULE_OPENED_H
#define SCHEDULE_OPENED_H

#include "histogram.h"
#include "schedule_side.h"
#include "schedule_tree.h"
#include "schedule_wakers.h"
#include "surface.h"

struct opened {			/* what is behind the row, and how surely */
	struct schedule *s;
	const struct schedule_group *g;
	struct schedule_tree tree;
	struct schedule_side side;
	struct wakers wakers;
	const struct model *m;
	const struct names *names;
	double per_s;		/* of the row; NAN unknown */
};

struct lines {			/* a column of lines, scrolled */
	struct surface *s;
	int x, y, w, h;
	size_t skip, n;		/* lines above the first; lines in all */
};

/* The row of the next line, -1 when it is scrolled or cut away. */
int line_next(struct lines *l);
void line_text(struct lines *l, enum role role, const char *text);
/* A share as a whole percent, "<1%", or "-". */
void line_share(char *buf, size_t n, double share);

/* Blocks of lines: the callers as a tree; the tasks or sources; who woke
 * them; the pipes they slept in. */
void opened_callers(struct lines *l, const struct opened *o);
void opened_parts(struct lines *l, const struct opened *o);
void opened_wakers(struct lines *l, const struct opened *o);
void opened_pipes(struct lines *l, const struct opened *o);
/* How the waits were spread, at the bottom of the row: lines it takes of at
 * most h, 0 when no wait was timed by the in-kernel engine. */
int opened_waits(struct surface *s, int x, int y, int w, int h,
		 const struct opened *o, const struct histogram *waits);

#endif
