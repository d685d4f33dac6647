// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long did tasks stall for want of CPU, memory, I/O, or to interrupts?
 * The cumulative totals of /proc/pressure (4.20 and later), in microseconds;
 * the averages can be had from those at any span.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "collectors.h"
#include "parse.h"
#include "procfs.h"

enum { SOME = 1, FULL = 2 };

/*
 * cpu got a full line in 5.13; since 5.17 (and 5.15.85) it is printed as 0 for
 * the system, where it is not defined: no reading then.
 */
static const struct pressure_file {
	const char *part, *path, *missing;
	uint16_t some, full;
	int zero_full;		/* a full total of 0 means not measured */
} files[] = {
	{ "cpu", "pressure/cpu", "kernel before 4.20 or without CONFIG_PSI",
	  PSI_CPU_SOME, PSI_CPU_FULL, 1 },
	{ "memory", "pressure/memory",
	  "kernel before 4.20 or without CONFIG_PSI",
	  PSI_MEMORY_SOME, PSI_MEMORY_FULL, 0 },
	{ "io", "pressure/io", "kernel before 4.20 or without CONFIG_PSI",
	  PSI_IO_SOME, PSI_IO_FULL, 0 },
	{ "irq", "pressure/irq",
	  "kernel before 6.1 or without CONFIG_IRQ_TIME_ACCOUNTING",
	  METRIC_NONE, PSI_IRQ_FULL, 0 },
};

enum { FILES = sizeof(files) / sizeof(files[0]) };

struct pressure {
	const struct env *env;
	struct procfs_file file[FILES];
	int off[FILES];		/* PSI is off until the next boot */
};

static int line_total(struct procfs_line l, uint64_t *total)
{
	struct procfs_line number;
	const char *word;
	size_t n;

	while ((n = procfs_take_word(&l, &word)) > 0) {
		if (n < 7 || memcmp(word, "total=", 6))
			continue;
		number = (struct procfs_line) { word + 6, word + n };
		return procfs_take_u64(&number, total);
	}
	return 0;
}

int pressure_parse(const char *text, size_t len, uint16_t some, uint16_t full,
		   struct sample *s)
{
	const char *at = text, *word;
	struct procfs_line l;
	uint64_t total;
	uint16_t metric;
	int bits = 0, bit;

	while (procfs_next_line(&at, text + len, &l)) {
		if (procfs_take_word(&l, &word) != 4)
			continue;
		bit = !memcmp(word, "some", 4) ? SOME :
		      !memcmp(word, "full", 4) ? FULL : 0;
		metric = bit == SOME ? some : full;
		if (!bit || metric == METRIC_NONE || !line_total(l, &total))
			continue;
		if (sample_add(s, metric, 0, 0, total))
			return -ENOMEM;
		bits |= bit;
	}
	return bits ? bits : -EINVAL;
}

static int pressure_open(void **state, const struct env *env)
{
	struct pressure *p = calloc(1, sizeof(*p));
	size_t i;

	if (!p)
		return -ENOMEM;
	p->env = env;
	for (i = 0; i < FILES; i++)
		p->file[i] = (struct procfs_file) {
			.env = env, .collector = "pressure",
			.part = files[i].part, .path = files[i].path,
			.missing = files[i].missing,
			.about = {
				files[i].some ? files[i].some : files[i].full,
				files[i].some ? files[i].full : METRIC_NONE,
			},
		};
	*state = p;
	return 0;
}

static void report_off(struct pressure *p, size_t i)
{
	/* fixed at boot: asking again gives the same */
	p->off[i] = !p->env->rooted;
	procfs_clear(&p->file[i]);
	health_set(p->env->health, "pressure", files[i].part, files[i].full, -1,
		   HEALTH_ABSENT, EOPNOTSUPP, "boot with psi=1",
		   "PSI is off (boot with psi=1)");
}

static void report_full(struct health *h, const struct pressure_file *f,
			int absent)
{
	if (!absent)
		health_clear(h, "pressure", f->part, f->full, -1);
	else
		health_set(h, "pressure", f->part, f->full, -1, HEALTH_ABSENT,
			   0, NULL, "this kernel has no %s full for the whole "
			   "system", f->part);
}

/* Take away a full of 0 that is none; is full missing? */
static int drop_zero_full(const struct pressure_file *f, int bits,
			  struct sample *s)
{
	if (f->zero_full && bits & FULL && s->v[s->n - 1].metric == f->full &&
	    !s->v[s->n - 1].value) {
		s->n--;
		bits &= ~FULL;
	}
	return !(bits & FULL);
}

static int collect_file(struct pressure *p, size_t i, struct sample *s)
{
	const struct pressure_file *f = files + i;
	ssize_t len;
	int bits;

	if (p->off[i])
		return -EOPNOTSUPP;
	len = procfs_read(&p->file[i]);
	if (len == -EOPNOTSUPP)
		report_off(p, i);
	if (len < 0)
		return (int)len;
	bits = pressure_parse(p->file[i].buf, (size_t)len, f->some, f->full, s);
	if (bits < 0) {
		procfs_report(&p->file[i], bits);
		return bits;
	}
	procfs_clear(&p->file[i]);
	report_full(p->env->health, f, drop_zero_full(f, bits, s));
	return 0;
}

static int pressure_collect(void *state, struct sample *s)
{
	struct pressure *p = state;
	int good = 0, err = 0, got;
	size_t i;

	collector_stamp(p->env, "pressure");
	for (i = 0; i < FILES; i++) {
		got = collect_file(p, i, s);
		good += !got;
		err = err ? err : got;
	}
	if (good) {
		health_set(p->env->health, "pressure", "", 0, -1, HEALTH_OK, 0,
			   NULL, "%d of %d files", good, (int)FILES);
		return 0;
	}
	health_set(p->env->health, "pressure", "", 0, -1, HEALTH_ABSENT, -err,
		   err == -EOPNOTSUPP ? "boot with psi=1" : NULL, "%s",
		   err == -EOPNOTSUPP ? "PSI is off (boot with psi=1)" :
		   err == -ENOENT ? files[0].missing :
		   "no file of /proc/pressure can be read");
	return err;
}

static void pressure_close(void *state)
{
	struct pressure *p = state;
	size_t i;

	if (!p)
		return;
	for (i = 0; i < FILES; i++)
		procfs_free(&p->file[i]);
	free(p);
}

const struct collector pressure_collector = {
	.name = "pressure",
	.needs = "/proc/pressure (CONFIG_PSI)",
	.open = pressure_open,
	.collect = pressure_collect,
	.close = pressure_close,
};
