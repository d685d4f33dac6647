/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many bytes went through each pipe, since counting began?  Pipes that the
 * program let go move to "ended", so no total falls.
 */
#ifndef COLLECTORS_PIPES_TABLE_H
#define COLLECTORS_PIPES_TABLE_H

#include <linux/types.h>
#include "pipe_bytes.bpf.h"
#include "sample.h"

struct pipes_row {
	struct pipe_key key;
	struct pipe_bytes bytes;
	uint32_t id;			/* of its name, held */
};

struct pipes_table {
	struct names *names;		/* borrowed */
	struct pipes_row *row, *was;	/* of this pass, of the one before */
	size_t n, nwas;
	struct pipe_bytes ended;
	uint64_t let_go;		/* pipes */
};

int pipes_table_init(struct pipes_table *t, struct names *names);
void pipes_table_free(struct pipes_table *t);	/* accepts zeroed */
/* All from 0 again. */
void pipes_table_clear(struct pipes_table *t);
/* A pass: begin, put each pipe that is there (twice does no harm), end.
 * find says whether a pipe that was not put is there after all: 0, its bytes
 * in *bytes. */
void pipes_table_begin(struct pipes_table *t);
void pipes_table_put(struct pipes_table *t, const struct pipe_key *key,
		     const struct pipe_bytes *bytes);
void pipes_table_end(struct pipes_table *t,
		     int (*find)(void *arg, const struct pipe_key *key,
				 struct pipe_bytes *bytes), void *arg);
int pipes_table_collect(const struct pipes_table *t, struct sample *to);

#endif
