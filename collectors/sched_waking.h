/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When are wakers looked at?  Every wake-up costs a look then, sampled or not:
 * 4 % of a CPU that does nothing but switch.  So while some CPU switches very
 * often they are looked at for one second in eight; the shares among them stay
 * what they are.
 */
#ifndef COLLECTORS_SCHED_WAKING_H
#define COLLECTORS_SCHED_WAKING_H

#include <linux/types.h>
#include "bpf_why.h"
#include "sched.bpf.h"

struct sched_waking {
	struct bpf *bpf;		/* borrowed */
	const struct sched_now *now;	/* borrowed, by CPU */
	uint64_t *before;		/* switches by CPU, at the last look */
	size_t ncpu;
	uint64_t looked_ns;
	uint64_t often_ns;		/* some CPU last switched that often */
	int is_on;
};

/* Begin, attached.  0, or -errno with *why. */
int sched_waking_start(struct sched_waking *w, struct bpf *b,
		       const struct sched_now *now, size_t ncpu,
		       struct bpf_why *why);
/* At each drain. */
void sched_waking_steer(struct sched_waking *w, uint64_t now_ns);
/* With so many switches on the busiest CPU in span_ns: is it on at now_ns?
 * Once it is off it stays so until it was calm for a second. */
int sched_waking_wanted(struct sched_waking *w, uint64_t most,
			uint64_t span_ns, uint64_t now_ns);
void sched_waking_free(struct sched_waking *w);	/* accepts zeroed */

#endif
