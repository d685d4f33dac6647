/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose switches are behind one row of the Schedule pane?  Its tasks merged
 * by name, or, of a row that is a task, its sources.
 */
#ifndef SCHEDULE_SIDE_H
#define SCHEDULE_SIDE_H

#include "schedule_rows.h"

struct schedule_part {
	const char *name;	/* comm or symbol; of the model's names */
	uint32_t id;		/* of the first task, or the symbol */
	uint32_t tasks;		/* different tasks merged, 0 of a source */
	enum sched_class class;	/* of a source */
	uint64_t w, waits, wait_ns;
};

struct schedule_side {		/* zeroed is empty; memory is reused */
	struct schedule_part *part;	/* heaviest first */
	size_t n, cap;
	uint64_t w, w2;		/* of the row */
};

/* 0 or -ENOMEM; `s` must have been made of the same model. */
int schedule_side_make(struct schedule_side *side, struct schedule *s,
		       const struct model *m, uint64_t id);
/* Is the row no single source?  Then its parts are sources. */
bool schedule_side_is_sources(const struct schedule *s, uint64_t id);

#endif
