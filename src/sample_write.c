/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a sample is new?
 *
 * A map with these keys, in this order:
 *
 *   mono_ns, boot_ns, wall_ns, utc_offset_s
 *   metrics   those that stand for the first time in the block (if any)
 *   health    [version, [collector, metric, cpu, errno, level, part, why,
 *             remedy]...], whole, when the version changed
 *   cost      [collector, read_ns, cost_ns, lost]... as differences to the
 *             line in the same place before, if of the same collector
 *   names     new in the block or changed, as name_write.c says (if any)
 *   readings  [metric, shape, ...] each: the differences to the readings
 *             before, unchanged ones left out, null for one that vanished.
 *             Shape 0 is [difference], 1 is [key, difference]..., 2 is [key,
 *             sub, difference]...; keys are differences to the key before.
 *
 * Names are looked up only for readings that were not there before: an idle
 * sample costs a comparison per reading. The order of everything follows from
 * the readings: a sample decoded and written again gives the same bytes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "sample_write.h"

/* ---- metrics ---- */

static void metric_use(struct sample_writer *w, uint16_t id)
{
	if (id >= METRIC_DYNAMIC_MAX || w->known[id] || !metric_info(id))
		return;
	w->known[id] = 1;
	w->defined[w->ndefined++] = id;
}

/* Are there metrics in *s that do not stand in the block? */
static int new_metrics(struct sample_writer *w, const struct sample *s)
{
	size_t i;

	w->ndefined = 0;
	for (i = 0; i < s->n; i++)
		if (!i || s->v[i].metric != s->v[i - 1].metric)
			metric_use(w, s->v[i].metric);
	for (i = 0; s->health && i < s->health->n; i++)
		metric_use(w, s->health->item[i].metric);
	return w->ndefined > 0;
}

static void write_metrics(const struct sample_writer *w, struct wire_out *o)
{
	const struct metric_info *m;
	size_t i;

	wire_array(o, w->ndefined);
	for (i = 0; i < w->ndefined; i++) {
		m = metric_info(w->defined[i]);
		wire_array(o, 6);
		wire_uint(o, w->defined[i]);
		wire_str(o, m->name);
		wire_str(o, unit_name(m->unit));
		wire_str(o, kind_name(m->kind));
		wire_str(o, scope_name(m->scope));
		wire_str(o, scope_name(m->sub));
	}
}

/* ---- health ---- */

static void write_health(const struct health *h, struct wire_out *o)
{
	const struct health_item *i;
	size_t k;

	wire_str(o, "health");
	wire_array(o, h->n + 1);
	wire_uint(o, h->version);
	for (k = 0; k < h->n; k++) {
		i = &h->item[k];
		wire_array(o, 8);
		wire_str(o, i->collector);
		wire_uint(o, i->metric);
		wire_int(o, i->cpu);
		wire_int(o, i->err);
		wire_uint(o, i->level);
		wire_str(o, i->part);
		wire_str(o, i->why);
		wire_str(o, i->remedy);
	}
}

static void write_cost(struct sample_writer *w, const struct health *h,
		       struct wire_out *o)
{
	static const struct health_cost zero;
	const struct health_cost *now, *before;
	struct health_cost *kept;
	size_t i;

	wire_str(o, "cost");
	wire_array(o, h->ncost);
	for (i = 0; i < h->ncost; i++) {
		now = &h->cost[i];
		before = i < w->ncost ? &w->cost[i] : &zero;
		if (strcmp(now->collector, before->collector))
			before = &zero;
		wire_array(o, 4);
		wire_str(o, now->collector);
		wire_int(o, now->read_ns - before->read_ns);
		wire_int(o, now->cost_ns - before->cost_ns);
		wire_int(o, now->lost - before->lost);
	}
	w->ncost = 0;
	if (!h->ncost)
		return;
	kept = array_reserve(w->cost, h->ncost, &w->capcost, sizeof(*kept));
	if (!kept) {
		w->err = -ENOMEM;
		return;
	}
	memcpy(kept, h->cost, h->ncost * sizeof(*kept));
	w->cost = kept;
	w->ncost = h->ncost;
}

/* ---- readings ---- */

static int compare(const struct reading *a, const struct reading *b)
{
	uint64_t ka = (uint64_t)a->key << 32 | a->sub;
	uint64_t kb = (uint64_t)b->key << 32 | b->sub;

	if (a->metric != b->metric)
		return a->metric < b->metric ? -1 : 1;
	return ka < kb ? -1 : ka > kb;
}

/* The names that a reading brings in. */
static void use_names(struct sample_writer *w, const struct reading *r,
		      int is_new)
{
	const struct metric_info *m = metric_info(r->metric);

	if (!m)
		return;
	if (is_new && scope_is_name(m->scope))
		name_write_use(&w->names, r->key);
	if (is_new && scope_is_name(m->sub))
		name_write_use(&w->names, r->sub);
	if (m->unit == UNIT_NAME && r->value <= UINT32_MAX)
		name_write_use(&w->names, r->value);
}

static void change_add(struct sample_writer *w, const struct reading *r,
		       uint64_t by, int gone)
{
	struct change *c = &w->change[w->nchange++];

	c->metric = r->metric;
	c->key = r->key;
	c->sub = r->sub;
	c->by = by;
	c->gone = gone;
}

/* Both lists are in order: one pass finds what came, changed or went. */
static void find_changes(struct sample_writer *w, const struct sample *s)
{
	const struct reading *old = w->prev, *old_end = old + w->nprev;
	const struct reading *now = s->n ? s->v : old_end;
	const struct reading *now_end = now + s->n;
	int order;

	w->nchange = 0;
	while (old < old_end || now < now_end) {
		order = old == old_end ? 1 : now == now_end ? -1 :
			compare(old, now);
		if (order < 0) {
			change_add(w, old++, 0, 1);
			continue;
		}
		if (order > 0) {
			use_names(w, now, 1);
			change_add(w, now, now->value, 0);
		} else if (now->value != old->value) {
			use_names(w, now, 0);
			change_add(w, now, now->value - old->value, 0);
		}
		old += !order;
		now++;
	}
}

static size_t group_end(const struct sample_writer *w, size_t from)
{
	size_t i = from;

	while (i < w->nchange && w->change[i].metric == w->change[from].metric)
		i++;
	return i;
}

static int group_shape(const struct change *c, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (c[i].sub)
			return 2;
	return n > 1 || c->key;
}

static void write_group(const struct change *c, size_t n, struct wire_out *o)
{
	int shape = group_shape(c, n);
	uint32_t key = 0;
	size_t i;

	wire_array(o, 2 + n * (shape + 1));
	wire_uint(o, c->metric);
	wire_uint(o, shape);
	for (i = 0; i < n; i++, c++) {
		if (shape > 0)
			wire_uint(o, c->key - key);
		if (shape > 1)
			wire_uint(o, c->sub);
		if (c->gone)
			wire_null(o);
		else
			wire_int(o, c->by);
		key = c->key;
	}
}

static void write_readings(const struct sample_writer *w, struct wire_out *o)
{
	size_t from, end, groups = 0;

	for (from = 0; from < w->nchange; from = group_end(w, from))
		groups++;
	wire_str(o, "readings");
	wire_array(o, groups);
	for (from = 0; from < w->nchange; from = end) {
		end = group_end(w, from);
		write_group(&w->change[from], end - from, o);
	}
}

/* Room for every change there can be, and for the readings themselves. */
static int reserve(struct sample_writer *w, const struct sample *s)
{
	struct change *change;
	struct reading *prev;

	change = array_reserve(w->change, w->nprev + s->n, &w->capchange,
			       sizeof(*change));
	if (change)
		w->change = change;
	prev = array_reserve(w->prev, s->n, &w->capprev, sizeof(*prev));
	if (prev)
		w->prev = prev;
	return change && prev ? 0 : -ENOMEM;
}

static void write_times(const struct sample *s, struct wire_out *o)
{
	wire_str(o, "mono_ns");
	wire_uint(o, s->mono_ns);
	wire_str(o, "boot_ns");
	wire_uint(o, s->boot_ns);
	wire_str(o, "wall_ns");
	wire_int(o, s->wall_ns);
	wire_str(o, "utc_offset_s");
	wire_int(o, s->utc_offset_s);
}

void sample_write_metrics(struct sample_writer *w, const struct sample *s,
			  struct wire_out *o)
{
	new_metrics(w, s);
	write_metrics(w, o);
}

void sample_write_begin(struct sample_writer *w, const struct names *names)
{
	name_write_begin(&w->names, names);
	memset(w->known, 0, sizeof(w->known));
	w->nprev = w->ncost = 0;
	w->begun = 0;
	w->err = 0;
}

int sample_write(struct sample_writer *w, const struct sample *s,
		 struct wire_out *o)
{
	static const struct health none;
	const struct health *h = s->health ? s->health : &none;
	int said = w->begun && h->version == w->health_version;
	int metrics;

	if (reserve(w, s))
		return -ENOMEM;
	name_write_next(&w->names);
	find_changes(w, s);
	metrics = new_metrics(w, s);
	wire_map(o, 6 + metrics + !said + (w->names.nfresh > 0));
	write_times(s, o);
	if (metrics) {
		wire_str(o, "metrics");
		write_metrics(w, o);
	}
	if (!said)
		write_health(h, o);
	write_cost(w, h, o);
	if (w->names.nfresh) {
		wire_str(o, "names");
		name_write(&w->names, o);
	}
	write_readings(w, o);
	if (s->n)
		memcpy(w->prev, s->v, s->n * sizeof(*s->v));
	w->nprev = s->n;
	w->health_version = h->version;
	w->begun = 1;
	return w->err ? w->err : w->names.err ? w->names.err : o->err;
}

void sample_write_free(struct sample_writer *w)
{
	name_write_free(&w->names);
	free(w->prev);
	free(w->change);
	free(w->cost);
	memset(w, 0, sizeof(*w));
}
