/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did a sample say about its collectors?  The format is in sample_write.c.
 */
#include <errno.h>
#include <string.h>
#include "array.h"
#include "sample_read.h"

enum { ITEMS_MAX = 65536, COSTS_MAX = 4096 };

/* Text into a field, cut to fit; the rest of the field is zero. */
static int get_field(struct wire_in *in, char *field, size_t room)
{
	const char *text;
	size_t len;
	int err = wire_get_text(in, &text, &len);

	if (err)
		return err;
	len = strnlen(text, len < room - 1 ? len : room - 1);
	memcpy(field, text, len);
	memset(field + len, 0, room - len);
	return 0;
}

static int get_i32(struct wire_in *in, int32_t *v)
{
	int64_t n;
	int err = wire_get_int(in, &n);

	if (!err && (n < INT32_MIN || n > INT32_MAX))
		err = -EBADMSG;
	if (!err)
		*v = n;
	return err;
}

static int read_words(struct wire_in *in, struct health_item *i)
{
	int err = get_field(in, i->part, sizeof(i->part));

	if (!err)
		err = get_field(in, i->why, sizeof(i->why));
	if (!err)
		err = get_field(in, i->remedy, sizeof(i->remedy));
	return err;
}

/* *metric is by the file's ids. */
static int read_item(struct wire_in *in, struct health_item *i,
		     uint64_t *metric)
{
	uint64_t level = 0;
	size_t more;
	int err = wire_get_tuple(in, 8, &more);

	if (!err)
		err = get_field(in, i->collector, sizeof(i->collector));
	if (!err)
		err = wire_get_uint(in, metric, METRIC_DYNAMIC_MAX - 1);
	if (!err)
		err = get_i32(in, &i->cpu);
	if (!err)
		err = get_i32(in, &i->err);
	if (!err)
		err = wire_get_uint(in, &level, UINT8_MAX);
	if (!err)
		err = read_words(in, i);
	if (!err)
		err = wire_end_tuple(in, more);
	i->level = level < HEALTH_NOTE ? level : HEALTH_NOTE;
	return err;
}

static int add_item(struct health *h, const uint16_t *map, struct wire_in *in)
{
	struct health_item *item;
	uint64_t metric;
	int err;

	item = array_reserve(h->item, h->n + 1, &h->cap, sizeof(*item));
	if (!item)
		return -ENOMEM;
	h->item = item;
	item += h->n;
	memset(item, 0, sizeof(*item));
	err = read_item(in, item, &metric);
	if (err)
		return err;
	item->metric = map[metric];
	if (!metric || item->metric)
		h->n++;
	return 0;
}

int health_read(struct health *h, const uint16_t *map, struct wire_in *in)
{
	uint64_t version;
	size_t items;
	int err = wire_get_tuple(in, 1, &items);

	if (!err && items > ITEMS_MAX)
		err = -EBADMSG;
	if (!err)
		err = wire_get_uint(in, &version, UINT32_MAX);
	if (err)
		return err;
	h->version = version;
	h->n = 0;
	while (!err && items--)
		err = add_item(h, map, in);
	return err;
}

/* A line as the difference to the one in its place before. */
static int read_cost(struct wire_in *in, struct health_cost *c)
{
	char collector[HEALTH_COLLECTOR];
	int64_t read_ns, cost_ns, lost;
	size_t more;
	int err = wire_get_tuple(in, 4, &more);

	if (!err)
		err = get_field(in, collector, sizeof(collector));
	if (!err)
		err = wire_get_int(in, &read_ns);
	if (!err)
		err = wire_get_int(in, &cost_ns);
	if (!err)
		err = wire_get_int(in, &lost);
	if (!err)
		err = wire_end_tuple(in, more);
	if (err)
		return err;
	if (strcmp(collector, c->collector))
		memset(c, 0, sizeof(*c));
	memcpy(c->collector, collector, sizeof(collector));
	c->read_ns += read_ns;
	c->cost_ns += cost_ns;
	c->lost += lost;
	return 0;
}

int health_read_cost(struct health *h, struct wire_in *in)
{
	struct health_cost *cost;
	size_t n, i;
	int err = wire_get_array(in, &n);

	if (!err && n > COSTS_MAX)
		err = -EBADMSG;
	if (err)
		return err;
	cost = array_reserve(h->cost, n, &h->capcost, sizeof(*cost));
	if (!cost)
		return -ENOMEM;
	h->cost = cost;
	for (i = 0; !err && i < n; i++) {
		if (i >= h->ncost)
			memset(&cost[i], 0, sizeof(*cost));
		err = read_cost(in, &cost[i]);
	}
	h->ncost = n;
	return err;
}
