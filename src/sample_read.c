/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did a sample say?  The format is in sample_write.c.
 *
 * Readings are kept by the recording's own metric ids and order; a sample is
 * made by merging the changes into the one before, and translated only when
 * handed out. After an error nothing more can be read from the block: what was
 * merged is not whole.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "sample_read.h"

static int compare(const struct reading *a, const struct reading *b)
{
	uint64_t ka = (uint64_t)a->key << 32 | a->sub;
	uint64_t kb = (uint64_t)b->key << 32 | b->sub;

	if (a->metric != b->metric)
		return a->metric < b->metric ? -1 : 1;
	return ka < kb ? -1 : ka > kb;
}

/* ---- readings ---- */

static int push(struct sample_reader *r, const struct reading *from, size_t n)
{
	struct reading *next;

	if (!n)
		return 0;
	if (n > r->limit - r->nnext)
		return -EBADMSG;
	next = array_reserve(r->next, r->nnext + n, &r->capnext, sizeof(*next));
	if (!next)
		return -ENOMEM;
	memcpy(next + r->nnext, from, n * sizeof(*next));
	r->next = next;
	r->nnext += n;
	return 0;
}

/* Take over the readings before that come before *c. */
static int push_before(struct sample_reader *r, const struct reading *c)
{
	size_t from = r->at;

	while (r->at < r->nprev && compare(&r->prev[r->at], c) < 0)
		r->at++;
	return push(r, r->prev + from, r->at - from);
}

/* One change: *c holds the difference. */
static int merge(struct sample_reader *r, struct reading *c, int gone)
{
	int err = push_before(r, c), known;

	if (err)
		return err;
	known = r->at < r->nprev && !compare(&r->prev[r->at], c);
	if (gone)
		return known ? r->at++, 0 : -EBADMSG;
	if (known)
		c->value += r->prev[r->at++].value;
	return push(r, c, 1);
}

static int read_value(struct wire_in *in, struct reading *c, int *gone)
{
	struct wire_item item;
	int err = wire_next(in, &item);

	if (err)
		return err;
	*gone = item.type == WIRE_NULL;
	c->value = item.type == WIRE_NEGATIVE ? -1 - item.n : item.n;
	if (*gone)
		return 0;
	return (item.type == WIRE_UINT || item.type == WIRE_NEGATIVE) &&
	       item.n <= INT64_MAX ? 0 : -EBADMSG;
}

/* The next change of a group; *c is the one before. */
static int read_change(struct wire_in *in, uint64_t shape, struct reading *c,
		       int *gone)
{
	uint64_t step = 0, sub = 0;
	int err = 0;

	if (shape > 0)
		err = wire_get_uint(in, &step, UINT32_MAX - c->key);
	if (!err && shape > 1)
		err = wire_get_uint(in, &sub, UINT32_MAX);
	c->key += step;
	c->sub = sub;
	return err ? err : read_value(in, c, gone);
}

/* *last is the change before, of another metric: order is strict. */
static int read_group(struct sample_reader *r, struct wire_in *in,
		      struct reading *last)
{
	struct reading c = { .metric = 0 }, before = *last;
	uint64_t metric, shape = 0;
	size_t n;
	int gone, err = wire_get_tuple(in, 2, &n);

	if (!err)
		err = wire_get_uint(in, &metric, METRIC_DYNAMIC_MAX - 1);
	if (!err)
		err = wire_get_uint(in, &shape, 2);
	if (err)
		return err;
	if (metric <= last->metric || n % (shape + 1))
		return -EBADMSG;
	c.metric = metric;
	for (n /= shape + 1; !err && n; n--) {
		err = read_change(in, shape, &c, &gone);
		if (!err && compare(&before, &c) >= 0)
			err = -EBADMSG;
		before = c;
		if (!err)
			err = merge(r, &c, gone);
	}
	last->metric = metric;
	return err;
}

static int read_readings(struct sample_reader *r, struct wire_in *in)
{
	struct reading last = { .metric = METRIC_NONE }, *swap;
	size_t groups, cap;
	int err = wire_get_array(in, &groups);

	r->at = r->nnext = 0;
	while (!err && groups--)
		err = read_group(r, in, &last);
	if (!err)
		err = push(r, r->prev + r->at, r->nprev - r->at);
	if (err)
		return err;
	swap = r->prev;
	cap = r->capprev;
	r->prev = r->next;
	r->capprev = r->capnext;
	r->nprev = r->nnext;
	r->next = swap;
	r->capnext = cap;
	return 0;
}

/* ---- the map ---- */

static int read_mono(struct sample_reader *r, struct wire_in *in)
{
	return wire_get_uint(in, &r->times.mono_ns, UINT64_MAX);
}

static int read_boot(struct sample_reader *r, struct wire_in *in)
{
	return wire_get_uint(in, &r->times.boot_ns, UINT64_MAX);
}

static int read_wall(struct sample_reader *r, struct wire_in *in)
{
	return wire_get_int(in, &r->times.wall_ns);
}

static int read_offset(struct sample_reader *r, struct wire_in *in)
{
	int64_t s;
	int err = wire_get_int(in, &s);

	if (!err && (s < -86400 || s > 86400))
		err = -EBADMSG;
	if (!err)
		r->times.utc_offset_s = s;
	return err;
}

static int read_metrics(struct sample_reader *r, struct wire_in *in)
{
	return metric_read(r->metric, in);
}

static int read_health(struct sample_reader *r, struct wire_in *in)
{
	return health_read(&r->health, r->metric, in);
}

static int read_cost(struct sample_reader *r, struct wire_in *in)
{
	return health_read_cost(&r->health, in);
}

static int read_names(struct sample_reader *r, struct wire_in *in)
{
	return name_read(r->names, r->limit, in);
}

static const struct part {
	const char *key;
	int (*read)(struct sample_reader *, struct wire_in *);
	int needed;
} parts[] = {
	{ "mono_ns", read_mono, 1 },
	{ "boot_ns", read_boot, 1 },
	{ "wall_ns", read_wall, 1 },
	{ "utc_offset_s", read_offset, 1 },
	{ "metrics", read_metrics, 0 },
	{ "health", read_health, 0 },
	{ "cost", read_cost, 0 },
	{ "names", read_names, 0 },
	{ "readings", read_readings, 1 },
};

enum { NPARTS = sizeof(parts) / sizeof(*parts) };

static const struct part *find_part(const char *key, size_t len)
{
	const struct part *p;

	for (p = parts; p < parts + NPARTS; p++)
		if (strlen(p->key) == len && !memcmp(p->key, key, len))
			return p;
	return NULL;
}

/* One pair; *seen has a bit for each part there was. */
static int read_pair(struct sample_reader *r, struct wire_in *in,
		     unsigned *seen)
{
	const struct part *p;
	const char *key;
	size_t len;
	int err = wire_get_text(in, &key, &len);

	if (err)
		return err;
	p = find_part(key, len);
	if (!p)
		return wire_skip(in);
	if (*seen & 1u << (p - parts))
		return -EBADMSG;
	*seen |= 1u << (p - parts);
	err = p->read(r, in);
	if (err)
		r->why = p->key;
	return err;
}

int sample_read_init(struct sample_reader *r)
{
	r->names = names_new();
	r->prev = array_reserve(NULL, 1, &r->capprev, sizeof(*r->prev));
	r->next = array_reserve(NULL, 1, &r->capnext, sizeof(*r->next));
	return r->names && r->prev && r->next ? 0 : -ENOMEM;
}

void sample_read_free(struct sample_reader *r)
{
	names_free(r->names);
	health_free(&r->health);
	free(r->prev);
	free(r->next);
	memset(r, 0, sizeof(*r));
}

void sample_read_begin(struct sample_reader *r)
{
	names_epoch(r->names);
	memset(r->metric, 0, sizeof(r->metric));
	r->nprev = 0;
	r->has_host = 0;
	r->health.n = r->health.ncost = 0;
	r->health.version = 0;
	r->why = NULL;
}

int sample_read(struct sample_reader *r, struct wire_in *in)
{
	unsigned seen = 0, i;
	size_t pairs;
	int err;

	r->why = "sample";
	err = wire_get_map(in, &pairs);
	while (!err && pairs--)
		err = read_pair(r, in, &seen);
	for (i = 0; !err && i < NPARTS; i++)
		if (parts[i].needed && !(seen & 1u << i)) {
			r->why = parts[i].key;
			err = -EBADMSG;
		}
	if (!err && in->at != in->len)
		err = -EBADMSG;
	return err == -EAGAIN ? -EBADMSG : err;
}

int sample_read_out(struct sample_reader *r, struct sample *s)
{
	const struct reading *v;
	int err = 0;
	size_t i;

	sample_reset(s);
	s->mono_ns = r->times.mono_ns;
	s->boot_ns = r->times.boot_ns;
	s->wall_ns = r->times.wall_ns;
	s->utc_offset_s = r->times.utc_offset_s;
	s->names = r->names;
	s->host = r->has_host ? &r->host : NULL;
	for (i = 0; !err && i < r->nprev; i++) {
		v = &r->prev[i];
		if (r->metric[v->metric])
			err = sample_add(s, r->metric[v->metric], v->key,
					 v->sub, v->value);
	}
	sample_seal(s);
	return err ? err : health_copy(s->health, &r->health);
}
