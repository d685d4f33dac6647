/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the scheduler's program and its reader say to each other?  Counts in
 * an array both see, one element a CPU; and records through a ring.
 */
#ifndef COLLECTORS_SCHED_BPF_H
#define COLLECTORS_SCHED_BPF_H

enum {
	SCHED_FRAMES = 127,	/* of a sleeper's stack */
	SCHED_WAKER_FRAMES = 48,
	SCHED_MARKS = 16384,	/* sleeps timed at once; a power of two */
	SCHED_NO_MARK = 0xffffffff,
	SCHED_BUCKETS = 252,	/* include/buckets.h */
};

struct sched_facts {		/* told before loading */
	__u32 own_level;	/* depth of stalltop's pid namespace */
	__u8 has_state_arg;	/* sched_switch tells the state */
	__u8 has_sched_info;
	__u16 rest;
};

/* Counters only grow, and only the program writes them; every, epoch, allowed
 * and drain are the reader's. */
struct sched_now {		/* of one CPU */
	__u64 switches, blocked, preempted, yielded, idle;
	__u64 every;		/* one sample in so many, on average; 0 off */
	__u64 drawn;		/* every, when next was drawn */
	__u64 next;		/* switches at which to sample */
	__u64 sampled;		/* switches at the last sample that was sent */
	__u64 lost;		/* samples for which the ring had no room */
	__u64 untimed;		/* sleeps sampled whose end cannot be timed */
	__u64 delays, delay_ns;	/* run-queue latency of all switched in */
	__u64 delay_max;	/* in the epoch delay_epoch */
	__u64 epoch, delay_epoch;
	__u64 allowed;		/* samples between two drains before N is
				 * doubled, and again; 0: any number */
	__u64 drain, drained;	/* number of the drain: told, seen */
	__u64 taken;		/* samples since */
	__u64 delay_hist[SCHED_BUCKETS];
	__u64 unread;		/* of preempted, those that may be yields: the
				 * task's registers cannot be read here */
	__u64 rest[6];		/* to whole cache lines */
};

enum sched_record_type { SCHED_SAMPLE, SCHED_WAKE, SCHED_END };

struct sched_pipe {		/* what a sampled sleeper waits at */
	__u64 inode;
	__u32 dev;		/* s_dev of its file system; 0: no pipe */
	__u32 slots, fill;	/* buffers in all, in use */
	__u8 writes;		/* it sleeps because the pipe is full */
	__u8 asked;		/* 1: looked, and could not tell (pipe code) */
	__u16 rest;
};

struct sched_sample {		/* SCHED_SAMPLE: a switch away from a task */
	__u8 type, preempt, nip, rest;
	__u32 cpu;
	__u32 mark;		/* place among the marks; SCHED_NO_MARK */
	__u32 turn;		/* of that place: which use of it */
	__u64 weight;		/* switches it stands for */
	__u64 count;		/* switches of the CPU until here */
	__u64 start_ns;		/* of the task, CLOCK_BOOTTIME */
	__s32 tid, tgid;	/* 0: the idle task */
	__u32 state;		/* raw prev_state */
	__u32 level;		/* unused: 0 */
	char comm[16];
	struct sched_pipe pipe;
	unsigned long ip[SCHED_FRAMES];	/* nip of them, innermost first */
};

struct sched_wake {		/* SCHED_WAKE: a marked task is woken */
	__u8 type, nip, rest[2];
	__u32 mark, turn;
	__s32 tid, tgid;	/* the task that was running */
	__u32 rest2;
	__u64 start_ns;
	char comm[16];
	unsigned long ip[SCHED_WAKER_FRAMES];
};

struct sched_end {		/* SCHED_END: a marked task runs again */
	__u8 type, rest[3];
	__u32 mark, turn;
	__u32 rest2;
	__u64 wait_ns;		/* since it was switched out */
	__u64 queued_ns;	/* of it, on a run queue */
};

#endif
