/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where is the entry with these contents?  An open-addressing table of
 * pointers that its user owns; dropping leaves no tombstones, so memory
 * follows what is alive.  Zeroed, with `of` set, it is empty and ready.
 */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash {
	uint32_t (*of)(const void *entry);	/* never changes for an entry */
	void **slot;
	size_t size;		/* a power of two, or 0 */
	size_t count;
};

int hash_reserve(struct hash *h);	/* room for one more; 0 or -ENOMEM */
void hash_put(struct hash *h, void *entry);	/* after hash_reserve() */
void hash_take(struct hash *h, const void *entry); /* entry is in it */
void hash_free(struct hash *h);		/* the table, not the entries */
/*
 * Candidates in turn: entries of this hash, NULL after the last.  Set *at to
 * the hash before the first call.
 */
void *hash_next(const struct hash *h, uint32_t hash, size_t *at);

uint32_t hash_bytes(uint32_t seed, const void *data, size_t len);
uint32_t hash_number(uint32_t number);

#endif
