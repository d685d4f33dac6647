/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks flush, from where, and how many interrupts does that cost?
 * Stacks and tasks of the flushes sampled, each with the flushes it stands for
 * and the interrupts its own ones sent.
 */
#ifndef COLLECTORS_TLB_BOOK_H
#define COLLECTORS_TLB_BOOK_H

#include <linux/types.h>
#include "collector.h"
#include "ksyms.h"
#include "sched_governor.h"
#include "sched_stacks.h"
#include "sched_table.h"
#include "sched_tasks.h"
#include "tlb.bpf.h"

enum { TLB_ENDED = 4096,	/* tasks let go per sample */
       TLB_PER_SEC = 500 };	/* stacks aimed at, on all CPUs */

struct tlb_latest {		/* the last flush sampled on a CPU */
	uint64_t turn;		/* 0: none yet */
	uint64_t hits;		/* tlb_now.hits that found their place */
	uint32_t stack, task;
};

struct tlb_book {
	const struct env *env;
	struct ksyms *ksyms;
	enum ksyms_state symbols;
	struct sched_governor governor;
	struct sched_stacks stacks;
	struct sched_table table;	/* its wait_ns are interrupts here */
	struct sched_tasks tasks;
	struct sched_steer *steer;	/* by CPU */
	struct tlb_latest *latest;	/* by CPU */
	uint32_t ncpu;
	uint32_t seq;			/* of the sample in the making */
	uint32_t gone[TLB_ENDED + SCHED_STACKS];	/* ids that went */
	size_t ngone;
};

int tlb_book_init(struct tlb_book *b, const struct env *env);
void tlb_book_free(struct tlb_book *b);		/* accepts zeroed */
/* A flush that was sampled. */
void tlb_book_take(struct tlb_book *b, const struct tlb_sample *r);
/* All records were taken: the interrupts counted since belong to the latest
 * flushes, where none has come after. */
void tlb_book_settle(struct tlb_book *b, const volatile struct tlb_now *now);
/* N of each CPU, by what the stacks since stood for. */
void tlb_book_steer(struct tlb_book *b, struct tlb_now *now, uint64_t now_ns,
		    double fill);
/* Once a sample: what ended or was long unseen goes. */
void tlb_book_retire(struct tlb_book *b);
/* with_hits: interrupts are counted.  0 or -ENOMEM. */
int tlb_book_collect(const struct tlb_book *b, int with_hits,
		     struct sample *to);

#endif
