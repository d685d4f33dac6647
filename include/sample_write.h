/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a sample is new?  Writes a sample as CBOR against the samples before
 * it in the same block: the format's middle layer, between wire.h (items) and
 * codec.h (blocks).  The keys of its map are in sample_write.c.
 */
#ifndef SAMPLE_WRITE_H
#define SAMPLE_WRITE_H

#include "health.h"
#include "name_write.h"
#include "sample.h"
#include "wire.h"

struct change {			/* of one reading */
	uint16_t metric;
	uint8_t gone;
	uint32_t key, sub;
	uint64_t by;		/* modulo 2^64 */
};

struct sample_writer {		/* zeroed is the beginning of a block */
	struct reading *prev;	/* the sample before */
	size_t nprev, capprev;
	struct change *change;
	size_t nchange, capchange;

	struct name_writer names;
	uint8_t known[METRIC_DYNAMIC_MAX];	/* 1: stands in the block */
	uint16_t defined[METRIC_DYNAMIC_MAX];	/* to be written now */
	size_t ndefined;

	struct health_cost *cost;
	size_t ncost, capcost;
	uint32_t health_version;
	int begun;		/* a sample has been written in this block */
	int err;		/* -ENOMEM: begin a new block */
};

/* The next sample begins a block: it is written whole. */
void sample_write_begin(struct sample_writer *w, const struct names *names);
/* An array of the metrics of *s that do not stand in the block yet, each
 * [id, name, unit, kind, scope, sub-scope]; they do from now on. */
void sample_write_metrics(struct sample_writer *w, const struct sample *s,
			  struct wire_out *o);
/* The sample, sealed; 0 or -ENOMEM. */
int sample_write(struct sample_writer *w, const struct sample *s,
		 struct wire_out *o);
void sample_write_free(struct sample_writer *w);

#endif
