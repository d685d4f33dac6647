/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * May every flush be counted, or would counting be the load?  The event fires
 * at each switch of address spaces too: two processes that pass a byte to and
 * fro do that 400,000 times a second, while a real flush takes so long itself
 * that counting it weighs nothing.  Where one CPU has too many switches,
 * counting stops, and every few seconds a short look tells whether it may go
 * on.  Pure.
 */
#ifndef COLLECTORS_TLB_WATCH_H
#define COLLECTORS_TLB_WATCH_H

#include <stddef.h>
#include <stdint.h>

enum {
	TLB_MOST = 100000,	/* switches/s of one CPU */
	TLB_COST_NS = 70,	/* of one: measured on a 2-CPU guest */
};

struct tlb_watch {
	uint64_t *before;	/* switches by CPU, at the last step */
	uint64_t *now;		/* the same, to be set before each step */
	size_t ncpu;
	uint64_t looked_ns;	/* when before was taken, 0: not yet */
	uint64_t again_ns;	/* off: when to look again */
	uint64_t watched_ns;	/* tlb_watch_ns() at the last step */
	uint64_t per_sec;	/* of the busiest CPU, why it is off */
	uint32_t cpu;		/* which one */
	int is_on;		/* events are counted */
	int is_trial;		/* only to see how many there are */
};

int tlb_watch_init(struct tlb_watch *w, size_t ncpu);	/* 0 or -ENOMEM */
void tlb_watch_free(struct tlb_watch *w);	/* accepts zeroed */
/* Counting is to begin, or began, at now_ns. */
void tlb_watch_begin(struct tlb_watch *w, uint64_t now_ns);
/* At each drain, w->now set.  1: is_on has changed. */
int tlb_watch_step(struct tlb_watch *w, uint64_t now_ns);
/* For how long have events been counted, gaps left out? */
uint64_t tlb_watch_ns(const struct tlb_watch *w, uint64_t now_ns);
/* Are they counted, and not just to see how many there are? */
int tlb_watch_counts(const struct tlb_watch *w);

#endif
