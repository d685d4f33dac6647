// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where did each CPU's time go, and how many switches and forks were there?
 * From /proc/stat.  CPUs go by the number in their line, never by position;
 * offline ones have no line and so no readings.  The sum line is not kept: it
 * also holds CPUs that are offline.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "collectors.h"
#include "parse.h"
#include "procfs.h"

struct stat_state {
	const struct env *env;
	struct procfs_file file;
};

/* In the order of the line: 7 of them in 2.6.9, all ten since 2.6.33. */
static const uint16_t times[] = {
	STAT_USER, STAT_NICE, STAT_SYSTEM, STAT_IDLE, STAT_IOWAIT, STAT_IRQ,
	STAT_SOFTIRQ, STAT_STEAL, STAT_GUEST, STAT_GUEST_NICE,
};

static const struct {
	const char *word;
	uint16_t metric;
} totals[] = {
	{ "ctxt", STAT_SWITCHES },
	{ "processes", STAT_FORKS },
	{ "procs_running", STAT_RUNNING },
	{ "procs_blocked", STAT_BLOCKED },
};

static int parse_cpu(struct procfs_line *l, uint32_t cpu, struct sample *s)
{
	uint64_t ticks;
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (!procfs_take_u64(l, &ticks))
			break;
		if (sample_add(s, times[i], cpu, 0, ticks))
			return -ENOMEM;
	}
	return i > 0;
}

/*
 * processes was printed as a signed int by some kernels: below zero after 2^31
 * forks.  Its low 32 bits are right in either form.
 */
static int take_forks(struct procfs_line *l, uint64_t *v)
{
	int negative;

	while (l->p < l->end && *l->p == ' ')
		l->p++;
	negative = l->p < l->end && *l->p == '-';
	l->p += negative;
	if (!procfs_take_u64(l, v))
		return 0;
	*v = (uint32_t)(negative ? 0 - *v : *v);
	return 1;
}

static int parse_total(struct procfs_line *l, const char *word, size_t n,
		       struct sample *s)
{
	uint64_t v;
	size_t i;
	int ok;

	for (i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
		if (strlen(totals[i].word) != n ||
		    memcmp(totals[i].word, word, n))
			continue;
		ok = totals[i].metric == STAT_FORKS ? take_forks(l, &v) :
		     procfs_take_u64(l, &v);
		if (ok && sample_add(s, totals[i].metric, 0, 0, v))
			return -ENOMEM;
		return ok;
	}
	return 0;
}

int stat_parse(const char *text, size_t len, struct sample *s)
{
	const char *at = text, *end = text + len, *word;
	int n, cpu, cpus = 0, others = 0;
	struct procfs_line l;
	size_t size;

	while (procfs_next_line(&at, end, &l)) {
		size = procfs_take_word(&l, &word);
		cpu = procfs_cpu_number(word, size, "cpu");
		n = cpu < 0 ? parse_total(&l, word, size, s) :
		    parse_cpu(&l, (uint32_t)cpu, s);
		if (n < 0)
			return n;
		if (cpu < 0)
			others += n;
		else
			cpus += n;
	}
	return cpus + others ? cpus : -EINVAL;
}

static int stat_open(void **state, const struct env *env)
{
	struct stat_state *st = calloc(1, sizeof(*st));

	if (!st)
		return -ENOMEM;
	st->env = env;
	st->file = (struct procfs_file) {
		.env = env, .collector = "stat", .part = "", .path = "stat",
	};
	*state = st;
	return 0;
}

static int stat_collect(void *state, struct sample *s)
{
	struct stat_state *st = state;
	ssize_t len;
	int cpus;

	collector_stamp(st->env, "stat");
	len = procfs_read(&st->file);
	if (len < 0)
		return (int)len;
	cpus = stat_parse(st->file.buf, (size_t)len, s);
	if (cpus < 0) {
		procfs_report(&st->file, cpus);
		return cpus;
	}
	health_set(st->env->health, "stat", "", 0, -1,
		   cpus ? HEALTH_OK : HEALTH_PARTLY, 0, NULL, "%d CPUs", cpus);
	return 0;
}

static void stat_close(void *state)
{
	struct stat_state *st = state;

	if (st)
		procfs_free(&st->file);
	free(st);
}

const struct collector stat_collector = {
	.name = "stat",
	.needs = "/proc/stat",
	.open = stat_open,
	.collect = stat_collect,
	.close = stat_close,
};
