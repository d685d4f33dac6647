// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long did tasks wait for each CPU, and how hard does the balancer work?
 * From /proc/schedstat, versions 15 to 17 (2.6.30 to 6.19).
 *
 * Run and delay are nanoseconds in all of these.  Version 14 and before are
 * refused: 14 stands for jiffies before 2.6.23 and for nanoseconds after, and
 * the text does not tell.  Of a version newer than we know only run, delay and
 * slices are read, and only if the cpu line still has nine numbers.
 *
 * While kernel.sched_schedstats is 0 the kernel prints the events and domains
 * as they were left, mostly 0, and goes on with run, delay and slices: those
 * three alone are read.  The sysctl is never written.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "collectors.h"
#include "parse.h"
#include "procfs.h"
#include "schedstat_layout.h"

struct schedstat {
	const struct env *env;
	struct procfs_file file, sysctl;
};

static int parse_version(const char *text, size_t len, unsigned *version)
{
	const char *at = text, *word;
	struct procfs_line l;
	uint64_t v;

	if (!procfs_next_line(&at, text + len, &l) ||
	    procfs_take_word(&l, &word) != 7 || memcmp(word, "version", 7) ||
	    !procfs_take_u64(&l, &v) || !v || v > 9999)
		return -EINVAL;
	*version = (unsigned)v;
	return 0;
}

/* 1 added, 0 left out as broken, or -ENOMEM. */
static int add_cpu(struct procfs_line l, uint32_t cpu, unsigned version,
		   int counting, struct sample *s)
{
	uint64_t v[SCHEDSTAT_CPU_FIELDS], more;
	size_t i;

	for (i = 0; i < SCHEDSTAT_CPU_FIELDS; i++)
		if (!procfs_take_u64(&l, v + i))
			return 0;
	if (version > SCHEDSTAT_NEWEST && procfs_take_u64(&l, &more))
		return 0;
	if (version > SCHEDSTAT_NEWEST)
		counting = 0;
	for (i = 0; i < SCHEDSTAT_CPU_FIELDS; i++) {
		if (schedstat_cpu[i] == METRIC_NONE ||
		    (i < SCHEDSTAT_CPU_EVENTS && !counting))
			continue;
		if (sample_add(s, schedstat_cpu[i], cpu, 0, v[i]))
			return -ENOMEM;
	}
	return 1;
}

/*
 * The name of the domain whose line this is.  Before version 17 the line has
 * its level only ("domain0").  A second domain of the same name on one CPU
 * (NUMA levels) is told by its level.
 */
static uint32_t domain_name(struct procfs_line *l,
			    const struct schedstat_layout *layout,
			    const char *level, size_t level_len,
			    struct schedstat_domains *seen, struct names *names)
{
	const char *word = level;
	size_t n = level_len, i;
	char both[80];
	uint32_t id;

	if (layout->named)
		n = procfs_take_word(l, &word);
	id = n ? names_text(names, word, n) : 0;
	for (i = 0; i < seen->n; i++) {
		if (seen->id[i] != id || n + level_len + 1 > sizeof(both))
			continue;
		memcpy(both, word, n);
		both[n] = ' ';
		memcpy(both + n + 1, level, level_len);
		id = names_text(names, both, n + level_len + 1);
		break;
	}
	if (seen->n < SCHEDSTAT_DOMAINS)
		seen->id[seen->n++] = id;
	return id;
}

static int add_domain(struct procfs_line l, uint32_t cpu, uint32_t name,
		      const struct schedstat_layout *layout, struct sample *s)
{
	uint64_t v[SCHEDSTAT_DOMAIN_MAX];
	const char *mask;
	uint16_t metric;
	size_t i;

	if (!name || !procfs_take_word(&l, &mask))
		return 0;
	for (i = 0; i < layout->fields; i++)
		if (!procfs_take_u64(&l, v + i))
			return 0;
	for (i = 0; i < layout->fields; i++) {
		metric = schedstat_domain_metric(layout, i);
		if (sample_add(s, metric, cpu, name, v[i]))
			return -ENOMEM;
	}
	return 1;
}

static int is_domain(const char *word, size_t n)
{
	return n > 6 && !memcmp(word, "domain", 6);
}

/* 1 if this cpu line's events moved, 0 if all stand at 0 while it ran. */
static int line_counts(struct procfs_line l)
{
	uint64_t v;
	int i;

	for (i = 0; i < SCHEDSTAT_CPU_EVENTS && procfs_take_u64(&l, &v); i++)
		if (v)
			return 1;
	return i < SCHEDSTAT_CPU_EVENTS;
}

/* Is any event counted?  A CPU that is online calls schedule(). */
static int text_counts(const char *text, size_t len)
{
	const char *at = text, *word;
	struct procfs_line l;
	size_t n;

	while (procfs_next_line(&at, text + len, &l)) {
		n = procfs_take_word(&l, &word);
		if (procfs_cpu_number(word, n, "cpu") >= 0 && line_counts(l))
			return 1;
	}
	return 0;
}

/* One line; 1 a CPU was added, 0 not, or -ENOMEM. */
static int parse_line(struct procfs_line l, int *cpu,
		      const struct schedstat_layout *layout,
		      struct schedstat_domains *seen, struct sample *s,
		      struct schedstat_facts *facts)
{
	const char *word;
	size_t n = procfs_take_word(&l, &word);
	uint32_t name;
	int got;

	if (procfs_cpu_number(word, n, "cpu") >= 0) {
		*cpu = procfs_cpu_number(word, n, "cpu");
		seen->n = 0;
		got = add_cpu(l, (uint32_t)*cpu, facts->version,
			      facts->counting, s);
		facts->cpus += got > 0;
		facts->bad += !got;
		return got;
	}
	if (!is_domain(word, n) || *cpu < 0 || !layout || !facts->counting)
		return 0;
	name = domain_name(&l, layout, word, n, seen, s->names);
	got = add_domain(l, (uint32_t)*cpu, name, layout, s);
	facts->domains += got > 0;
	facts->bad += !got;
	return got < 0 ? got : 0;
}

int schedstat_parse(const char *text, size_t len, int counting,
		    struct sample *s, struct schedstat_facts *facts)
{
	const char *at = text, *end = text + len;
	const struct schedstat_layout *layout;
	struct schedstat_domains seen = { .n = 0 };
	struct procfs_line l;
	int cpu = -1, got;

	memset(facts, 0, sizeof(*facts));
	if (parse_version(text, len, &facts->version))
		return -EINVAL;
	if (facts->version < SCHEDSTAT_OLDEST)
		return -EOPNOTSUPP;
	layout = schedstat_layout_of(facts->version);
	facts->counting = counting && text_counts(text, len);
	while (procfs_next_line(&at, end, &l)) {
		got = parse_line(l, &cpu, layout, &seen, s, facts);
		if (got < 0)
			return got;
	}
	if (facts->cpus)
		return (int)facts->cpus;
	return layout ? -EINVAL : -EOPNOTSUPP;
}

static int schedstat_open(void **state, const struct env *env)
{
	struct schedstat *st = calloc(1, sizeof(*st));

	if (!st)
		return -ENOMEM;
	st->env = env;
	st->file = (struct procfs_file) {
		.env = env, .collector = "schedstat", .part = "",
		.path = "schedstat",
		.missing = "kernel built without CONFIG_SCHEDSTATS",
		.remedy = "run delay comes from the in-kernel engine, else "
			  "from /proc/TID/schedstat of the busiest threads",
	};
	st->sysctl = (struct procfs_file) {
		.env = env, .collector = "schedstat", .part = "sysctl",
		.path = "sys/kernel/sched_schedstats",
	};
	*state = st;
	return 0;
}

/* What the sysctl says; a kernel before 4.6 has none and always counts. */
static int sysctl_on(struct schedstat *st)
{
	ssize_t len;

	if (!procfs_exists(st->env, st->sysctl.path))
		return 1;
	len = procfs_read(&st->sysctl);
	if (len > 0)
		health_clear(st->env->health, "schedstat", "sysctl", 0, -1);
	return len <= 0 || st->sysctl.buf[0] != '0';
}

static void report_facts(struct health *h, const struct schedstat_facts *f)
{
	int known = f->version <= SCHEDSTAT_NEWEST;
	int off = known && !f->counting;

	health_set(h, "schedstat", "", 0, -1,
		   f->bad || !known || off ? HEALTH_PARTLY : HEALTH_OK, 0,
		   off ? "sysctl kernel.sched_schedstats=1" : NULL,
		   "version %u%s, %u CPUs, %u domains%s", f->version,
		   off ? ", kernel.sched_schedstats=0: run, delay and slices "
			 "only" :
		   known ? "" : " is new: run, delay and slices only",
		   f->cpus, f->domains,
		   f->bad ? ", some lines cut short" : "");
}

static void report_failure(struct schedstat *st, int err, unsigned version)
{
	if (err != -EOPNOTSUPP) {
		procfs_report(&st->file, err);
		return;
	}
	health_set(st->env->health, "schedstat", "", 0, -1, HEALTH_ABSENT,
		   EOPNOTSUPP, NULL, "unsupported schedstat version %u",
		   version);
}

static int schedstat_collect(void *state, struct sample *s)
{
	struct schedstat *st = state;
	struct schedstat_facts facts;
	ssize_t len;
	int cpus;

	collector_stamp(st->env, "schedstat");
	len = procfs_read(&st->file);
	if (len < 0)
		return (int)len;
	cpus = schedstat_parse(st->file.buf, (size_t)len, sysctl_on(st), s,
			       &facts);
	if (cpus < 0) {
		report_failure(st, cpus, facts.version);
		return cpus;
	}
	report_facts(st->env->health, &facts);
	return 0;
}

static void schedstat_close(void *state)
{
	struct schedstat *st = state;

	if (!st)
		return;
	procfs_free(&st->file);
	procfs_free(&st->sysctl);
	free(st);
}

const struct collector schedstat_collector = {
	.name = "schedstat",
	.needs = "/proc/schedstat (CONFIG_SCHEDSTATS)",
	.open = schedstat_open,
	.collect = schedstat_collect,
	.close = schedstat_close,
};
