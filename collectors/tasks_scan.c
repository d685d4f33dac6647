// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How deep are the run queues, many times a second?
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "parse.h"
#include "tasks_scan.h"

/* 99 Hz on average; drawn anew ten times a second, 40 % apart at most. */
enum { PERIOD_NS = 10101010, SPREAD_NS = 4000000 };

static uint64_t period_draw(struct tasks_scan *s)
{
	s->seed = s->seed * 6364136223846793005ull + 1442695040888963407ull;
	return PERIOD_NS - SPREAD_NS / 2 + (s->seed >> 33) % SPREAD_NS;
}

/* libperf opens an event on all CPUs; this one is for one of them. */
static int clock_open(int cpu, uint64_t period_ns)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period_ns,
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			  PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static void event_close(struct tasks_scan *s)
{
	if (s->fd < 0)
		return;
	bpf_detach(s->bpf, "tasks_tick");
	close(s->fd);
	s->fd = s->cpu = -1;
}

static void event_report(struct tasks_scan *s)
{
	if (s->err)
		health_set(s->env->health, "tasks", "run queues", 0, -1,
			   HEALTH_PARTLY, -s->err, NULL, "looked at 10 times "
			   "a second, not 99: no clock event: %s",
			   strerror(-s->err));
	else
		health_clear(s->env->health, "tasks", "run queues", 0, -1);
}

/* On the lowest CPU that is online: the event goes with its CPU. */
static void event_follow(struct tasks_scan *s)
{
	int cpu = 0, err;

	while (cpu < (int)s->cpus && !s->online[cpu])
		cpu++;
	if (cpu == (int)s->cpus || cpu == s->cpu)
		return;
	event_close(s);
	s->fd = clock_open(cpu, period_draw(s));
	err = s->fd < 0 ? s->fd : bpf_attach_perf(s->bpf, "tasks_tick", s->fd);
	if (err && s->fd >= 0)
		close(s->fd);
	s->fd = err ? -1 : s->fd;
	s->cpu = cpu;			/* asked again when CPUs change */
	s->err = err;
	event_report(s);
}

static void online_set(void *arg, unsigned cpu)
{
	struct tasks_scan *s = arg;

	if (cpu < s->cpus)
		s->online[cpu] = 1;
}

static void online_read(struct tasks_scan *s)
{
	ssize_t len = procfs_read(&s->file);

	memset(s->online, len < 0, s->cpus);
	if (len > 0)
		tasks_parse_cpus(s->file.buf, (size_t)len, online_set, s);
}

int tasks_scan_open(struct tasks_scan *s, const struct env *env,
		    struct bpf *b, uint32_t cpus)
{
	s->env = env;
	s->bpf = b;
	s->cpus = cpus;
	s->fd = s->cpu = -1;
	s->seed = collector_now_ns();
	s->file = (struct procfs_file) {
		.env = env, .collector = "tasks", .part = "online",
		.path = "devices/system/cpu/online", .in_sys = 1,
		.about = { RQ_NOW, RQ_SUM },
	};
	s->depth = bpf_memory(b, "depths", NULL);
	s->online = calloc(cpus, 1);
	if (!s->depth || !s->online)
		return -ENOMEM;
	online_read(s);
	event_follow(s);
	return 0;
}

void tasks_scan_close(struct tasks_scan *s)
{
	event_close(s);
	procfs_free(&s->file);
	free(s->online);
	s->online = NULL;
}

void tasks_scan_drain(struct tasks_scan *s)
{
	uint64_t period_ns = period_draw(s);

	if (s->fd >= 0)
		ioctl(s->fd, PERF_EVENT_IOC_PERIOD, &period_ns);
	else
		bpf_run(s->bpf, "tasks_scan");
}

static int hist_add(const struct tasks_depth *d, uint32_t cpu,
		    struct sample *to)
{
	uint32_t i;

	for (i = 0; i < TASKS_DEPTHS; i++)
		if (d->hist[i] && sample_add(to, RQ_HIST, cpu, i, d->hist[i]))
			return -ENOMEM;
	return 0;
}

static int cpu_add(struct tasks_depth *d, uint32_t cpu, struct sample *to)
{
	int err = sample_add(to, RQ_READS, cpu, 0, d->reads);

	if (d->reads)
		err |= sample_add(to, RQ_NOW, cpu, 0, d->now);
	err |= sample_add(to, RQ_SUM, cpu, 0, d->sum);
	if (d->reads && d->max_epoch == d->epoch)
		err |= sample_add(to, RQ_MAX, cpu, 0, d->max);
	err |= hist_add(d, cpu, to);
	d->epoch++;
	return err ? -ENOMEM : 0;
}

int tasks_scan_add(struct tasks_scan *s, struct sample *to)
{
	uint32_t i;
	int err = 0;

	online_read(s);
	event_follow(s);
	for (i = 0; i < s->cpus && !err; i++)
		if (s->online[i])
			err = cpu_add(&s->depth[i], i, to);
	return err;
}
