/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where are the kernel's trace events described?  Below tracefs, found by its
 * type among the mounts; where it is not mounted, root gets a mount of its own
 * in a private mount namespace, so that nothing of the box changes.
 */
#ifndef COLLECTORS_TRACEFS_H
#define COLLECTORS_TRACEFS_H

#include <stddef.h>
#include <stdint.h>

struct tracefs_why {		/* fixed words, never NULL after an error */
	const char *why, *remedy;
};

/*
 * A directory descriptor of tracefs, the caller's to close; or -errno with
 * the cause told apart in *w.  May move the calling thread to a mount
 * namespace of its own: call it before any other thread starts.
 */
int tracefs_open(struct tracefs_why *w);
/*
 * The event's id (perf_event_attr.config of PERF_TYPE_TRACEPOINT): 0 or
 * -errno, -ENOENT if there is no such event, -EINVAL for an impossible name.
 */
int tracefs_event_id(int tracefs_fd, const char *system, const char *event,
		     uint64_t *id);
/*
 * First mount of type fs in the text of /proc/self/mountinfo that shows the
 * whole file system: its path, unescaped.  0, -ENOENT or -ENAMETOOLONG.
 */
int tracefs_find(const char *mountinfo, const char *fs, char *path, size_t n);

#endif
