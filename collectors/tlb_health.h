/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of the tlb collector?  Each cause apart, with what to do about
 * it.
 */
#ifndef COLLECTORS_TLB_HEALTH_H
#define COLLECTORS_TLB_HEALTH_H

#include <stdint.h>
#include "bpf_why.h"

struct tlb_state {		/* how it goes */
	uint64_t lost, skipped;		/* cumulative */
	int is_on, is_trial;		/* struct tlb_watch's */
	uint64_t per_sec;
	uint32_t cpu;
	int has_matrix, by_sender;
	int told;			/* is_on + 1, as health says now */
	uint64_t told_lost, told_skipped;
};

/* This kernel has nothing to count flushes by: -ENOENT with *why. */
int tlb_health_no_event(const struct env *env, struct bpf_why *why);
void tlb_health_absent(struct health *h, int err, const struct bpf_why *why);
/* Neither way leads to the matrix. */
void tlb_health_no_matrix(struct health *h, const struct bpf_why *sender,
			  const struct bpf_why *victim);
/* The matrix comes from fentry: which stack sent an interrupt is not known. */
void tlb_health_by_func(struct health *h);
/* A note where this CPU can flush others without an interrupt. */
void tlb_health_broadcast(const struct env *env);
/* Once a sample; an item is set only when its words change. */
void tlb_health_update(struct health *h, struct tlb_state *s);

#endif
