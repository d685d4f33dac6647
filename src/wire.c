/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do numbers and words become CBOR and come back?
 *
 * libcbor's encoders and its streaming decoder do the bytes. Lengths that
 * claim more than there is are refused before anybody allocates for them.
 */
#include <cbor.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "wire.h"

enum { HEAD_MAX = 9, FIRST_BYTES = 4096 };

int wire_reserve(struct wire_out *o, size_t more)
{
	size_t cap = o->cap ? o->cap : FIRST_BYTES;
	uint8_t *data;

	if (o->err)
		return o->err;
	if (more <= o->cap - o->len)
		return 0;
	while (cap - o->len < more)
		cap *= 2;
	data = realloc(o->data, cap);
	if (!data)
		return o->err = -ENOMEM;
	o->data = data;
	o->cap = cap;
	return 0;
}


void wire_uint(struct wire_out *o, uint64_t v)
{
	if (!wire_reserve(o, HEAD_MAX))
		o->len += cbor_encode_uint(v, o->data + o->len, HEAD_MAX);
}

void wire_int(struct wire_out *o, int64_t v)
{
	if (v >= 0)
		wire_uint(o, v);
	else if (!wire_reserve(o, HEAD_MAX))
		o->len += cbor_encode_negint(-1 - v, o->data + o->len,
					     HEAD_MAX);
}

void wire_null(struct wire_out *o)
{
	if (!wire_reserve(o, HEAD_MAX))
		o->len += cbor_encode_null(o->data + o->len, HEAD_MAX);
}

void wire_array(struct wire_out *o, size_t n)
{
	if (!wire_reserve(o, HEAD_MAX))
		o->len += cbor_encode_array_start(n, o->data + o->len,
						  HEAD_MAX);
}

void wire_map(struct wire_out *o, size_t pairs)
{
	if (!wire_reserve(o, HEAD_MAX))
		o->len += cbor_encode_map_start(pairs, o->data + o->len,
						HEAD_MAX);
}

static void wire_raw(struct wire_out *o, const void *data, size_t len)
{
	if (!len || wire_reserve(o, len))
		return;
	memcpy(o->data + o->len, data, len);
	o->len += len;
}

void wire_bytes(struct wire_out *o, const void *data, size_t len)
{
	if (!wire_reserve(o, HEAD_MAX))
		o->len += cbor_encode_bytestring_start(len, o->data + o->len,
						       HEAD_MAX);
	wire_raw(o, data, len);
}

/* Bytes of the UTF-8 character at p (RFC 3629), 0 if it is none. */
static size_t utf8_length(const uint8_t *p, size_t left)
{
	size_t i, n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 :
		      *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;

	if (!n || n > left)
		return 0;
	for (i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

static int utf8_valid(const char *text, size_t len)
{
	const uint8_t *p = (const uint8_t *)text;
	size_t n;

	for (; len; p += n, len -= n) {
		n = utf8_length(p, len);
		if (!n)
			return 0;
	}
	return 1;
}

void wire_text(struct wire_out *o, const char *text, size_t len)
{
	if (!utf8_valid(text, len)) {
		wire_bytes(o, text, len);
		return;
	}
	if (!wire_reserve(o, HEAD_MAX))
		o->len += cbor_encode_string_start(len, o->data + o->len,
						   HEAD_MAX);
	wire_raw(o, text, len);
}

void wire_str(struct wire_out *o, const char *text)
{
	wire_text(o, text, strlen(text));
}

void wire_free(struct wire_out *o)
{
	free(o->data);
	memset(o, 0, sizeof(*o));
}

/* ---- reading: libcbor's callbacks fill in one item ---- */

static void set_item(void *item, enum wire_type type, uint64_t n)
{
	((struct wire_item *)item)->type = type;
	((struct wire_item *)item)->n = n;
}

static void set_text(void *item, enum wire_type type, cbor_data data, size_t n)
{
	set_item(item, type, n);
	((struct wire_item *)item)->text = (const char *)data;
}

static void got_uint8(void *item, uint8_t n)
{
	set_item(item, WIRE_UINT, n);
}

static void got_uint16(void *item, uint16_t n)
{
	set_item(item, WIRE_UINT, n);
}

static void got_uint32(void *item, uint32_t n)
{
	set_item(item, WIRE_UINT, n);
}

static void got_uint64(void *item, uint64_t n)
{
	set_item(item, WIRE_UINT, n);
}

static void got_negative8(void *item, uint8_t n)
{
	set_item(item, WIRE_NEGATIVE, n);
}

static void got_negative16(void *item, uint16_t n)
{
	set_item(item, WIRE_NEGATIVE, n);
}

static void got_negative32(void *item, uint32_t n)
{
	set_item(item, WIRE_NEGATIVE, n);
}

static void got_negative64(void *item, uint64_t n)
{
	set_item(item, WIRE_NEGATIVE, n);
}

static void got_bytes(void *item, cbor_data data, size_t n)
{
	set_text(item, WIRE_BYTES, data, n);
}

static void got_text(void *item, cbor_data data, size_t n)
{
	set_text(item, WIRE_TEXT, data, n);
}

static void got_array(void *item, size_t n)
{
	set_item(item, WIRE_ARRAY, n);
}

static void got_map(void *item, size_t n)
{
	set_item(item, WIRE_MAP, n);
}

static void got_null(void *item)
{
	set_item(item, WIRE_NULL, 0);
}

/* The rest leaves the item as it was: WIRE_OTHER. */
static const struct cbor_callbacks callbacks = {
	.uint8 = got_uint8, .uint16 = got_uint16,
	.uint32 = got_uint32, .uint64 = got_uint64,
	.negint8 = got_negative8, .negint16 = got_negative16,
	.negint32 = got_negative32, .negint64 = got_negative64,
	.byte_string = got_bytes, .string = got_text,
	.array_start = got_array, .map_start = got_map, .null = got_null,
	.byte_string_start = cbor_null_byte_string_start_callback,
	.string_start = cbor_null_string_start_callback,
	.indef_array_start = cbor_null_indef_array_start_callback,
	.indef_map_start = cbor_null_indef_map_start_callback,
	.tag = cbor_null_tag_callback, .float2 = cbor_null_float2_callback,
	.float4 = cbor_null_float4_callback,
	.float8 = cbor_null_float8_callback,
	.undefined = cbor_null_undefined_callback,
	.boolean = cbor_null_boolean_callback,
	.indef_break = cbor_null_indef_break_callback,
};

int wire_next(struct wire_in *in, struct wire_item *item)
{
	struct cbor_decoder_result r;

	item->type = WIRE_OTHER;
	item->n = 0;
	item->text = "";
	if (in->at == in->len)
		return -EAGAIN;
	r = cbor_stream_decode(in->data + in->at, in->len - in->at, &callbacks,
			       item);
	if (r.status == CBOR_DECODER_NEDATA)
		return -EAGAIN;
	if (r.status != CBOR_DECODER_FINISHED)
		return -EBADMSG;
	in->at += r.read;
	return 0;
}

int wire_get_uint(struct wire_in *in, uint64_t *v, uint64_t max)
{
	struct wire_item item;
	int err = wire_next(in, &item);

	if (!err && (item.type != WIRE_UINT || item.n > max))
		err = -EBADMSG;
	if (!err)
		*v = item.n;
	return err;
}

int wire_get_int(struct wire_in *in, int64_t *v)
{
	struct wire_item item;
	int err = wire_next(in, &item);

	if (err)
		return err;
	if (item.n > INT64_MAX ||
	    (item.type != WIRE_UINT && item.type != WIRE_NEGATIVE))
		return -EBADMSG;
	*v = item.type == WIRE_UINT ? (int64_t)item.n : -1 - (int64_t)item.n;
	return 0;
}

/* Each element takes a byte at least. */
static int get_count(struct wire_in *in, enum wire_type type, size_t *n)
{
	struct wire_item item;
	int err = wire_next(in, &item);

	if (err)
		return err;
	if (item.type != type)
		return -EBADMSG;
	if (item.n > in->len - in->at)
		return -EAGAIN;
	*n = item.n;
	return 0;
}

int wire_get_array(struct wire_in *in, size_t *n)
{
	return get_count(in, WIRE_ARRAY, n);
}

int wire_get_map(struct wire_in *in, size_t *pairs)
{
	return get_count(in, WIRE_MAP, pairs);
}

int wire_get_text(struct wire_in *in, const char **text, size_t *len)
{
	struct wire_item item;
	int err = wire_next(in, &item);

	if (!err && item.type != WIRE_TEXT && item.type != WIRE_BYTES)
		err = -EBADMSG;
	if (err)
		return err;
	*text = item.text;
	*len = item.n;
	return 0;
}
