/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What works here, what does not, why, and what is the remedy?
 *
 * Nothing is probed for its own sake: the collectors are opened and read twice
 * as they would be, and what they said of themselves is printed.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include "doctor.h"

enum { NAME_AT = 10, WORDS_AT = 34, WIDTH = 80 };

static const char *const level_word[] = {
	[HEALTH_OK] = "ok", [HEALTH_PARTLY] = "partly",
	[HEALTH_ABSENT] = "absent", [HEALTH_NOTE] = "note",
};

/* ---- printing --------------------------------------------------------- */

/* Words from column WORDS_AT on, broken at blanks. */
static void words_print(FILE *f, const char *text)
{
	size_t room = WIDTH - WORDS_AT, len = strlen(text), cut;

	while (len > room) {
		for (cut = room; cut && text[cut] != ' '; cut--)
			;
		if (!cut)
			cut = room;
		fprintf(f, "%.*s\n%*s", (int)cut, text, WORDS_AT, "");
		text += cut + (text[cut] == ' ');
		len = strlen(text);
	}
	fprintf(f, "%s\n", text);
}

/* A remedy is never broken: it is there to be copied. */
static void line_print(FILE *f, enum health_level level, const char *name,
		       const char *why, const char *remedy)
{
	fprintf(f, "%-*s%-*s ", NAME_AT, level_word[level],
		WORDS_AT - NAME_AT - 1, name);
	words_print(f, why);
	if (*remedy)
		fprintf(f, "%*sremedy: %s\n", NAME_AT, "", remedy);
}

/* The collector and its part, or the metric, and the CPU it is about. */
static void item_name(const struct health_item *i, char *buf, size_t n)
{
	const struct metric_info *m = i->metric ? metric_info(i->metric) : NULL;
	int box = !strcmp(i->collector, "box"), at;

	if (m && !*i->part)
		at = snprintf(buf, n, "%s", m->name);
	else
		at = snprintf(buf, n, "%s%s%s", box ? "" : i->collector,
			      box || !*i->part ? "" : " ", i->part);
	if (i->cpu >= 0 && at >= 0 && (size_t)at < n)
		snprintf(buf + at, n - at, " cpu%d", i->cpu);
}

/* The reason without the part's name before it. */
static const char *item_why(const struct health_item *i)
{
	size_t len = strlen(i->part);

	if (len && !strncmp(i->why, i->part, len) && i->why[len] == ':')
		return i->why + len + 1 + (i->why[len + 1] == ' ');
	return i->why;
}

static bool item_is_like(const struct health_item *a,
			 const struct health_item *b)
{
	return !strcmp(a->collector, b->collector) && a->level == b->level &&
	       !strcmp(a->remedy, b->remedy) &&
	       !strcmp(item_why(a), item_why(b));
}

/* Of several items for one reason only the first is printed, with the names
 * of the others; several metrics of one part are one. */
static bool item_is_first(const struct health *h, const struct health_item *i)
{
	const struct health_item *j;

	for (j = h->item; j < i; j++)
		if (item_is_like(i, j))
			return false;
	return true;
}

static void others_append(const struct health *h, const struct health_item *i,
			  char *why, size_t n)
{
	const struct health_item *j, *last = i;
	const char *before = " (also";
	size_t at = strlen(why);

	for (j = i + 1; j < h->item + h->n && at < n; j++) {
		if (!item_is_like(i, j) || !*j->part ||
		    !strcmp(j->part, last->part))
			continue;
		at += snprintf(why + at, n - at, "%s %s", before, j->part);
		before = ",";
		last = j;
	}
	if (last != i && at < n)
		snprintf(why + at, n - at, ")");
}

static void item_print(FILE *f, const struct health *h,
		       const struct health_item *i)
{
	char name[64], why[1024];

	if (!item_is_first(h, i))
		return;
	item_name(i, name, sizeof(name));
	snprintf(why, sizeof(why), "%s", item_why(i));
	others_append(h, i, why, sizeof(why));
	line_print(f, i->level, name, why, i->remedy);
}

/* ---- a collector as a whole, then its parts --------------------------- */

static bool item_is_whole(const struct health_item *i)
{
	return !i->metric && i->cpu < 0 && !*i->part;
}

static const struct health_item *whole_find(const struct health *h,
					    const char *collector)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		if (item_is_whole(&h->item[i]) &&
		    !strcmp(h->item[i].collector, collector))
			return &h->item[i];
	return NULL;
}

/* "2.7 MB", "61 kB" */
static const char *size_text(uint64_t bytes, char *buf, size_t n)
{
	if (bytes >= 1000000)
		snprintf(buf, n, "%.1f MB", (double)bytes / 1e6);
	else
		snprintf(buf, n, "%.0f kB", (double)bytes / 1e3);
	return buf;
}

static void memory_print(FILE *f, const char *name, uint64_t bytes,
			 uint64_t cpu_bytes)
{
	char all[16], each[16], why[96];

	snprintf(why, sizeof(why), "%s of maps in the kernel; each CPU more "
		 "would add %s", size_text(bytes, all, sizeof(all)),
		 size_text(cpu_bytes, each, sizeof(each)));
	line_print(f, HEALTH_OK, name, why, "");
}

/* What all collectors' programs take in the kernel. */
static void memory_total(FILE *f, const struct health *h)
{
	uint64_t bytes = 0, cpu_bytes = 0;
	size_t i;

	for (i = 0; i < h->ncost; i++) {
		bytes += h->cost[i].map_bytes;
		cpu_bytes += h->cost[i].map_cpu_bytes;
	}
	if (bytes)
		memory_print(f, "memory", bytes, cpu_bytes);
}

static void collector_memory(FILE *f, const struct health *h, const char *name)
{
	char text[32];
	size_t i;

	snprintf(text, sizeof(text), "%s memory", name);
	for (i = 0; i < h->ncost; i++)
		if (!strcmp(h->cost[i].collector, name) &&
		    h->cost[i].map_bytes)
			memory_print(f, text, h->cost[i].map_bytes,
				     h->cost[i].map_cpu_bytes);
}

static void collector_print(FILE *f, const struct health *h,
			    const struct collector *c)
{
	const struct health_item *whole = whole_find(h, c->name);
	const struct health_item *i;

	if (whole)
		item_print(f, h, whole);
	else
		line_print(f, HEALTH_OK, c->name, c->needs, "");
	for (i = h->item; i < h->item + h->n; i++)
		if (i != whole && !strcmp(i->collector, c->name))
			item_print(f, h, i);
	collector_memory(f, h, c->name);
}

/* The box's own items, but those of the first line. */
static const char *box_text(const struct health *h, const char *part)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		if (!strcmp(h->item[i].collector, "box") &&
		    !strcmp(h->item[i].part, part))
			return h->item[i].why;
	return NULL;
}

static void box_print(FILE *f, const struct health *h)
{
	const struct health_item *i;

	for (i = h->item; i < h->item + h->n; i++)
		if (!strcmp(i->collector, "box") && *i->part &&
		    strcmp(i->part, "user") && strcmp(i->part, "guest"))
			item_print(f, h, i);
}

static void header_print(FILE *f, const struct host *host,
			 const struct health *h)
{
	const char *user = box_text(h, "user"), *guest = box_text(h, "guest");

	fprintf(f, "kernel %s %s, %u cpus", host->release, host->machine,
		host->cpus);
	if (user)
		fprintf(f, ", %s", user);
	if (guest)
		fprintf(f, "; %s", guest);
	fputc('\n', f);
}

/* ---- taking samples --------------------------------------------------- */

static void pause_ms(long ms)
{
	struct timespec t = { .tv_nsec = ms * 1000000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static int samples_take(struct source *src, struct sample *s, int n)
{
	int got = 1, i;

	for (i = 0; i < n && got == 1; i++) {
		if (i) {
			pause_ms(150);
			live_drain(src);
			pause_ms(150);
		}
		got = src->next(src, s);
	}
	return got < 0 ? got : 0;
}

int doctor_run(FILE *f, struct source *src,
	       const struct collector *const *table)
{
	const struct health *h = live_health(src);
	struct sample s = { 0 };
	int err = sample_init(&s);

	if (!err)
		err = samples_take(src, &s, 2);
	sample_free(&s);
	if (err)
		return err;
	header_print(f, live_host(src), h);
	for (; *table; table++)
		if (strcmp((*table)->name, "box"))
			collector_print(f, h, *table);
	memory_total(f, h);
	box_print(f, h);
	return 0;
}

static void metric_print(FILE *f, uint16_t id)
{
	const struct metric_info *m = metric_info(id);

	if (m)
		fprintf(f, "%-34s %-13s %-7s %-6s %-6s %s\n", m->name,
			kind_name(m->kind), unit_name(m->unit),
			scope_name(m->scope), scope_name(m->sub), m->help);
}

int doctor_list_metrics(FILE *f, struct source *src)
{
	struct sample s = { 0 };
	uint16_t id;
	int err = sample_init(&s);

	if (!err)
		err = samples_take(src, &s, 1);
	sample_free(&s);
	if (err)
		return err;
	fprintf(f, "%-34s %-13s %-7s %-6s %-6s %s\n", "NAME", "KIND", "UNIT",
		"KEY", "SUB", "WHAT");
	for (id = METRIC_NONE + 1; id < METRIC_FIXED; id++)
		metric_print(f, id);
	for (id = METRIC_DYNAMIC; id < metric_end(); id++)
		metric_print(f, id);
	return 0;
}
