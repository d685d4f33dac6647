/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do numbers and words become CBOR (RFC 8949) and come back?  Written and
 * read item by item; no tree of a document is ever built.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

struct wire_out {		/* zeroed is empty; keeps its memory */
	uint8_t *data;
	size_t len, cap;
	int err;		/* 0 or -ENOMEM: what was put since is lost */
};

int wire_reserve(struct wire_out *o, size_t more);	/* 0 or -ENOMEM */
void wire_uint(struct wire_out *o, uint64_t v);
void wire_int(struct wire_out *o, int64_t v);
void wire_null(struct wire_out *o);
void wire_array(struct wire_out *o, size_t n);
void wire_map(struct wire_out *o, size_t pairs);
void wire_bytes(struct wire_out *o, const void *data, size_t len);
/* A text string if it is UTF-8, else a byte string: both are read back. */
void wire_text(struct wire_out *o, const char *text, size_t len);
void wire_str(struct wire_out *o, const char *text);
void wire_free(struct wire_out *o);

struct wire_in {
	const uint8_t *data;
	size_t len, at;
};

enum wire_type {
	WIRE_UINT, WIRE_NEGATIVE /* -1 - n */, WIRE_BYTES, WIRE_TEXT,
	WIRE_ARRAY, WIRE_MAP, WIRE_NULL, WIRE_OTHER,
};

struct wire_item {
	enum wire_type type;
	uint64_t n;		/* number, or elements of a definite array or
				 * pairs of a map; at most the bytes left */
	const char *text;	/* WIRE_BYTES, WIRE_TEXT: n bytes, no NUL */
};

/*
 * Each returns 0; -EAGAIN: the item goes on after the end of the bytes;
 * -EBADMSG: not CBOR, or not of the wanted type or range.
 */
int wire_next(struct wire_in *in, struct wire_item *item);
int wire_get_uint(struct wire_in *in, uint64_t *v, uint64_t max);
int wire_get_int(struct wire_in *in, int64_t *v);
int wire_get_array(struct wire_in *in, size_t *n);
int wire_get_map(struct wire_in *in, size_t *pairs);
int wire_get_text(struct wire_in *in, const char **text, size_t *len);
/* Past one whole item of any kind, known here or not, nested 16 deep. */
int wire_skip(struct wire_in *in);
/* An array of at least so many elements, *more beyond them; a newer version
 * may write more, which are skipped at its end. */
int wire_get_tuple(struct wire_in *in, size_t least, size_t *more);
int wire_end_tuple(struct wire_in *in, size_t more);

#endif
