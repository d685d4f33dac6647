/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where does an item end that nobody here knows?
 *
 * Done on heads alone, with a stack of counts, because libcbor (0.8) takes tags
 * and simple values that it has no name for as errors. Every step takes a byte
 * or closes a level: it ends on any input.
 */
#include <errno.h>
#include "wire.h"

enum { NEST_MAX = 16 };

#define INDEFINITE UINT64_MAX

struct head {
	uint8_t major;
	int open;		/* of indefinite length, or a break */
	uint64_t n;
};

static int read_head(struct wire_in *in, struct head *h)
{
	size_t more, i;
	uint8_t low;

	if (in->at == in->len)
		return -EAGAIN;
	low = in->data[in->at] & 31;
	h->major = in->data[in->at] >> 5;
	h->open = low == 31;
	h->n = low;
	if (low >= 28 && (low != 31 || h->major < 2 || h->major == 6))
		return -EBADMSG;
	more = low < 24 || low == 31 ? 0 : (size_t)1 << (low - 24);
	if (more > in->len - in->at - 1)
		return -EAGAIN;
	in->at++;
	if (more)
		h->n = 0;
	for (i = 0; i < more; i++)
		h->n = h->n << 8 | in->data[in->at++];
	return 0;
}

/* Past a head's own bytes; *inner is how many items follow inside it. */
static int skip_body(struct wire_in *in, const struct head *h, uint64_t *inner)
{
	*inner = 0;
	if (h->major == 6)
		*inner = 1;
	if (h->major < 2 || h->major > 5)
		return 0;
	if (h->open) {
		*inner = INDEFINITE;
		return 0;
	}
	if (h->n > in->len - in->at)
		return -EAGAIN;
	if (h->major < 4)
		in->at += h->n;
	else
		*inner = h->major == 5 ? h->n * 2 : h->n;
	return 0;
}

int wire_skip(struct wire_in *in)
{
	uint64_t left[NEST_MAX] = { 1 }, inner;
	struct head h;
	int depth = 0, err;

	while (depth >= 0) {
		if (!left[depth]) {
			depth--;
			continue;
		}
		err = read_head(in, &h);
		if (err)
			return err;
		if (h.major == 7 && h.open) {
			if (left[depth] != INDEFINITE)
				return -EBADMSG;
			depth--;
			continue;
		}
		left[depth] -= left[depth] != INDEFINITE;
		err = skip_body(in, &h, &inner);
		if (err)
			return err;
		if (inner && ++depth == NEST_MAX)
			return -EBADMSG;
		if (inner)
			left[depth] = inner;
	}
	return 0;
}

int wire_get_tuple(struct wire_in *in, size_t least, size_t *more)
{
	size_t n;
	int err = wire_get_array(in, &n);

	if (err)
		return err;
	if (n < least)
		return -EBADMSG;
	*more = n - least;
	return 0;
}

int wire_end_tuple(struct wire_in *in, size_t more)
{
	int err = 0;

	while (more-- && !err)
		err = wire_skip(in);
	return err;
}
