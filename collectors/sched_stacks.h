/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which stack id have these addresses?  A cache, so that a stack met before
 * costs one look-up and no symbols.
 */
#ifndef COLLECTORS_SCHED_STACKS_H
#define COLLECTORS_SCHED_STACKS_H

#include <stddef.h>
#include <stdint.h>
#include "ksyms.h"
#include "names.h"

struct sched_stacks {
	struct ksyms *ksyms;		/* borrowed */
	struct names *names;		/* borrowed */
	struct sched_known { uint64_t hash; uint32_t id; } *known;
	size_t n;
};

int sched_stacks_init(struct sched_stacks *s, struct ksyms *k,
		      struct names *names);	/* 0 or -ENOMEM */
void sched_stacks_free(struct sched_stacks *s);	/* accepts zeroed */
/* The id, 0 when it is a new stack and there is no room for new ones. */
uint32_t sched_stacks_id(struct sched_stacks *s, uint8_t state,
			 const uint64_t *ip, size_t nip, int room);
/* Ids were dropped from names: forget what was known. */
void sched_stacks_forget(struct sched_stacks *s);

#endif
