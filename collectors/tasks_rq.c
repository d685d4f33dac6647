// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many tasks run or wait on each CPU?
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "parse.h"
#include "tasks_rq.h"

static int grow(struct tasks_rq *rq, size_t cpu)
{
	struct tasks_rq_cpu *more;

	if (cpu < rq->n)
		return 0;
	more = realloc(rq->cpu, (cpu + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + rq->n, 0, (cpu + 1 - rq->n) * sizeof(*more));
	rq->cpu = more;
	rq->n = cpu + 1;
	return 0;
}

static void set_online(void *ctx, unsigned cpu)
{
	struct tasks_rq *rq = ctx;

	if (!grow(rq, cpu))
		rq->cpu[cpu].online = 1;
}

static int take_number(const char **p, const char *end, unsigned *v)
{
	const char *start = *p;

	*v = 0;
	for (; *p < end && **p >= '0' && **p <= '9'; (*p)++) {
		*v = *v * 10 + (unsigned)(**p - '0');
		if (*v >= PROCFS_CPUS)
			return 0;
	}
	return *p > start;
}

int tasks_parse_cpus(const char *text, size_t len,
		     void (*add)(void *ctx, unsigned cpu), void *ctx)
{
	const char *p = text, *end = text + len;
	unsigned from, to;

	do {
		if (!take_number(&p, end, &from))
			return -EINVAL;
		to = from;
		if (p < end && *p == '-') {
			p++;
			if (!take_number(&p, end, &to) || to < from)
				return -EINVAL;
		}
		for (; from <= to; from++)
			add(ctx, from);
	} while (p < end && *p++ == ',');
	return 0;
}

void tasks_rq_open(struct tasks_rq *rq, const struct env *env)
{
	rq->file = (struct procfs_file) {
		.env = env, .collector = "tasks", .part = "run queue",
		.path = "devices/system/cpu/online", .in_sys = 1,
		.about = { RQ_NOW, RQ_SUM },
	};
}

void tasks_rq_begin(struct tasks_rq *rq)
{
	ssize_t len;
	size_t i;

	for (i = 0; i < rq->n; i++) {
		rq->cpu[i].online = 0;
		rq->cpu[i].now = 0;
	}
	len = procfs_read(&rq->file);
	if (len < 0)
		return;
	if (tasks_parse_cpus(rq->file.buf, (size_t)len, set_online, rq))
		procfs_report(&rq->file, -EINVAL);
	else
		procfs_clear(&rq->file);
}

void tasks_rq_count(struct tasks_rq *rq, int32_t cpu)
{
	if (cpu >= 0 && (size_t)cpu < rq->n)
		rq->cpu[cpu].now++;
}

void tasks_rq_end(struct tasks_rq *rq)
{
	struct tasks_rq_cpu *c;

	for (c = rq->cpu; c < rq->cpu + rq->n; c++) {
		if (rq->fresh)
			c->max = 0;
		if (!c->online)
			continue;
		c->reads++;
		c->sum += c->now;
		if (c->now > c->max)
			c->max = c->now;
	}
	rq->fresh = 0;
}

static int add_all(const struct tasks_rq *rq, struct sample *s,
		   uint16_t metric, uint64_t (*of)(const struct tasks_rq_cpu *))
{
	size_t i;

	for (i = 0; i < rq->n; i++)
		if (rq->cpu[i].online &&
		    sample_add(s, metric, (uint32_t)i, 0, of(rq->cpu + i)))
			return -ENOMEM;
	return 0;
}

static uint64_t of_now(const struct tasks_rq_cpu *c)
{
	return c->now;
}

static uint64_t of_reads(const struct tasks_rq_cpu *c)
{
	return c->reads;
}

static uint64_t of_sum(const struct tasks_rq_cpu *c)
{
	return c->sum;
}

static uint64_t of_max(const struct tasks_rq_cpu *c)
{
	return c->max;
}

int tasks_rq_add(struct tasks_rq *rq, struct sample *s)
{
	rq->fresh = 1;
	if (add_all(rq, s, RQ_NOW, of_now) ||
	    add_all(rq, s, RQ_READS, of_reads) ||
	    add_all(rq, s, RQ_SUM, of_sum) || add_all(rq, s, RQ_MAX, of_max))
		return -ENOMEM;
	return 0;
}

void tasks_rq_free(struct tasks_rq *rq)
{
	procfs_free(&rq->file);
	free(rq->cpu);
	rq->cpu = NULL;
	rq->n = 0;
}
