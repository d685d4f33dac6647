/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the programs of the tasks collector hand over?  A row for each
 * thread, read from the iterator; and what the scanner of the run queues
 * counted, one element a CPU in an array both see.
 */
#ifndef COLLECTORS_TASKS_BPF_H
#define COLLECTORS_TASKS_BPF_H

enum {
	TASKS_DEPTHS = 64,	/* the last: 63 and above */
	TASKS_CHUNK = 256,	/* CPUs that one scan looks at */
};

struct tasks_row {
	__u64 start_ns;		/* CLOCK_BOOTTIME */
	__u64 run_ns, delay_ns, slices;
	__u64 utime_ns, stime_ns;	/* as ticks saw it, see tasks_cputime */
	__u64 minflt, majflt;
	__u64 nvcsw, nivcsw;
	__u64 cgroup;		/* id in the hierarchy of version 2, 0: none */
	__s32 tid, tgid;
	__s32 cpu;
	__u32 state;		/* raw, with exit_state */
	char comm[16];
};

struct tasks_facts {		/* told before loading */
	__u32 cpus;		/* elements of both arrays */
	__u32 rest;
};

/* Counters only grow, and only the program writes them; epoch is the
 * reader's. */
struct tasks_depth {		/* of one CPU */
	__u64 reads, sum, now;
	__u64 max;		/* in the epoch max_epoch */
	__u64 epoch, max_epoch;
	__u64 rest[2];
	__u64 hist[TASKS_DEPTHS];
};

#endif
