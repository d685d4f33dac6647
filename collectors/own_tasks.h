/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes of our own user are there, and which came since the last
 * look?
 */
#ifndef COLLECTORS_OWN_TASKS_H
#define COLLECTORS_OWN_TASKS_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct env;
struct own_set;

enum own_fate {
	OWN_NEW,		/* seen for the first time in this look */
	OWN_COUNTED,		/* by the events of `set` */
	OWN_FULL,		/* not counted: no room for its threads */
	OWN_REFUSED,		/* not counted: the kernel does not let us */
	OWN_UNKNOWN,		/* who forked it is gone: counted if that was */
	OWN_ENDED,		/* a zombie or gone while we looked */
};

struct own_task {
	int pid, ppid;		/* ppid 0: of another pid namespace */
	uint64_t ino;		/* of /proc/PID: another process, another one */
	uint64_t start_ns;	/* since boot, a clock tick exact: it began in
				 * [start_ns, start_ns + tick) */
	enum own_fate fate;
	size_t threads;		/* as counted last, for OWN_FULL */
	struct own_set *set;	/* borrowed, with OWN_COUNTED */
};

struct own_tasks {
	DIR *dir;		/* /proc */
	int fd;			/* of it */
	uid_t uid;		/* effective */
	uint64_t tick_ns;
	struct own_task *task, *was;	/* by pid, ascending */
	size_t n, cap, nwas, capwas;
};

/* 0 or -errno; what fails leaves nothing to free. */
int own_tasks_open(struct own_tasks *o, const struct env *env);
/*
 * Look again: those known keep what is said of them, newcomers are OWN_NEW
 * with ppid and start read, the others are handed to gone().  0 or -errno,
 * the list unchanged.
 */
int own_tasks_look(struct own_tasks *o,
		   void (*gone)(void *arg, const struct own_task *t),
		   void *arg);
struct own_task *own_tasks_find(const struct own_tasks *o, int pid);
/* Thread ids of a process: how many it has, of which at most max in tid;
 * or -errno. */
ssize_t own_tasks_threads(const struct own_tasks *o, int pid, int *tid,
			  size_t max);
/* Do orphans of a pid namespace become children of this process, not ours?
 * Also when that cannot be read. */
int own_tasks_is_reaper(const struct own_tasks *o, int pid);
void own_tasks_close(struct own_tasks *o);	/* accepts zeroed */

#endif
