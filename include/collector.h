/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a source of truth give its readings?  One const struct collector
 * per file, all listed in collectors/registry.c.  Failing to open is normal:
 * say why in env->health and return -errno; the others go on.
 */
#ifndef COLLECTOR_H
#define COLLECTOR_H

#include <stdint.h>
#include <stdio.h>
#include "health.h"
#include "options.h"
#include "sample.h"

struct ksyms;

struct env {			/* lives as long as the source */
	int proc_fd, sys_fd;	/* O_PATH directories: openat() below these */
	int rooted;		/* --proc/--sys given: collectors that see
				 * only the live kernel stay off */
	const struct options *opt;
	const struct host *host;
	struct names *names;
	struct health *health;
	struct ksyms **ksyms;	/* where collectors share the table of symbols
				 * (ksyms_share()); NULL: each has its own */
};

enum collector_ask { ASK_PIPE_BYTES };	/* what runs only while asked for */

struct collector {
	const char *name;	/* also its name in health */
	const char *needs;	/* for doctor: what it reads, in words */
	int live_only;		/* cannot be rooted: off under --proc */
	/* 0, or -errno after health_set(); *state is the collector's own. */
	int (*open)(void **state, const struct env *env);
	/* Optional, at 10 Hz: empty kernel buffers, read fast gauges. */
	int (*drain)(void *state);
	/* Append readings; sets its health_cost read_ns by
	 * collector_stamp() at the moment it reads.  0 or -errno. */
	int (*collect)(void *state, struct sample *s);
	void (*close)(void *state);	/* accepts NULL */
	/* Optional: begin it, or end it when it runs.  1: it runs now, 0: no
	 * longer; -ENOTSUP: not mine, or -errno after health_set(). */
	int (*ask)(void *state, enum collector_ask what);
};

extern const struct collector *const collector_table[];	/* NULL ended */

/* Facts of the box below env->proc_fd; what is not known stays "?" or 0. */
void collector_host(struct host *host, const struct env *env);
/* The events -e takes whose name holds `pattern` (NULL: all), a line each;
 * 0, or an exit status after one line on stderr. */
int collector_list_events(FILE *f, const char *pattern);
/* Are these names as -e wants them?  0, or 2 after one line on stderr. */
int collector_check_events(const char *list);
/* Note "read now" for this collector: the clock its rates use. */
void collector_stamp(const struct env *env, const char *collector);
uint64_t collector_now_ns(void);		/* CLOCK_MONOTONIC */

#endif
