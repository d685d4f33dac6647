// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When are wakers looked at?
 */
#include <errno.h>
#include <stdlib.h>
#include "sched_waking.h"

#define SECOND_NS	1000000000ull
#define LOOK_NS		(SECOND_NS / 20)	/* shorter says little */
#define CALM_NS		SECOND_NS		/* before it is on again */

enum {
	OFTEN = 50000,			/* switches/s of a CPU: 0.5 % of it */
	ON_S = 1, PERIOD_S = 8,
};

static const char program[] = "sched_waking";

int sched_waking_wanted(struct sched_waking *w, uint64_t most,
			uint64_t span_ns, uint64_t now_ns)
{
	if (most * (double)SECOND_NS >= OFTEN * (double)span_ns)
		w->often_ns = now_ns;
	return !w->often_ns || now_ns - w->often_ns > CALM_NS ||
	       now_ns / SECOND_NS % PERIOD_S < ON_S;
}

void sched_waking_steer(struct sched_waking *w, uint64_t now_ns)
{
	uint64_t span_ns = now_ns - w->looked_ns, most = 0, gained;
	int first = !w->looked_ns, wanted;
	size_t i;

	if (span_ns < LOOK_NS)
		return;
	for (i = 0; i < w->ncpu; i++) {
		gained = w->now[i].switches - w->before[i];
		w->before[i] = w->now[i].switches;
		most = gained > most ? gained : most;
	}
	w->looked_ns = now_ns;
	wanted = first || sched_waking_wanted(w, most, span_ns, now_ns);
	if (wanted && !w->is_on)
		w->is_on = !bpf_attach(w->bpf, program);
	else if (!wanted && w->is_on)
		bpf_detach(w->bpf, program);
	w->is_on &= wanted;
}

int sched_waking_start(struct sched_waking *w, struct bpf *b,
		       const struct sched_now *now, size_t ncpu,
		       struct bpf_why *why)
{
	int err;

	w->bpf = b;
	w->now = now;
	w->ncpu = ncpu;
	w->before = calloc(ncpu ? ncpu : 1, sizeof(*w->before));
	if (!w->before) {
		bpf_why_set(why, -ENOMEM, NULL, "out of memory");
		return -ENOMEM;
	}
	err = bpf_attach(b, program);
	w->is_on = !err;
	if (err)
		bpf_why_program(why, err, program, "");
	return err;
}

void sched_waking_free(struct sched_waking *w)
{
	free(w->before);
	w->before = NULL;
}
