/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is one event counted and sampled on one CPU?  Through libperf: an evsel
 * for each, so that every CPU has its own period, ring and fate.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <linux/perf_event.h>
#include <internal/evsel.h>
#include <internal/xyarray.h>
#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>
#include "perf_slot.h"

enum { STANDSTILL_NS = 10 * 1000 * 1000 };

static int print_nothing(enum libperf_print_level level, const char *fmt,
			 va_list ap)
{
	(void)level, (void)fmt, (void)ap;
	return 0;
}

static int slot_fd(const struct perf_slot *s)
{
	return *(int *)xyarray__entry(s->evsel->fd, 0, 0);
}

/* The numbers of a CPU list as the kernel writes it; NULL: the online ones. */
int perf_cpu_list(const char *list, int **cpu, size_t *n)
{
	struct perf_cpu_map *map = perf_cpu_map__new(list);
	int *v = NULL, err = -EINVAL, i, nr = perf_cpu_map__nr(map);

	if (!map || perf_cpu_map__cpu(map, 0).cpu < 0)
		goto out;
	err = -ENOMEM;
	v = malloc((size_t)nr * sizeof(*v));
	if (!v)
		goto out;
	for (i = 0; i < nr; i++)
		v[i] = perf_cpu_map__cpu(map, i).cpu;
	err = 0;
out:
	perf_cpu_map__put(map);
	*cpu = v;
	*n = v ? (size_t)nr : 0;
	return err;
}

static struct perf_thread_map *threads_of(int tid)
{
	struct perf_thread_map *map = perf_thread_map__new_dummy();

	if (map)
		perf_thread_map__set_pid(map, 0, tid);
	return map;
}

int perf_slot_open(struct perf_slot *s, struct perf_event_attr *attr, int tid)
{
	struct perf_thread_map *threads = threads_of(tid);
	struct perf_cpu_map *cpus = NULL;	/* libperf: on any CPU */
	char text[16];
	int err = -ENOMEM;

	libperf_init(print_nothing);	/* it learns the page size here */
	snprintf(text, sizeof(text), "%d", s->cpu);
	if (s->cpu >= 0)
		cpus = perf_cpu_map__new(text);
	s->evsel = perf_evsel__new(attr);
	if (!threads || (s->cpu >= 0 && !cpus) || !s->evsel)
		goto out;
	perf_evsel__attr(s->evsel)->sample_period = s->every;
	err = perf_evsel__open(s->evsel, cpus, threads);
	if (!err)
		fcntl(slot_fd(s), F_SETFD, FD_CLOEXEC);
out:
	if (err && s->evsel) {
		perf_evsel__delete(s->evsel);
		s->evsel = NULL;
	}
	perf_cpu_map__put(cpus);
	perf_thread_map__put(threads);
	s->err = -err;
	return err;
}

int perf_slot_map(struct perf_slot *s, unsigned pages, unsigned char *copy)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);

	errno = ENOMEM;
	if (perf_evsel__mmap(s->evsel, (int)pages) < 0)
		return -errno;
	s->page = perf_evsel__mmap_base(s->evsel, 0, 0);
	s->ring.data = (const unsigned char *)s->page + page_size;
	s->ring.size = pages * page_size;
	s->ring.tail = 0;
	s->ring.count_base = s->base.value;
	s->ring.copy = copy;
	return 0;
}

void perf_slot_unmap(struct perf_slot *s)
{
	if (s->page)
		perf_evsel__munmap(s->evsel);
	s->page = NULL;
	s->ring.data = NULL;
}

int perf_slot_enable(struct perf_slot *s)
{
	return perf_evsel__enable(s->evsel) ? -errno : 0;
}

static uint64_t later(uint64_t base, uint64_t now, uint64_t last)
{
	return base + now > last ? base + now : last;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/*
 * An event of a CPU that went offline is taken off it for good, even if the
 * CPU is back before anybody looked (__perf_event_exit_context() in
 * kernel/events/core.c): its enabled time stands still.
 */
static void notice_death(struct perf_slot *s, uint64_t enabled_ns)
{
	uint64_t now = now_ns();

	if (s->read_ns && now - s->read_ns < STANDSTILL_NS)
		return;
	s->is_dead = s->read_ns && enabled_ns == s->enabled_ns;
	s->enabled_ns = enabled_ns;
	s->read_ns = now;
}

int perf_slot_read(struct perf_slot *s)
{
	struct perf_value *v = &s->last;
	struct perf_counts_values c;
	int err;

	if (!s->evsel)
		return 0;
	/* An event in error state reads as end of file, errno untouched. */
	errno = ENODATA;
	err = perf_evsel__read(s->evsel, 0, 0, &c);
	if (err) {
		s->is_dead = 1;
		return err;
	}
	notice_death(s, c.ena);
	v->value = later(s->base.value, c.val, v->value);
	v->enabled_ns = later(s->base.enabled_ns, c.ena, v->enabled_ns);
	v->running_ns = later(s->base.running_ns, c.run, v->running_ns);
	return 0;
}

int perf_slot_period(struct perf_slot *s, uint64_t every)
{
	s->every = every;
	if (!s->evsel)
		return 0;	/* used when it opens again */
	return ioctl(slot_fd(s), PERF_EVENT_IOC_PERIOD, &every) ? -errno : 0;
}

void perf_slot_close(struct perf_slot *s)
{
	if (!s->evsel)
		return;
	perf_slot_unmap(s);
	perf_evsel__close(s->evsel);
	perf_evsel__delete(s->evsel);
	s->evsel = NULL;
	s->base = s->last;
	s->fill = 0;
	s->read_ns = 0;
	s->is_dead = 0;
}
