// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * May every flush be counted, or would counting be the load?
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "tlb_watch.h"

#define SECOND_NS	1000000000ull
#define LOOK_NS		(SECOND_NS / 20)	/* shorter says little */
#define AGAIN_NS	(5 * SECOND_NS)

/* It goes on again well below where it stopped, not to flutter. */
enum { LEAST = TLB_MOST / 5 * 4 };

int tlb_watch_init(struct tlb_watch *w, size_t ncpu)
{
	memset(w, 0, sizeof(*w));
	w->before = calloc(ncpu ? ncpu : 1, sizeof(*w->before));
	w->now = calloc(ncpu ? ncpu : 1, sizeof(*w->now));
	w->ncpu = ncpu;
	return w->before && w->now ? 0 : -ENOMEM;
}

void tlb_watch_free(struct tlb_watch *w)
{
	free(w->before);
	free(w->now);
	memset(w, 0, sizeof(*w));
}

static void look(struct tlb_watch *w, uint64_t now_ns)
{
	memcpy(w->before, w->now, w->ncpu * sizeof(*w->now));
	w->looked_ns = now_ns;
}

void tlb_watch_begin(struct tlb_watch *w, uint64_t now_ns)
{
	w->is_on = 1;
	look(w, now_ns);
}

static void most_find(struct tlb_watch *w, uint64_t span_ns)
{
	uint64_t most = 0, gained;
	size_t i;

	w->cpu = 0;
	for (i = 0; i < w->ncpu; i++) {
		gained = w->now[i] - w->before[i];
		if (gained <= most)
			continue;
		most = gained;
		w->cpu = (uint32_t)i;
	}
	w->per_sec = (uint64_t)((double)most * SECOND_NS / (double)span_ns);
}

int tlb_watch_step(struct tlb_watch *w, uint64_t now_ns)
{
	uint64_t span_ns = now_ns - w->looked_ns;

	if (!w->is_on) {
		if (now_ns < w->again_ns)
			return 0;
		tlb_watch_begin(w, now_ns);
		w->is_trial = 1;
		return 1;
	}
	if (span_ns < LOOK_NS)
		return 0;
	most_find(w, span_ns);
	w->watched_ns += span_ns;
	look(w, now_ns);
	if (w->per_sec <= (w->is_trial ? LEAST : TLB_MOST)) {
		w->is_trial = 0;
		return 0;
	}
	w->is_on = w->is_trial = 0;
	w->again_ns = now_ns + AGAIN_NS;
	return 1;
}

uint64_t tlb_watch_ns(const struct tlb_watch *w, uint64_t now_ns)
{
	return w->watched_ns + (w->is_on ? now_ns - w->looked_ns : 0);
}

int tlb_watch_counts(const struct tlb_watch *w)
{
	return w->is_on && !w->is_trial;
}
