/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is a stack met again known?  By 64 bits of hash over its addresses and
 * state; that two of 50,000 stacks share one has a chance of 1 in 10^10.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "sched_stacks.h"

enum { KNOWN = 1 << 16, FULL = KNOWN / 4 * 3, LEAD = 8 };

static uint64_t mix(uint64_t h)		/* the finish of splitmix64 */
{
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ull;
	h = (h ^ h >> 27) * 0x94d049bb133111ebull;
	return h ^ h >> 31;
}

static uint64_t hash_of(uint8_t state, const uint64_t *ip, size_t nip)
{
	uint64_t h = mix(state + 0x9e3779b97f4a7c15ull);
	size_t i;

	for (i = 0; i < nip; i++)
		h = mix(h ^ ip[i]) + 0x9e3779b97f4a7c15ull;
	return h ? h : 1;
}

static struct sched_known *known_find(const struct sched_stacks *s,
				      uint64_t hash)
{
	size_t i = (size_t)hash & (KNOWN - 1);

	while (s->known[i].hash && s->known[i].hash != hash)
		i = (i + 1) & (KNOWN - 1);
	return &s->known[i];
}

static int is_tracing(const char *name)
{
	static const char *const begins[] = {
		"__traceiter_", "__bpf_trace_", "bpf_trace_run", "bpf_prog_",
		"perf_trace_", "trace_event_raw_event_",
	};
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return 1;
	return 0;
}

/*
 * Frames through which the tracepoint called its listener stand before the
 * kernel's own: those of a program, and __traceiter_* once there is more than
 * one listener, which is while others trace (include/linux/tracepoint.h, 5.10).
 * A program of our own came after the symbols were read, and has no name: that
 * is no reason to read them again.
 */
static size_t lead_of(struct sched_stacks *s, const uint64_t *ip, size_t nip)
{
	size_t lead = 0, i;

	for (i = 0; i < nip && i < LEAD; i++)
		if (is_tracing(ksyms_name(s->ksyms, ip[i])))
			lead = i + 1;
	return lead;
}

int sched_stacks_init(struct sched_stacks *s, struct ksyms *k,
		      struct names *names)
{
	memset(s, 0, sizeof(*s));
	s->ksyms = k;
	s->names = names;
	s->known = calloc(KNOWN, sizeof(*s->known));
	return s->known ? 0 : -ENOMEM;
}

void sched_stacks_free(struct sched_stacks *s)
{
	free(s->known);
	memset(s, 0, sizeof(*s));
}

uint32_t sched_stacks_id(struct sched_stacks *s, uint8_t state,
			 const uint64_t *ip, size_t nip, int room)
{
	uint64_t hash = hash_of(state, ip, nip);
	struct sched_known *k = known_find(s, hash);
	size_t lead;
	uint32_t id;

	if (k->hash)
		return k->id;
	if (!room)
		return 0;
	lead = lead_of(s, ip, nip);
	id = ksyms_stack(s->ksyms, s->names, state, ip + lead, nip - lead);
	if (!id)
		return 0;
	if (s->n >= FULL) {
		sched_stacks_forget(s);
		k = known_find(s, hash);
	}
	s->n++;
	k->hash = hash;
	k->id = id;
	return id;
}

void sched_stacks_forget(struct sched_stacks *s)
{
	if (s->n)
		memset(s->known, 0, KNOWN * sizeof(*s->known));
	s->n = 0;
}
