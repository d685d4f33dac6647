/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is a small text file of /proc or /sys read whole, again and again?
 *
 * Below env->proc_fd or env->sys_fd, without blocking, bounded, into a buffer
 * that only grows.  A live file's descriptor stays open and is read from its
 * start by pread() (seq_file and sysfs start anew at offset 0); below --proc
 * the file is opened at each read, so that a replaced one is seen.  After an
 * error the next read opens anew: a file that comes back is read again.
 */
#ifndef PROCFS_H
#define PROCFS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "collector.h"

enum {
	PROCFS_MAX = 64 << 20,		/* bytes of a file, more is -EFBIG */
	PROCFS_CPUS = 65536,		/* CPU numbers are below this */
};

struct procfs_file {
	const struct env *env;
	const char *collector;		/* whose health it is */
	const char *part;		/* of that collector; "" = all of it */
	const char *path;		/* below /proc (or /sys) */
	const char *missing;		/* why it may not exist; NULL */
	const char *remedy;		/* for that; NULL */
	uint16_t about[2];		/* metrics a part explains; 0 */
	int in_sys;			/* below env->sys_fd */

	int open;			/* fd is open */
	int fd;
	int live;			/* it is the running kernel's file */
	char *buf;			/* the text, NUL ended */
	size_t len, cap;
};

/*
 * Read the whole file: its length, above 0, or -errno after procfs_report(); an
 * empty file is -ENODATA.  Text in buf, until the next.
 */
ssize_t procfs_read(struct procfs_file *f);
/* Set the health items (collector, part, each of about) for err of this file,
 * or take them away again. */
void procfs_report(const struct procfs_file *f, int err);
void procfs_clear(const struct procfs_file *f);
void procfs_free(struct procfs_file *f);	/* accepts zeroed */

/* Is there a file of this path below /proc, readable or not? */
int procfs_exists(const struct env *env, const char *path);

/*
 * Parsing.  A line counts only with its newline: the end of a text cut short
 * is no number.  Take the line at *at: 1 and its bounds (without '\n'), and
 * *at moves on; 0 when there is no more.
 */
struct procfs_line {
	const char *p, *end;
};

int procfs_next_line(const char **at, const char *end, struct procfs_line *l);
/* Take a decimal number, blanks before it skipped: 1, or 0 and nothing moved
 * (no number, one above 2^64 - 1, or one that runs into something else than a
 * blank or the end). */
int procfs_take_u64(struct procfs_line *l, uint64_t *v);
/* Take the next word: its length, 0 at the end of the line. */
size_t procfs_take_word(struct procfs_line *l, const char **word);
/* N of "cpuN" or "CPUN" (prefix) as a whole word, or -1. */
int procfs_cpu_number(const char *word, size_t len, const char *prefix);

#endif
