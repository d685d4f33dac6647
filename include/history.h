/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened in the last minutes?  A recording in memory: blocks of samples
 * by the codec that files use, oldest dropped first.
 */
#ifndef HISTORY_H
#define HISTORY_H

#include <stddef.h>
#include <stdint.h>
#include "sample.h"
#include "source.h"

struct history;

/* Keeps at most span_ns of time and max_bytes of blocks. */
struct history *history_new(uint64_t span_ns, size_t max_bytes);
void history_free(struct history *h);
int history_add(struct history *h, const struct sample *s);	/* 0, -errno */
uint64_t history_first(const struct history *h);	/* oldest seq, 0 none */
uint64_t history_last(const struct history *h);		/* newest seq, 0 none */
size_t history_bytes(const struct history *h);
/* Newest seq whose mono_ns <= at_ns; the oldest kept if all are newer;
 * 0 when empty. */
uint64_t history_at(const struct history *h, uint64_t at_ns);
/* Keep the block of `seq` from being dropped; 0 unpins. */
void history_pin(struct history *h, uint64_t seq);
/*
 * A cursor as a source: seek(seq), next().  Going on by one sample costs one
 * sample's decoding; several cursors may be open.  A sample got from it
 * borrows names and host of the cursor: valid until the cursor's next call.
 * NULL: out of memory.
 */
struct source *history_cursor(struct history *h);

#endif
