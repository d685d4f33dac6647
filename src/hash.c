/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where is the entry with these contents?
 *
 * Linear probing, at most two thirds full, so that every probe ends at an
 * empty slot. Taking an entry out moves later ones of its run back.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "hash.h"

enum { SLOTS_FIRST = 256 };

static int hash_grow(struct hash *h)
{
	struct hash old = *h;
	size_t i, size = old.size ? old.size * 2 : SLOTS_FIRST;
	void **slot = calloc(size, sizeof(void *));

	if (!slot)
		return -ENOMEM;
	h->slot = slot;
	h->size = size;
	h->count = 0;
	for (i = 0; i < old.size; i++)
		if (old.slot[i])
			hash_put(h, old.slot[i]);
	free(old.slot);
	return 0;
}

int hash_reserve(struct hash *h)
{
	if ((h->count + 1) * 3 <= h->size * 2)
		return 0;
	return hash_grow(h);
}

void hash_put(struct hash *h, void *entry)
{
	size_t mask = h->size - 1, i = h->of(entry) & mask;

	while (h->slot[i])
		i = (i + 1) & mask;
	h->slot[i] = entry;
	h->count++;
}

void hash_take(struct hash *h, const void *entry)
{
	size_t mask = h->size - 1, i = h->of(entry) & mask, j, home;

	while (h->slot[i] != entry)
		i = (i + 1) & mask;
	for (j = (i + 1) & mask; h->slot[j]; j = (j + 1) & mask) {
		home = h->of(h->slot[j]) & mask;
		if (((j - home) & mask) < ((j - i) & mask))
			continue;	/* its probe does not pass i */
		h->slot[i] = h->slot[j];
		i = j;
	}
	h->slot[i] = NULL;
	h->count--;
}

void hash_free(struct hash *h)
{
	free(h->slot);
	h->slot = NULL;
	h->size = h->count = 0;
}

void *hash_next(const struct hash *h, uint32_t hash, size_t *at)
{
	void *entry;

	if (!h->size)
		return NULL;
	while ((entry = h->slot[*at & (h->size - 1)])) {
		++*at;
		if (h->of(entry) == hash)
			return entry;
	}
	return NULL;
}

uint32_t hash_bytes(uint32_t seed, const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t h = (seed ^ len) * 0x9e3779b97f4a7c15u;
	uint64_t word;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		h = (h ^ word) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	word = 0;
	if (len)
		memcpy(&word, p, len);
	h = (h ^ word) * 0xff51afd7ed558ccdu;
	return h ^ h >> 32;
}

uint32_t hash_number(uint32_t number)
{
	uint32_t h = number * 0x9e3779b1u;

	return h ^ h >> 16;
}
