/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events does a text like that of -e name?
 */
#ifndef COLLECTORS_EVENTS_H
#define COLLECTORS_EVENTS_H

#include <stddef.h>
#include "perf.h"

enum { EVENT_NAME = 128, EVENTS_MAX = 64 };

struct event_want {
	char name[EVENT_NAME];	/* as typed */
	struct perf_code code;	/* of a tracepoint: config still 0 */
	int tracepoint;		/* name is SYSTEM:EVENT */
	size_t at;		/* where in the text it began, from 0 */
};

/*
 * Parse "NAME,...": libpfm4's names, perf's usual ones, rHEX, SYSTEM:EVENT,
 * blanks around them ignored, one named twice taken once.  Returns how many,
 * or -EINVAL, -E2BIG (more than max) with err saying which, where, why and
 * what to type.  Reads nothing: whether a tracepoint exists is not asked.
 */
int events_parse(const char *list, struct event_want *ev, size_t max,
		 char *err, size_t nerr);
/*
 * Look up a tracepoint's id: 0; -ENOENT: there is none of this name; or
 * another -errno.  why and remedy say which it is.
 */
int events_resolve(struct event_want *ev, char *why, size_t nwhy,
		   char *remedy, size_t nremedy);

#endif
