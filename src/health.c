/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What could not be read, why, and what did reading cost?
 *
 * Two short arrays, searched from the front: a box has tens of items. Setting
 * what is already so changes nothing, so that a version says whether a reader
 * has to look again.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "health.h"

/* Cut to fit; what is behind the text is zero, so that items compare whole. */
static void text_set(char *to, size_t room, const char *text)
{
	size_t len = strnlen(text, room - 1);

	memcpy(to, text, len);
	memset(to + len, 0, room - len);
}

static int item_is(const struct health_item *i, const char *collector,
		   const char *part, uint16_t metric, int cpu)
{
	return i->metric == metric && i->cpu == cpu &&
	       !strncmp(i->collector, collector, HEALTH_COLLECTOR - 1) &&
	       !strncmp(i->part, part, HEALTH_PART - 1);
}

static struct health_item *item_find(struct health *h, const char *collector,
				     const char *part, uint16_t metric, int cpu)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		if (item_is(&h->item[i], collector, part, metric, cpu))
			return &h->item[i];
	return NULL;
}

static struct health_item *item_new(struct health *h)
{
	struct health_item *item;

	item = array_reserve(h->item, h->n + 1, &h->cap, sizeof(*item));
	if (!item)
		return NULL;
	h->item = item;
	return &h->item[h->n++];
}

void health_set(struct health *h, const char *collector, const char *part,
		uint16_t metric, int cpu, enum health_level level, int err,
		const char *remedy, const char *why_fmt, ...)
{
	struct health_item *old, said;
	char why[HEALTH_WHY];
	va_list ap;

	memset(&said, 0, sizeof(said));
	va_start(ap, why_fmt);
	vsnprintf(why, sizeof(why), why_fmt, ap);
	va_end(ap);
	text_set(said.why, sizeof(said.why), why);
	text_set(said.remedy, sizeof(said.remedy), remedy ? remedy : "");
	text_set(said.collector, sizeof(said.collector), collector);
	text_set(said.part, sizeof(said.part), part ? part : "");
	said.metric = metric;
	said.cpu = cpu;
	said.err = err < 0 ? -err : err;
	said.level = level;
	old = item_find(h, collector, part ? part : "", metric, cpu);
	if (old && !memcmp(old, &said, sizeof(said)))
		return;
	if (!old)
		old = item_new(h);
	if (!old)
		return;
	memcpy(old, &said, sizeof(said));
	h->version++;
}

void health_clear(struct health *h, const char *collector, const char *part,
		  uint16_t metric, int cpu)
{
	struct health_item *i = item_find(h, collector, part ? part : "",
					  metric, cpu);
	size_t after;

	if (!i)
		return;
	after = h->item + h->n - (i + 1);
	memmove(i, i + 1, after * sizeof(*i));
	h->n--;
	h->version++;
}

struct health_cost *health_cost(struct health *h, const char *collector)
{
	struct health_cost *c;
	size_t i;

	for (i = 0; i < h->ncost; i++)
		if (!strncmp(h->cost[i].collector, collector,
			     HEALTH_COLLECTOR - 1))
			return &h->cost[i];
	c = array_reserve(h->cost, h->ncost + 1, &h->capcost, sizeof(*c));
	if (!c)
		return NULL;
	h->cost = c;
	c = &h->cost[h->ncost++];
	memset(c, 0, sizeof(*c));
	text_set(c->collector, sizeof(c->collector), collector);
	return c;
}

/*
 * How exactly does the item speak of (metric, cpu)?  0 = not of it. A part that
 * names neither metric nor CPU explains no single number.
 */
static int item_fit(const struct health_item *i, uint16_t metric, int cpu)
{
	if (i->part[0] && !i->metric && i->cpu == -1 && metric)
		return 0;
	if (i->metric && i->metric != metric)
		return 0;
	if (i->cpu != -1 && i->cpu != cpu)
		return 0;
	return 1 + !i->part[0] + (i->cpu != -1) * 2 + (i->metric != 0) * 4;
}

const struct health_item *health_why(const struct health *h,
				     const char *collector, uint16_t metric,
				     int cpu)
{
	const struct health_item *best = NULL, *i;
	int fit, best_fit = 0;
	size_t k;

	for (k = 0; k < h->n; k++) {
		i = &h->item[k];
		if (i->level != HEALTH_PARTLY && i->level != HEALTH_ABSENT)
			continue;
		if (strncmp(i->collector, collector, HEALTH_COLLECTOR - 1))
			continue;
		fit = item_fit(i, metric, cpu);
		if (fit > best_fit) {
			best_fit = fit;
			best = i;
		}
	}
	return best;
}

int health_copy(struct health *to, const struct health *from)
{
	struct health_item *item = to->item;
	struct health_cost *cost = to->cost;

	if (from->n) {
		item = array_reserve(item, from->n, &to->cap, sizeof(*item));
		if (!item)
			return -ENOMEM;
		to->item = item;
		memcpy(item, from->item, from->n * sizeof(*item));
	}
	if (from->ncost) {
		cost = array_reserve(cost, from->ncost, &to->capcost,
				     sizeof(*cost));
		if (!cost)
			return -ENOMEM;
		to->cost = cost;
		memcpy(cost, from->cost, from->ncost * sizeof(*cost));
	}
	to->n = from->n;
	to->ncost = from->ncost;
	to->version = from->version;
	return 0;
}

void health_free(struct health *h)
{
	free(h->item);
	free(h->cost);
	memset(h, 0, sizeof(*h));
}
