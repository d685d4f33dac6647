/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the Schedule pane, its table and its opened row, tell
 * each other.
 */
#ifndef PANE_SCHEDULE_H
#define PANE_SCHEDULE_H

#include "pane.h"
#include "schedule_rows.h"

extern const struct column schedule_source_columns[];
/* timed: waits are timed to their ends, their columns are wanted. */
const struct column *schedule_columns(enum view_by by, bool timed);
/* Rows as struct pane wants them; rows->schedule is about the same groups. */
int schedule_fill(const struct model *m, const struct view *view,
		  struct rows *rows);
/* The group's name for people; lives as long as rows_text()'s. */
const char *schedule_text(struct rows *rows, const struct schedule *s,
			  const struct names *n,
			  const struct schedule_group *g);
/* The opened row, for struct pane. */
void schedule_draw_open(struct surface *s, const struct model *m,
			struct view *view);
#endif
