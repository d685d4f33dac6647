/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does every thread do, as a program in the kernel lists it?  One row a
 * thread, no file opened; with run delay and switches for all of them.
 */
#ifndef COLLECTORS_TASKS_PASS_H
#define COLLECTORS_TASKS_PASS_H

#include <linux/types.h>
#include "bpf_why.h"
#include "tasks.bpf.h"
#include "tasks_table.h"

struct tasks_pass {
	const struct env *env;
	struct bpf *bpf;		/* the scanner's too: tasks_scan.h */
	uint32_t cpus;
	uint64_t tick_ns;
	char *buf;
	size_t have;			/* bytes of a row begun */
};

/* 0, or -errno with *why. */
int tasks_pass_open(struct tasks_pass *p, const struct env *env,
		    struct bpf_why *why);
void tasks_pass_close(struct tasks_pass *p);	/* accepts zeroed */
/* All threads into the table, between begin and end of a pass: how many, or
 * -errno. */
ssize_t tasks_pass_read(struct tasks_pass *p, struct tasks_table *t);
/* One row.  Pure, but for the names. */
void tasks_pass_take(const struct tasks_pass *p, struct tasks_table *t,
		     const struct tasks_row *r);
/*
 * Time in user code and in the kernel so that both never fall and add up to
 * run_ns, which is exact: ticks only say in which proportion.  The kernel does
 * the same for /proc (cputime_adjust()).  *utime and *stime: ns told last.
 */
void tasks_cputime(uint64_t run_ns, uint64_t utime_ticked,
		   uint64_t stime_ticked, uint64_t *utime, uint64_t *stime);

#endif
