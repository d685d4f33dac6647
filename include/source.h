/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where do samples come from?  Live, history and (later) a file look the same.
 * A source is a struct whose first member is struct source.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdint.h>
#include "sample.h"

struct source {
	/* The next sample into *s (reset first): 1, 0 = end, -errno. */
	int (*next)(struct source *src, struct sample *s);
	/* The next next() gives `seq`, or the oldest after it: 0, -errno,
	 * -ENOTSUP when live, -ENOENT past the end. */
	int (*seek)(struct source *src, uint64_t seq);
	int (*fd)(const struct source *src);	/* to poll, -1 none */
	void (*close)(struct source *src);
};

struct collector;
struct options;

/*
 * This box, by these collectors.  Opens them all; those that cannot open say
 * why in the health of every sample.  0 or -errno (--proc DIR is missing).
 */
int live_open(struct source **out, const struct options *opt,
	      const struct collector *const *table);
/* Let the collectors empty their kernel buffers: call at about 10 Hz. */
void live_drain(struct source *src);
/* Count the bytes of pipes, or no longer: 1 now on, 0 off, or -errno with the
 * reason in why[n]. */
int live_ask_pipe_bytes(struct source *src, char *why, size_t n);
const struct host *live_host(const struct source *src);
struct health *live_health(const struct source *src);

#endif
