/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who ended the waits of one row of the Schedule pane?
 */
#ifndef SCHEDULE_WAKERS_H
#define SCHEDULE_WAKERS_H

#include "schedule_rows.h"

enum { WAKERS_KEEP = 48 };

struct wakers {			/* heaviest first */
	struct one_waker {
		const char *name;	/* function or comm; of the names */
		enum waker_kind kind;
		uint64_t n;
	} of[WAKERS_KEEP];
	int used;
	uint64_t rest;		/* of more than WAKERS_KEEP */
	uint64_t all;		/* ends of timed waits whose waker was seen */
	uint64_t interrupts;	/* those of them in interrupts and timers */
};

/* Of a row of sources or stacks: functions; of a task: tasks. */
void wakers_make(struct wakers *w, struct schedule *s, const struct model *m,
		 uint64_t id);
/* The comm that woke tasks of this comm most, whatever they waited for; "-"
 * when none was seen. */
const char *wakers_of_task(const struct model *m, const char *comm);

#endif
