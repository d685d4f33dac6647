/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which names did a block define?  The format is in name_write.c.
 */
#include <errno.h>
#include "sample_read.h"

enum { FRAMES_MAX = 127 };

static int get_text(struct wire_in *in, struct name *n)
{
	size_t len;
	int err = wire_get_text(in, &n->text, &len);

	if (!err && len > UINT16_MAX)
		err = -EBADMSG;
	n->len = len;
	return err;
}

static int get_u32(struct wire_in *in, uint32_t *v)
{
	uint64_t n = 0;
	int err = wire_get_uint(in, &n, UINT32_MAX);

	*v = n;
	return err;
}

static int get_i32(struct wire_in *in, int32_t *v)
{
	int64_t n = 0;
	int err = wire_get_int(in, &n);

	if (!err && (n < INT32_MIN || n > INT32_MAX))
		err = -EBADMSG;
	*v = n;
	return err;
}

static int read_text(struct wire_in *in, struct name *n, uint32_t *frame)
{
	(void)frame;
	return get_text(in, n);
}

static int read_symbol(struct wire_in *in, struct name *n, uint32_t *frame)
{
	int err = get_text(in, n);

	(void)frame;
	if (!err)
		err = get_u32(in, &n->symbol.module);
	if (!err)
		err = get_u32(in, &n->symbol.flags);
	return err;
}

static int read_stack(struct wire_in *in, struct name *n, uint32_t *frame)
{
	uint64_t state;
	size_t frames, i;
	int err = wire_get_uint(in, &state, UINT8_MAX);

	if (!err)
		err = wire_get_array(in, &frames);
	if (!err && frames > FRAMES_MAX)
		err = -EBADMSG;
	if (err)
		return err;
	for (i = 0; !err && i < frames; i++)
		err = get_u32(in, &frame[i]);
	n->stack.state = state;
	n->stack.frame = frame;
	n->len = frames;
	return err;
}

static int read_task(struct wire_in *in, struct name *n, uint32_t *frame)
{
	int err = get_text(in, n);

	(void)frame;
	if (!err)
		err = get_i32(in, &n->task.tid);
	if (!err)
		err = get_i32(in, &n->task.tgid);
	if (!err)
		err = wire_get_uint(in, &n->task.start, UINT64_MAX);
	return err;
}

static const struct {
	int (*read)(struct wire_in *, struct name *, uint32_t *frame);
	size_t elements;	/* after id, kind, version */
} kinds[] = {
	[NAME_TEXT] = { read_text, 1 }, [NAME_SYMBOL] = { read_symbol, 3 },
	[NAME_STACK] = { read_stack, 2 }, [NAME_TASK] = { read_task, 4 },
};

static int read_one(struct names *names, struct wire_in *in)
{
	uint32_t frame[FRAMES_MAX];
	struct name n = { .kind = NAME_NONE };
	uint64_t kind = 0;
	size_t more;
	int err = wire_get_tuple(in, 3, &more);

	if (!err)
		err = get_u32(in, &n.id);
	if (!err)
		err = wire_get_uint(in, &kind, UINT64_MAX);
	if (!err)
		err = get_u32(in, &n.version);
	if (err)
		return err;
	if (kind < NAME_TEXT || kind > NAME_TASK)
		return wire_end_tuple(in, more);	/* a newer kind */
	if (more < kinds[kind].elements)
		return -EBADMSG;
	n.kind = kind;
	err = kinds[kind].read(in, &n, frame);
	if (!err)
		err = wire_end_tuple(in, more - kinds[kind].elements);
	if (!err)
		err = names_define(names, &n);
	return err == -EINVAL ? -EBADMSG : err;
}

int name_read(struct names *names, size_t limit, struct wire_in *in)
{
	size_t n;
	int err = wire_get_array(in, &n);

	while (!err && n--) {
		err = read_one(names, in);
		if (!err && names_count(names) > limit)
			err = -EBADMSG;
	}
	return err;
}
