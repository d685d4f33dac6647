/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which numbers exist?
 *
 * The table is metric.def; beside it stands a registry of dynamic metrics that
 * only grows, to 4,096 at most, so entries never move and lookups by id are an
 * index. Names are found through one hash table, filled at its first use.
 */
#include <stdlib.h>
#include <string.h>
#include "hash.h"
#include "metric.h"

enum { DYNAMIC_MAX = METRIC_DYNAMIC_MAX - METRIC_DYNAMIC };

#define M(sym, id, unit, kind, scope, sub, help)			\
	[sym] = { id, unit, kind, scope, sub, help },
static const struct metric_info fixed[METRIC_FIXED] = {
#include "metric.def"
};
#undef M

struct dynamic {
	struct metric_info info;
	char name[];
};

static struct dynamic *dynamic[DYNAMIC_MAX];
static uint16_t ndynamic;

/* What the hash table points to: one number for each metric. */
static uint16_t fixed_id[METRIC_FIXED], dynamic_id[DYNAMIC_MAX];

static uint32_t name_hash(const char *name)
{
	return hash_bytes(0, name, strlen(name));
}

static uint32_t id_hash(const void *entry)
{
	return name_hash(metric_info(*(const uint16_t *)entry)->name);
}

static struct hash by_name = { .of = id_hash };

static int by_name_fill(void)
{
	uint16_t i;

	if (by_name.count)
		return 0;
	for (i = METRIC_NONE + 1; i < METRIC_FIXED; i++) {
		if (hash_reserve(&by_name))
			return -1;
		fixed_id[i] = i;
		hash_put(&by_name, &fixed_id[i]);
	}
	return 0;
}

/* Without memory for the hash table the metrics are there all the same. */
static uint16_t find_slowly(const char *name)
{
	uint16_t id;

	for (id = METRIC_NONE + 1; id < METRIC_FIXED; id++)
		if (!strcmp(fixed[id].name, name))
			return id;
	for (id = 0; id < ndynamic; id++)
		if (!strcmp(dynamic[id]->name, name))
			return METRIC_DYNAMIC + id;
	return METRIC_NONE;
}

static struct dynamic *dynamic_new(const char *name, enum metric_unit unit,
				   enum metric_kind kind)
{
	size_t len = strlen(name);
	struct dynamic *d = calloc(1, sizeof(*d) + len + 1);

	if (!d)
		return NULL;
	memcpy(d->name, name, len);
	d->info.name = d->name;
	d->info.unit = unit;
	d->info.kind = kind;
	d->info.help = "as the kernel names it";
	return d;
}

const struct metric_info *metric_info(uint16_t id)
{
	if (id > METRIC_NONE && id < METRIC_FIXED)
		return &fixed[id];
	if (id >= METRIC_DYNAMIC && id < METRIC_DYNAMIC + ndynamic)
		return &dynamic[id - METRIC_DYNAMIC]->info;
	return NULL;
}

uint16_t metric_find(const char *name)
{
	uint32_t hash = name_hash(name);
	size_t at = hash;
	const uint16_t *id;

	if (by_name_fill())
		return find_slowly(name);
	while ((id = hash_next(&by_name, hash, &at)))
		if (!strcmp(metric_info(*id)->name, name))
			return *id;
	return METRIC_NONE;
}

uint16_t metric_dynamic(const char *name, enum metric_unit unit,
			enum metric_kind kind)
{
	uint16_t id = metric_find(name);
	struct dynamic *d;

	if (id != METRIC_NONE)
		return id;
	if (ndynamic == DYNAMIC_MAX || hash_reserve(&by_name))
		return METRIC_NONE;
	d = dynamic_new(name, unit, kind);
	if (!d)
		return METRIC_NONE;
	id = METRIC_DYNAMIC + ndynamic;
	dynamic[ndynamic] = d;
	dynamic_id[ndynamic] = id;
	hash_put(&by_name, &dynamic_id[ndynamic++]);
	return id;
}

uint16_t metric_end(void)
{
	return METRIC_DYNAMIC + ndynamic;
}

int scope_is_name(enum metric_scope scope)
{
	return scope == SCOPE_TASK || scope == SCOPE_STACK ||
	       scope == SCOPE_TEXT || scope == SCOPE_SYMBOL;
}

const char *unit_name(enum metric_unit unit)
{
	static const char *const name[] = {
		[UNIT_COUNT] = "count", [UNIT_NS] = "ns", [UNIT_US] = "us",
		[UNIT_TICKS] = "ticks", [UNIT_BYTES] = "bytes",
		[UNIT_PAGES] = "pages", [UNIT_LETTER] = "letter",
		[UNIT_NAME] = "name", [UNIT_CENTI] = "centi",
	};

	return (size_t)unit < sizeof(name) / sizeof(*name) ? name[unit] : "?";
}

const char *kind_name(enum metric_kind kind)
{
	static const char *const name[] = {
		[COUNTER] = "counter", [COUNTER32] = "counter32",
		[COUNTER_FLOOR] = "counter_floor", [GAUGE] = "gauge",
	};

	return (size_t)kind < sizeof(name) / sizeof(*name) ? name[kind] : "?";
}

const char *scope_name(enum metric_scope scope)
{
	static const char *const name[] = {
		[SCOPE_NONE] = "none", [SCOPE_CPU] = "cpu",
		[SCOPE_TASK] = "task", [SCOPE_STACK] = "stack",
		[SCOPE_TEXT] = "text", [SCOPE_SYMBOL] = "symbol",
		[SCOPE_NUMBER] = "number",
	};

	return (size_t)scope < sizeof(name) / sizeof(*name) ? name[scope] : "?";
}
