/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens when?  One thread, one poll: samples, drains, signals, keys.
 */
#ifndef LOOP_H
#define LOOP_H

#include "present.h"
#include "source.h"

/*
 * Watch `src` until the end, a key, a signal or -n frames; opens and closes
 * the presenter.  Returns the exit status, after one line on stderr if it
 * is 1 or 4.  On the screen: the first frame after 150 ms, then one an
 * interval.  In batch: each frame spans exactly one interval.
 */
int loop_run(const struct options *opt, struct source *src,
	     const struct presenter *p, struct view *v);

#endif
