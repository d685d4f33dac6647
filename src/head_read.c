/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a block say of itself and of its box?  The format is in
 * codec_encode.c.
 */
#include <errno.h>
#include <string.h>
#include "codec_format.h"
#include "sample_read.h"

/* Where a key's value goes. */
struct field {
	const char *key;
	size_t at, room;	/* in struct host; room 0: not a text */
	int (*read)(struct wire_in *in, struct host *h);
};

static int get_u32(struct wire_in *in, uint32_t *v)
{
	uint64_t n;
	int err = wire_get_uint(in, &n, UINT32_MAX);

	if (!err)
		*v = n;
	return err;
}

static int read_cpus(struct wire_in *in, struct host *h)
{
	return get_u32(in, &h->cpus);
}

static int read_clk_tck(struct wire_in *in, struct host *h)
{
	return get_u32(in, &h->clk_tck);
}

static int read_page_size(struct wire_in *in, struct host *h)
{
	return get_u32(in, &h->page_size);
}

static int read_mem_bytes(struct wire_in *in, struct host *h)
{
	return wire_get_uint(in, &h->mem_bytes, UINT64_MAX);
}

#define TEXT(key) offsetof(struct host, key), sizeof(((struct host *)0)->key)

static const struct field fields[] = {
	{ "name", TEXT(name), NULL },
	{ "release", TEXT(release), NULL },
	{ "machine", TEXT(machine), NULL },
	{ "boot_id", TEXT(boot_id), NULL },
	{ "cpus", 0, 0, read_cpus },
	{ "clk_tck", 0, 0, read_clk_tck },
	{ "page_size", 0, 0, read_page_size },
	{ "mem_bytes", 0, 0, read_mem_bytes },
};

static int key_is(const char *key, size_t len, const char *want)
{
	return strlen(want) == len && !memcmp(key, want, len);
}

static int read_field(struct wire_in *in, struct host *h,
		      const struct field *f)
{
	const char *text;
	size_t len;
	int err;

	if (f->read)
		return f->read(in, h);
	err = wire_get_text(in, &text, &len);
	if (err)
		return err;
	len = strnlen(text, len < f->room - 1 ? len : f->room - 1);
	memcpy((char *)h + f->at, text, len);
	return 0;
}

static int read_host_pair(struct wire_in *in, struct host *h)
{
	const char *key;
	size_t i, len;
	int err = wire_get_text(in, &key, &len);

	for (i = 0; !err && i < sizeof(fields) / sizeof(*fields); i++)
		if (key_is(key, len, fields[i].key))
			return read_field(in, h, &fields[i]);
	return err ? err : wire_skip(in);
}

static int read_host(struct sample_reader *r, struct wire_in *in)
{
	size_t pairs;
	int err = wire_get_map(in, &pairs);

	memset(&r->host, 0, sizeof(r->host));
	r->has_host = 1;
	while (!err && pairs--)
		err = read_host_pair(in, &r->host);
	return err;
}

/* Minor versions only add. */
static int read_version(struct sample_reader *r, struct wire_in *in)
{
	uint64_t major;
	size_t more;
	int err = wire_get_tuple(in, 1, &more);

	if (!err)
		err = wire_get_uint(in, &major, UINT64_MAX);
	if (!err)
		err = wire_end_tuple(in, more);
	if (!err && major != CODEC_MAJOR) {
		r->why = "of a version that this program does not know";
		err = -EBADMSG;
	}
	return err;
}

static int read_format(struct wire_in *in)
{
	const char *name;
	size_t len;
	int err = wire_get_text(in, &name, &len);

	if (!err && !key_is(name, len, CODEC_NAME))
		err = -EBADMSG;
	return err;
}

static int read_pair(struct sample_reader *r, struct wire_in *in,
		     struct block_head *head)
{
	const char *key;
	size_t len;
	int err = wire_get_text(in, &key, &len);

	if (err)
		return err;
	if (key_is(key, len, "format"))
		return read_format(in);
	if (key_is(key, len, "version"))
		return read_version(r, in);
	if (key_is(key, len, "file"))
		return wire_get_uint(in, &head->file_id, UINT64_MAX);
	if (key_is(key, len, "block"))
		return wire_get_uint(in, &head->block, UINT64_MAX);
	if (key_is(key, len, "host"))
		return read_host(r, in);
	if (key_is(key, len, "metrics"))
		return metric_read(r->metric, in);
	return wire_skip(in);
}

int sample_read_head(struct sample_reader *r, struct wire_in *in,
		     struct block_head *head)
{
	size_t pairs;
	int err;

	r->why = "head";
	memset(head, 0, sizeof(*head));
	err = wire_get_map(in, &pairs);
	while (!err && pairs--)
		err = read_pair(r, in, head);
	return err == -EAGAIN ? -EBADMSG : err;
}
