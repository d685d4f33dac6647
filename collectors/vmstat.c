// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does /proc/vmstat count?  Every key, by its exact name: names are never
 * summed or guessed from others, a key this kernel lacks has no reading.
 *
 * The keys and their order change with the kernel, not while it runs: line N is
 * first compared with what line N was the pass before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "collectors.h"
#include "parse.h"
#include "procfs.h"

enum { KEY_MAX = 56, LINES_MAX = 4096 };

struct known_line {
	uint16_t metric;
	uint8_t len;
	char key[KEY_MAX];
};

struct vmstat_cache {
	struct known_line *line;
	size_t n, cap;
};

struct vmstat {
	const struct env *env;
	struct procfs_file file;
	struct vmstat_cache cache;
};

/*
 * A key that begins with nr_ is a gauge, others count: but for these (enums
 * zone_stat_item, node_stat_item and vm_event_item of the kernel).
 */
static const struct {
	const char *key;
	enum metric_kind kind;
} exceptions[] = {
	{ "nr_dirtied", COUNTER },
	{ "nr_written", COUNTER },
	{ "nr_throttled_written", COUNTER },
	{ "nr_vmscan_write", COUNTER },
	{ "nr_vmscan_immediate_reclaim", COUNTER },
	{ "nr_foll_pin_acquired", COUNTER },
	{ "nr_foll_pin_released", COUNTER },
	{ "nr_tlb_remote_flush", COUNTER },
	{ "nr_tlb_remote_flush_received", COUNTER },
	{ "nr_tlb_local_flush_all", COUNTER },
	{ "nr_tlb_local_flush_one", COUNTER },
	{ "workingset_nodes", GAUGE },
};

static enum metric_kind key_kind(const char *key)
{
	size_t i;

	for (i = 0; i < sizeof(exceptions) / sizeof(exceptions[0]); i++)
		if (!strcmp(exceptions[i].key, key))
			return exceptions[i].kind;
	return strncmp(key, "nr_", 3) ? COUNTER : GAUGE;
}

static int is_key(const char *key, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!(key[i] >= 'a' && key[i] <= 'z') &&
		    !(key[i] >= 'A' && key[i] <= 'Z') &&
		    !(key[i] >= '0' && key[i] <= '9') && key[i] != '_')
			return 0;
	return len > 0 && len < KEY_MAX;
}

static uint16_t key_metric(const char *key, size_t len)
{
	char name[KEY_MAX + 3] = "vm.";

	memcpy(name + 3, key, len);
	name[3 + len] = '\0';
	return metric_dynamic(name, UNIT_COUNT, key_kind(name + 3));
}

/* Out of memory costs only the speed of the next pass. */
static void cache_put(struct vmstat_cache *c, size_t at, uint16_t metric,
		      const char *key, size_t len)
{
	struct known_line *line;
	size_t cap = c->cap ? c->cap * 2 : 256;

	if (at > c->n || at >= LINES_MAX)
		return;
	if (at >= c->cap) {
		line = realloc(c->line, cap * sizeof(*line));
		if (!line)
			return;
		c->line = line;
		c->cap = cap;
	}
	line = c->line + at;
	line->metric = metric;
	line->len = (uint8_t)len;
	memcpy(line->key, key, len);
	if (at == c->n)
		c->n++;
}

static uint16_t line_metric(struct vmstat_cache *c, size_t at, const char *key,
			    size_t len)
{
	const struct known_line *known = c && at < c->n ? c->line + at : NULL;
	uint16_t metric;

	if (known && known->len == len && !memcmp(known->key, key, len))
		return known->metric;
	if (!is_key(key, len))
		return METRIC_NONE;
	metric = key_metric(key, len);
	if (c)
		cache_put(c, at, metric, key, len);
	return metric;
}

static int parse_lines(const char *text, size_t len, struct vmstat_cache *c,
		       struct sample *s)
{
	const char *at = text, *end = text + len, *key;
	struct procfs_line l;
	uint16_t metric;
	uint64_t value;
	size_t line, n;
	int keys = 0;

	for (line = 0; procfs_next_line(&at, end, &l); line++) {
		n = procfs_take_word(&l, &key);
		if (!procfs_take_u64(&l, &value))
			continue;
		metric = line_metric(c, line, key, n);
		if (metric == METRIC_NONE)
			continue;
		if (sample_add(s, metric, 0, 0, value))
			return -ENOMEM;
		keys++;
	}
	return keys ? keys : -EINVAL;
}

int vmstat_parse(const char *text, size_t len, struct sample *s)
{
	return parse_lines(text, len, NULL, s);
}

static int vmstat_open(void **state, const struct env *env)
{
	struct vmstat *v = calloc(1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	v->env = env;
	v->file = (struct procfs_file) {
		.env = env, .collector = "vmstat", .part = "",
		.path = "vmstat",
	};
	*state = v;
	return 0;
}

static int has_metric(const struct sample *s, size_t from, uint16_t metric)
{
	size_t i;

	for (i = from; i < s->n; i++)
		if (s->v[i].metric == metric)
			return 1;
	return 0;
}

/* Each of the four is told, so that each finds its reason. */
static void report_tlb(struct health *h, const struct sample *s, size_t from)
{
	static const uint16_t tlb[] = {
		VM_NR_TLB_REMOTE_FLUSH, VM_NR_TLB_REMOTE_FLUSH_RECEIVED,
		VM_NR_TLB_LOCAL_FLUSH_ALL, VM_NR_TLB_LOCAL_FLUSH_ONE,
	};
	size_t i;

	for (i = 0; i < sizeof(tlb) / sizeof(tlb[0]); i++) {
		if (has_metric(s, from, tlb[i]))
			health_clear(h, "vmstat", "nr_tlb_*", tlb[i], -1);
		else
			health_set(h, "vmstat", "nr_tlb_*", tlb[i], -1,
				   HEALTH_ABSENT, 0, "the TLB row of "
				   "/proc/interrupts serves (x86)",
				   "kernel built without "
				   "CONFIG_DEBUG_TLBFLUSH");
	}
}

static int vmstat_collect(void *state, struct sample *s)
{
	struct vmstat *v = state;
	size_t from = s->n;
	ssize_t len;
	int keys;

	collector_stamp(v->env, "vmstat");
	len = procfs_read(&v->file);
	if (len < 0)
		return (int)len;
	keys = parse_lines(v->file.buf, (size_t)len, &v->cache, s);
	if (keys < 0) {
		procfs_report(&v->file, keys);
		return keys;
	}
	health_set(v->env->health, "vmstat", "", 0, -1, HEALTH_OK, 0, NULL,
		   "%d keys", keys);
	report_tlb(v->env->health, s, from);
	return 0;
}

static void vmstat_close(void *state)
{
	struct vmstat *v = state;

	if (!v)
		return;
	procfs_free(&v->file);
	free(v->cache.line);
	free(v);
}

const struct collector vmstat_collector = {
	.name = "vmstat",
	.needs = "/proc/vmstat",
	.open = vmstat_open,
	.collect = vmstat_collect,
	.close = vmstat_close,
};
