/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long did the sampled sleeps last, and who ended them?  A sleep is known
 * by its mark's place and turn until its end comes.
 */
#ifndef COLLECTORS_SCHED_SLEEPS_H
#define COLLECTORS_SCHED_SLEEPS_H

#include <linux/types.h>
#include "sched.bpf.h"
#include "sched_book.h"
#include "sched_pipes.h"
#include "sched_tally.h"

struct sched_sleep {
	uint32_t turn;
	uint32_t stack, task;
	uint32_t open;			/* its end has not come yet */
	uint32_t pipe, writes;		/* as for sched_pipes_wait() */
};

enum { SCHED_WAKER_KINDS = 1024 };	/* a power of two */

struct sched_sleeps {
	struct sched_book *book;	/* borrowed */
	struct sched_sleep *sleep;	/* by place of the mark */
	struct sched_stacks wakers;
	struct { uint32_t stack; int by_task; } kind[SCHED_WAKER_KINDS];
	struct sched_tally by_stack, by_task;	/* buckets of waits */
	struct sched_tally woken_from, woken_by;
	struct sched_pipes pipes;
};

int sched_sleeps_init(struct sched_sleeps *s, struct sched_book *b);
void sched_sleeps_free(struct sched_sleeps *s);	/* accepts zeroed */
/* A sampled task is switched out under this mark, if any. */
void sched_sleeps_begin(struct sched_sleeps *s, const struct sched_sample *r,
			uint32_t stack, uint32_t task);
/* The open sleep under this mark, NULL: none of that turn. */
const struct sched_sleep *sched_sleeps_find(const struct sched_sleeps *s,
					    uint32_t mark, uint32_t turn);
/* Its waker: ip are nip return addresses, innermost first; task its id. */
void sched_sleeps_wake(struct sched_sleeps *s, const struct sched_sleep *sleep,
		       const uint64_t *ip, size_t nip, uint32_t task);
/* It is over; times in ns, queued is the part on a run queue. */
void sched_sleeps_end(struct sched_sleeps *s, const struct sched_sleep *sleep,
		      uint64_t wait_ns, uint64_t queued_ns);
void sched_sleeps_retire(struct sched_sleeps *s);	/* by book->gone */
int sched_sleeps_collect(const struct sched_sleeps *s, struct sample *to);

#endif
