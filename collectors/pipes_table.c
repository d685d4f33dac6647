// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many bytes went through each pipe?  Two lists, of this pass and of the
 * one before; what is in the older alone has ended.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pipes_table.h"

enum { ROOM = 2 * PIPE_BYTES_MOST };	/* a walk may meet some twice */

static int row_compare(const void *a, const void *b)
{
	const struct pipe_key *x = &((const struct pipes_row *)a)->key;
	const struct pipe_key *y = &((const struct pipes_row *)b)->key;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->inode < y->inode ? -1 : x->inode > y->inode;
}

/* dev is a dev_t as the kernel has it: 12 bits major, 20 minor. */
static void row_name(struct pipes_table *t, struct pipes_row *row)
{
	char text[48];
	int len = snprintf(text, sizeof(text), "%u:%u %llu",
			   row->key.dev >> 20, row->key.dev & 0xfffff,
			   (unsigned long long)row->key.inode);

	row->id = names_text(t->names, text, (size_t)len);
	names_hold(t->names, row->id);
}

void pipes_table_begin(struct pipes_table *t)
{
	struct pipes_row *was = t->was;

	t->was = t->row;
	t->nwas = t->n;
	t->row = was;
	t->n = 0;
}

void pipes_table_put(struct pipes_table *t, const struct pipe_key *key,
		     const struct pipe_bytes *bytes)
{
	if (t->n < ROOM)
		t->row[t->n++] = (struct pipes_row) { *key, *bytes, 0 };
}

/* Met twice, they may have grown between. */
static void rows_sort(struct pipes_table *t)
{
	struct pipes_row *row, *to = t->row;

	qsort(t->row, t->n, sizeof(*t->row), row_compare);
	for (row = t->row + 1; row < t->row + t->n; row++) {
		if (row_compare(to, row))
			*++to = *row;
		else if (row->bytes.read >= to->bytes.read &&
			 row->bytes.written >= to->bytes.written)
			to->bytes = row->bytes;
	}
	if (t->n)
		t->n = (size_t)(to + 1 - t->row);
}

static void row_end(struct pipes_table *t, const struct pipes_row *was)
{
	t->ended.read += was->bytes.read;
	t->ended.written += was->bytes.written;
	t->let_go++;
	names_drop(t->names, was->id);
}

/* It was let go and came back: what it had then is none of its new bytes. */
static int is_anew(const struct pipe_bytes *now, const struct pipe_bytes *was)
{
	return now->read < was->read || now->written < was->written;
}

static void row_follow(struct pipes_table *t, struct pipes_row *row,
		       const struct pipes_row *was)
{
	row->id = was->id;
	if (!is_anew(&row->bytes, &was->bytes))
		return;
	t->ended.read += was->bytes.read;
	t->ended.written += was->bytes.written;
	t->let_go++;
}

void pipes_table_end(struct pipes_table *t,
		     int (*find)(void *arg, const struct pipe_key *key,
				 struct pipe_bytes *bytes), void *arg)
{
	struct pipes_row *was, *row;
	struct pipe_bytes bytes;
	size_t n;

	rows_sort(t);
	for (n = t->n, was = t->was; was < t->was + t->nwas; was++) {
		row = bsearch(was, t->row, n, sizeof(*row), row_compare);
		if (!row && t->n < ROOM && !find(arg, &was->key, &bytes)) {
			row = &t->row[t->n++];
			*row = (struct pipes_row) { was->key, bytes, 0 };
		}
		if (row)
			row_follow(t, row, was);
		else
			row_end(t, was);
	}
	for (row = t->row; row < t->row + t->n; row++)
		if (!row->id)
			row_name(t, row);
	qsort(t->row, t->n, sizeof(*t->row), row_compare);
	t->nwas = 0;
}

int pipes_table_collect(const struct pipes_table *t, struct sample *to)
{
	int err = sample_add(to, PIPE_BYTES_READ, 0, 0, t->ended.read);
	size_t i;

	for (i = 0; i < t->n && !err; i++)
		err = sample_add(to, PIPE_BYTES_READ, t->row[i].id, 0,
				 t->row[i].bytes.read);
	if (!err)
		err = sample_add(to, PIPE_BYTES_WRITTEN, 0, 0,
				 t->ended.written);
	for (i = 0; i < t->n && !err; i++)
		err = sample_add(to, PIPE_BYTES_WRITTEN, t->row[i].id, 0,
				 t->row[i].bytes.written);
	return err;
}

void pipes_table_clear(struct pipes_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		names_drop(t->names, t->row[i].id);
	t->n = t->nwas = 0;
	t->ended = (struct pipe_bytes) { 0, 0 };
	t->let_go = 0;
}

int pipes_table_init(struct pipes_table *t, struct names *names)
{
	memset(t, 0, sizeof(*t));
	t->names = names;
	t->row = calloc(ROOM, sizeof(*t->row));
	t->was = calloc(ROOM, sizeof(*t->was));
	if (t->row && t->was)
		return 0;
	pipes_table_free(t);
	return -ENOMEM;
}

void pipes_table_free(struct pipes_table *t)
{
	free(t->row);
	free(t->was);
	memset(t, 0, sizeof(*t));
}
