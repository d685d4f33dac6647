// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What changed between two samples?
 *
 * Pure: no clock, no file, no allocation.  A rate is a difference over the
 * time between the two reads of the collector that made it, so a slow pass
 * never shows more than 100 %.
 *
 * Keys come and go.  A key that is new began at 0 if its collector was reading
 * at the older sample (and, for a task, if it was born since); otherwise what
 * it had before is unknown and there is no difference.  A key that ended has
 * moved its value to key 0 (a pair: to (key, 0) while the key lives), which
 * would show all its past as if it were new: so that is taken off again.  A
 * pair that fell was let go and came back: it began anew.
 */
#include "model.h"

#include <math.h>
#include <string.h>

#include "series.h"

static const struct {
	const char *prefix, *collector;
} collector_of[] = {
	{ "vm.", "vmstat" },	   { "stat.", "stat" },
	{ "load.", "loadavg" },	   { "schedstat.", "schedstat" },
	{ "irq.", "interrupts" },  { "psi.", "pressure" },
	{ "task.", "tasks" },	   { "rq.", "tasks" },
	{ "perf.", "counters" },   { "sched.", "sched" },
	{ "self.", "self" },	   { "tlb.", "tlb" },
	{ "pipe.", "sched" },	   { "pipe_bytes.", "pipes" },
};

static const struct metric_info unknown_info = {
	"", UNIT_COUNT, GAUGE, SCOPE_NONE, SCOPE_NONE, "",
};

static const struct metric_info *info_of(uint16_t metric)
{
	const struct metric_info *info = metric_info(metric);

	return info ? info : &unknown_info;
}

/* A fall is a reset; 32-bit counters wrap, but never by half their range
 * between two samples (the CAL row of kernels 3.7 to 4.2 goes backwards). */
static struct delta delta_between(const struct metric_info *info, uint64_t old,
				  uint64_t now, uint64_t span_ns)
{
	struct delta d = { DELTA_OK, now, now - old, span_ns };

	if (info->kind == GAUGE) {
		d.diff = 0;
		return d;
	}
	if (!span_ns) {
		d.state = DELTA_FIRST;
	} else if (info->kind == COUNTER_FLOOR) {
		d.diff = now < old ? 0 : now - old;
	} else if (info->kind == COUNTER32 && old <= UINT32_MAX &&
		   now <= UINT32_MAX) {
		d.diff = (uint32_t)(now - old);
		if (d.diff > INT32_MAX)
			d.state = DELTA_RESET;
	} else if (now < old) {
		d.state = DELTA_RESET;
	}
	return d;
}

static bool born_since(const struct model *m, uint32_t task)
{
	const struct name *name = names_get(m->newer->names, task);
	uint64_t tck = m->newer->host ? m->newer->host->clk_tck : 0;
	uint64_t older_ticks;

	if (!name || name->kind != NAME_TASK || !tck)
		return false;
	older_ticks = m->older->boot_ns / (1000000000ull / tck);
	return name->task.start + 1 >= older_ticks;
}

static struct delta delta_new_key(const struct model_iter *it,
				  const struct reading *r)
{
	struct delta d = { DELTA_FIRST, r->value, 0, it->span_ns };

	if (it->info->kind == GAUGE)
		d.state = DELTA_OK;
	else if (!it->from_zero || !it->span_ns)
		return d;
	else if (it->info->scope == SCOPE_STACK ||
		 (!r->key && it->info->scope != SCOPE_CPU) ||
		 (it->info->scope == SCOPE_TASK && born_since(it->m, r->key)))
		d = delta_between(it->info, 0, r->value, it->span_ns);
	return d;
}

static int compare(const struct reading *a, const struct reading *b)
{
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->sub == b->sub ? 0 : a->sub < b->sub ? -1 : 1;
}

static const struct reading *skip_key(const struct reading *r,
				      const struct reading *end, uint32_t key)
{
	while (r < end && r->key == key)
		r++;
	return r;
}

/* What keys had that older has and newer has not: it is in key 0 now. */
static uint64_t sum_gone_keys(const struct model_iter *it)
{
	const struct reading *now = it->now, *old = it->old;
	uint64_t gone = 0;

	while (old < it->oldend) {
		uint32_t key = old->key;

		while (now < it->end && now->key < key)
			now = skip_key(now, it->end, now->key);
		if (key && (now == it->end || now->key != key))
			for (; old < it->oldend && old->key == key; old++)
				gone += old->value;
		else
			old = skip_key(old, it->oldend, key);
	}
	return gone;
}

static bool came_back(const struct metric_info *info,
		      const struct reading *old, const struct reading *now)
{
	return info->kind == COUNTER && now->sub && scope_is_name(info->sub) &&
	       now->value < old->value;
}

static struct delta delta_known_key(const struct model_iter *it,
				    const struct reading *old,
				    const struct reading *now)
{
	uint64_t was = came_back(it->info, old, now) ? 0 : old->value;

	return delta_between(it->info, was, now->value, it->span_ns);
}

/* The same for the subs of one key that lives on: they are in (key, 0). */
static uint64_t sum_gone_subs(const struct model_iter *it, uint32_t key)
{
	const struct reading *now = it->now, *old = it->old;
	uint64_t gone = 0;

	for (; old < it->oldend && old->key == key; old++) {
		while (now < it->end && compare(now, old) < 0)
			now++;
		if (old->sub && (now == it->end || compare(now, old) ||
				 came_back(it->info, old, now)))
			gone += old->value;
	}
	return gone;
}

static uint64_t gone_into(const struct model_iter *it, const struct reading *r)
{
	uint64_t gone = 0;

	if (it->info->kind == GAUGE || r->sub)
		return 0;
	if (scope_is_name(it->info->sub))
		gone += sum_gone_subs(it, r->key);
	if (scope_is_name(it->info->scope) && !r->key)
		gone += it->gone;
	return gone;
}

static struct delta take_gone(struct delta d, uint64_t gone)
{
	if (d.state == DELTA_OK && gone)
		d.diff = d.diff > gone ? d.diff - gone : 0;
	return d;
}

double delta_rate(struct delta d)
{
	if (d.state != DELTA_OK || !d.span_ns)
		return NAN;
	return (double)d.diff * 1e9 / (double)d.span_ns;
}

const char *metric_collector(uint16_t metric)
{
	const char *name = info_of(metric)->name;

	for (size_t i = 0; i < sizeof(collector_of) / sizeof(*collector_of); i++)
		if (!strncmp(name, collector_of[i].prefix,
			     strlen(collector_of[i].prefix)))
			return collector_of[i].collector;
	return "";
}

uint64_t model_read_ns(const struct sample *s, const char *collector)
{
	const struct health *h = s->health;

	for (size_t i = 0; h && i < h->ncost; i++)
		if (!strcmp(h->cost[i].collector, collector))
			return h->cost[i].read_ns;
	return 0;
}

/* No read time at all (a test's literal sample, an old file): the sample's
 * own time serves.  The same read twice gives 0: nothing new is known. */
uint64_t model_span(const struct model *m, const char *collector)
{
	uint64_t now, old;

	if (!m->older || !m->newer)
		return 0;
	now = model_read_ns(m->newer, collector);
	old = model_read_ns(m->older, collector);
	if (!now || !old)
		return m->span_ns;
	return now > old ? now - old : 0;
}

void model_update(struct model *m, const struct sample *older,
		  const struct sample *newer, const struct series *series)
{
	if (older && newer && older->mono_ns >= newer->mono_ns)
		older = NULL;
	m->older = older;
	m->newer = newer;
	m->series = series;
	m->span_ns = older && newer ? newer->mono_ns - older->mono_ns : 0;
}

/* What all rows of a metric share; no pass over its readings. */
static void begin(const struct model *m, uint16_t metric,
		  struct model_iter *it)
{
	const char *collector = metric_collector(metric);
	size_t n = 0;

	memset(it, 0, sizeof(*it));
	it->m = m;
	it->info = info_of(metric);
	if (!m->newer)
		return;
	it->now = sample_range(m->newer, metric, &n);
	it->end = it->now ? it->now + n : NULL;
	if (!m->older)
		return;
	it->span_ns = model_span(m, collector);
	it->old = sample_range(m->older, metric, &n);
	it->oldend = it->old ? it->old + n : NULL;
	it->from_zero = it->old || model_read_ns(m->older, collector);
}

double model_depth_max(const struct model *m, int cpu)
{
	if (!m->series || !m->older)
		return NAN;
	return series_peak(m->series, cpu, m->older->mono_ns);
}

void model_iterate(const struct model *m, uint16_t metric,
		   struct model_iter *it)
{
	begin(m, metric, it);
	if (it->old && scope_is_name(it->info->scope))
		it->gone = sum_gone_keys(it);
}

bool model_next(struct model_iter *it, struct model_row *row)
{
	const struct reading *r = it->now;
	uint64_t gone;

	if (r == it->end)
		return false;
	while (it->old < it->oldend && compare(it->old, r) < 0)
		it->old++;
	gone = gone_into(it, r);
	row->key = r->key;
	row->sub = r->sub;
	if (it->old < it->oldend && !compare(it->old, r))
		row->d = delta_known_key(it, it->old, r);
	else
		row->d = delta_new_key(it, r);
	row->d = take_gone(row->d, gone);
	it->now++;
	return true;
}

/* Key and sub 0 of named scopes hold what ended: only an iteration knows. */
static struct delta delta_ended(const struct model *m, uint16_t metric,
				uint32_t key)
{
	struct delta absent = { .state = DELTA_ABSENT };
	struct model_iter it;
	struct model_row row;

	model_iterate(m, metric, &it);
	while (model_next(&it, &row))
		if (row.key == key && !row.sub)
			return row.d;
	return absent;
}

struct delta model_delta(const struct model *m, uint16_t metric, uint32_t key,
			 uint32_t sub)
{
	struct delta absent = { .state = DELTA_ABSENT };
	const struct reading *now, *old = NULL;
	struct model_iter it;

	now = m->newer ? sample_find(m->newer, metric, key, sub) : NULL;
	if (!now)
		return absent;
	begin(m, metric, &it);
	if ((!key && scope_is_name(it.info->scope)) ||
	    (!sub && scope_is_name(it.info->sub)))
		return delta_ended(m, metric, key);
	if (m->older)
		old = sample_find(m->older, metric, key, sub);
	return old ? delta_known_key(&it, old, now) : delta_new_key(&it, now);
}

static void add_to(struct delta *sum, const struct delta *d)
{
	if (d->state == DELTA_FIRST && sum->state == DELTA_ABSENT)
		sum->state = DELTA_FIRST;
	if (d->state == DELTA_RESET)
		sum->state = DELTA_RESET;
	sum->value += d->value;
	if (d->state != DELTA_OK)
		return;
	if (sum->state != DELTA_RESET)
		sum->state = DELTA_OK;
	sum->diff += d->diff;
	sum->span_ns = d->span_ns;
}

static struct delta sum_where(const struct model *m, uint16_t metric,
			      bool one_key, uint32_t key)
{
	struct delta sum = { .state = DELTA_ABSENT };
	struct model_iter it;
	struct model_row row;

	model_iterate(m, metric, &it);
	while (model_next(&it, &row))
		if (!one_key || row.key == key)
			add_to(&sum, &row.d);
	return sum;
}

struct delta model_sum(const struct model *m, uint16_t metric)
{
	return sum_where(m, metric, false, 0);
}

struct delta model_sum_key(const struct model *m, uint16_t metric, uint32_t key)
{
	return sum_where(m, metric, true, key);
}

const char *model_why(const struct model *m, uint16_t metric, int cpu)
{
	const struct health_item *item = NULL;

	if (m->newer && m->newer->health)
		item = health_why(m->newer->health, metric_collector(metric),
				  metric, cpu);
	if (item && item->why[0])
		return item->why;
	return m->older ? "not available" : "not read yet";
}
