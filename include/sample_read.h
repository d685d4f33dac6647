/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did a sample say?  Reads what sample_write.h wrote, against the samples
 * before it in the same block.  Input is not trusted: nothing is allocated
 * beyond what the bytes at hand can hold and `limit` allows.
 */
#ifndef SAMPLE_READ_H
#define SAMPLE_READ_H

#include "health.h"
#include "sample.h"
#include "wire.h"

struct block_head {		/* what a block says of itself */
	uint64_t file_id, block;
};

struct sample_reader {
	size_t limit;		/* readings of a sample, names of two blocks */
	struct names *names;	/* owned */
	const char *why;	/* of the last -EBADMSG, in words */

	struct reading *prev, *next;	/* by the file's metric ids */
	size_t nprev, nnext, capprev, capnext, at;

	uint16_t metric[METRIC_DYNAMIC_MAX];	/* file's id to ours, 0 none */
	struct host host;
	int has_host;
	struct health health;	/* as of the last sample */
	struct sample times;	/* only times are in use */
};

/* 0 or -ENOMEM.  *r is zeroed, with its limit. */
int sample_read_init(struct sample_reader *r);
void sample_read_free(struct sample_reader *r);
/* The next sample begins a block. */
void sample_read_begin(struct sample_reader *r);
/* The block's head; 0, -ENOMEM, or -EBADMSG. */
int sample_read_head(struct sample_reader *r, struct wire_in *in,
		     struct block_head *head);
/* One sample; 0, or as above and then nothing more can be read. */
int sample_read(struct sample_reader *r, struct wire_in *in);
/* Hand the last one out, with our metric ids, sealed; 0 or -ENOMEM. */
int sample_read_out(struct sample_reader *r, struct sample *s);

/* The parts, each by its own file; 0, -ENOMEM, -EAGAIN or -EBADMSG. */
int metric_read(uint16_t *map, struct wire_in *in);	/* an array of them */
int name_read(struct names *n, size_t limit, struct wire_in *in);
int health_read(struct health *h, const uint16_t *map, struct wire_in *in);
int health_read_cost(struct health *h, struct wire_in *in);

#endif
