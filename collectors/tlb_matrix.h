/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPU interrupts which for a flush?  By the event csd_queue_cpu at the
 * sender, where the kernel has it (tlb.bpf.c); else by fentry on
 * flush_tlb_func at the one that is hit (tlb_func.bpf.c); else not at all.
 * The memory: 8 bytes for each pair of CPUs, up to 8 MB.
 */
#ifndef COLLECTORS_TLB_MATRIX_H
#define COLLECTORS_TLB_MATRIX_H

#include <linux/types.h>
#include "bpf_why.h"
#include "sample.h"
#include "tlb.bpf.h"

enum { TLB_MATRIX_CPUS = 1024 };	/* with more there is no matrix */

struct tlb_matrix {
	struct bpf *own;		/* the image tlb_func, or NULL */
	const volatile uint64_t *cell;	/* [from * cpus + to]; NULL: none */
	uint32_t cpus;
	int by_sender;			/* so interrupts are told by stack */
};

/*
 * Fit the image tlb, not loaded yet: leaves the program out where the event is
 * not.  flush_func: address of flush_tlb_func, 0 if hidden.  0, or -errno with
 * *why: what is missing; tlb_matrix_by_func() may still do.
 */
int tlb_matrix_fit(struct tlb_matrix *m, struct bpf *b, uint32_t cpus,
		   uint64_t flush_func, struct bpf_why *why);
/* It is loaded: begin.  0, or -errno with *why. */
int tlb_matrix_start(struct tlb_matrix *m, struct bpf *b,
		     struct bpf_why *why);
/* The other way, after either of these failed.  0, or -errno with *why. */
int tlb_matrix_by_func(struct tlb_matrix *m, struct bpf_why *why);
/* Pairs that never were are left out, but not those that would hit CPU 0: so
 * each CPU has one from the start. */
int tlb_matrix_collect(const struct tlb_matrix *m, struct sample *to);
void tlb_matrix_free(struct tlb_matrix *m);	/* accepts zeroed */

#endif
