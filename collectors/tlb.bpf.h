/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the programs for TLB flushes and their reader say to each other?
 * Counts in arrays both see, one element a CPU or a pair of CPUs; and records
 * through a ring.
 */
#ifndef COLLECTORS_TLB_BPF_H
#define COLLECTORS_TLB_BPF_H

enum {
	TLB_FRAMES = 127,
	TLB_REASONS = 16,	/* enum tlb_flush_reason has 6 in 6.18 */
	TLB_SWITCH = 0,		/* of them: an address-space switch, */
	TLB_LOCAL = 2,		/* and those where a flush begins */
	TLB_LOCAL_MM = 3,
	TLB_SEND = 4,		/* interrupts to other CPUs will follow */
};

struct tlb_facts {		/* told before loading */
	__u64 flush_func;	/* address of flush_tlb_func */
	__u32 own_level;	/* depth of stalltop's pid namespace */
	__u32 cpus;		/* rows of the matrix, and its columns */
};

/* Counters only grow, and only the program writes them; every, allowed and
 * drain are the reader's.  Each has one writer at a time: events that may
 * interrupt another's are of another reason. */
struct tlb_now {		/* of one CPU */
	__u64 n[TLB_REASONS];	/* events; of TLB_SWITCH too */
	__u64 full[TLB_REASONS], pages[TLB_REASONS];	/* not of TLB_SWITCH */
	__u64 begun;		/* events where a flush begins */
	__u64 every;		/* one sample in so many, on average; 0 off */
	__u64 drawn;		/* every, when next was drawn */
	__u64 next;		/* begun at which to sample */
	__u64 sampled;		/* begun at the last sample that was sent */
	__u64 lost;		/* samples for which the ring had no room */
	__u64 allowed;		/* samples between two drains before N is
				 * doubled, and again; 0: any number */
	__u64 drain, drained;	/* number of the drain: told, seen */
	__u64 taken;		/* samples since */
	__u64 turn;		/* samples sent */
	__u64 hits;		/* interrupts sent by flushes sampled */
	__u64 open;		/* the flush last begun is a sampled one */
	__u64 rest[3];		/* to whole cache lines */
};

struct tlb_sample {		/* a flush begins */
	__u32 cpu, nip;		/* nip of ip, innermost first */
	__u64 weight;		/* flushes it stands for */
	__u64 turn;		/* tlb_now.turn, from here on */
	__u64 hits;		/* tlb_now.hits until here */
	__u64 start_ns;		/* of the task, CLOCK_BOOTTIME */
	__s32 tid, tgid;	/* 0: the idle task */
	char comm[16];
	unsigned long ip[TLB_FRAMES];
};

#endif
