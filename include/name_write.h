/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which names does a sample need that its block has not said yet?
 */
#ifndef NAME_WRITE_H
#define NAME_WRITE_H

#include <stddef.h>
#include <stdint.h>
#include "names.h"
#include "wire.h"

struct named {			/* a name that stands in the block */
	uint32_t id, version;
	uint16_t kind;
};

struct name_writer {		/* zeroed is fine; keeps its memory */
	const struct names *names;
	uint64_t redefined;	/* names_redefined() at the sample before */
	struct named *named;	/* in the order they came in */
	uint32_t *slot;		/* hash of ids to index in named, + 1 */
	uint32_t *fresh;	/* indexes to write with this sample */
	size_t nnamed, capnamed, nslot, nfresh, capfresh;
	int err;		/* -ENOMEM since the block began */
};

/* A block begins: no name stands in it. */
void name_write_begin(struct name_writer *w, const struct names *names);
/* A sample begins: what was redefined is to be written again. */
void name_write_next(struct name_writer *w);
/* A reading names this id: write it unless it stands, and those it is made
 * of.  0 and unknown ids are no names. */
void name_write_use(struct name_writer *w, uint32_t id);
/* The array of all that is to be written, w->nfresh of them. */
void name_write(const struct name_writer *w, struct wire_out *o);
void name_write_free(struct name_writer *w);

#endif
