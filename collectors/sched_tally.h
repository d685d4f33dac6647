/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often did each pair of two keys come?  Bounded; a key that is let go
 * moves to 0, so that no sum falls.
 */
#ifndef COLLECTORS_SCHED_TALLY_H
#define COLLECTORS_SCHED_TALLY_H

#include <stddef.h>
#include <stdint.h>
#include "sample.h"

struct sched_tally_pair {
	uint32_t key, sub;
	uint64_t n;
	uint32_t seen;			/* sample it last came in */
};

struct sched_tally {
	struct sched_tally_pair *pair;
	size_t n, max;			/* max: pairs at most */
	uint32_t *index;		/* place in pair + 1 */
	uint32_t *seen;			/* room for finding the longest unseen */
	struct names *own_sub;		/* it owns the subs' names there */
	int sub_is_name;
	int sorted;
	uint64_t over;			/* that had no place and count nowhere */
	size_t dropped;			/* names given back by a retirement */
};

/* max: a power of two.  own_sub: hold the sub's name while a pair has it, or
 * NULL.  sub_is_name: subs are ids too, not numbers.  0 or -ENOMEM. */
int sched_tally_init(struct sched_tally *t, size_t max, int sub_is_name,
		     struct names *own_sub);
void sched_tally_free(struct sched_tally *t);	/* accepts zeroed */
/* Once more; full, it counts for key 0 where that is there, else as over. */
void sched_tally_add(struct sched_tally *t, uint32_t key, uint32_t sub,
		     uint32_t seq);
/* Once a sample: names in gone (sorted ids) go to 0, and when three quarters
 * are used the longest unseen keys.  Returns how many subs' names were given
 * back. */
size_t sched_tally_retire(struct sched_tally *t, const uint32_t *gone, size_t n);
int sched_tally_collect(const struct sched_tally *t, uint16_t metric,
			struct sample *to);	/* 0 or -ENOMEM */

#endif
