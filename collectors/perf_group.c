/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does one event stand on every online CPU, while CPUs come and go?
 *
 * Invariants: all rings of a group have one size; an event is enabled only
 * after its ring is there; a group stands on every CPU that takes it, or does
 * not open.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "perf.h"
#include "perf_attr.h"
#include "perf_slot.h"

#define ONLINE "/sys/devices/system/cpu/online"

enum { ONLINE_MAX = 4096 };

struct perf_group {
	struct perf_want want;
	struct perf_event_attr attr;	/* as this kernel takes it */
	struct perf_layout layout;
	struct perf_slot *slot;
	size_t n;
	unsigned pages, lacks;
	int online_fd;
	char online[ONLINE_MAX];	/* CPU list the slots stand for */
	unsigned char *copy;		/* for wrapped records */
};

/* The same, giving up what the kernel does not know. */
static int slot_open_weaker(struct perf_group *g, struct perf_slot *s)
{
	struct perf_event_attr asked = g->attr;
	unsigned lacks = g->lacks;
	int err;

	do {
		err = perf_slot_open(s, &g->attr, g->want.own ? 0 : -1);
	} while (err && perf_attr_may_weaken(&g->attr, err) &&
		 perf_attr_weaken(&g->attr, &g->lacks));
	if (err) {
		g->attr = asked;
		g->lacks = lacks;
	}
	return err;
}

/* Rings of that size for all open slots, or for none. */
static int group_map_all(struct perf_group *g, unsigned pages)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < g->n; i++)
		if (g->slot[i].evsel)
			err = perf_slot_map(&g->slot[i], pages, g->copy);
	for (i = 0; err && i < g->n; i++)
		perf_slot_unmap(&g->slot[i]);
	return err;
}

/*
 * Rings shrunk until they fit: the free quota of perf_event_mlock_kb is one
 * for all perf users of a uid, so it may be spent before we come.
 */
static int group_map(struct perf_group *g)
{
	int err;

	while ((err = group_map_all(g, g->pages))) {
		if (err != -EPERM && err != -ENOMEM)
			return err;
		if (g->pages == 1)
			return -ENOBUFS;
		g->pages /= 2;
	}
	return 0;
}

/*
 * May the event stand on other CPUs although this one refuses?  It went
 * offline, or (ENOENT) has another PMU, as on hybrid machines.
 */
static int is_of_one_cpu(int err)
{
	return err == -ENODEV || err == -ENXIO || err == -ENOENT ||
	       err == -EOPNOTSUPP;
}

static int group_open(struct perf_group *g)
{
	int err, refused = -ENODEV;
	size_t i, open = 0;

	for (i = 0; i < g->n; i++) {
		err = slot_open_weaker(g, &g->slot[i]);
		if (!err)
			open++;
		else if (is_of_one_cpu(err))
			refused = err;
		else
			return err;
	}
	if (!open)
		return refused;
	if (g->pages && (err = group_map(g)))
		return err;
	for (i = 0; i < g->n; i++)
		if (g->slot[i].evsel)
			perf_slot_enable(&g->slot[i]);
	return 0;
}

/* A CPU that came later: its ring is as large as the others, or it is not. */
static int slot_start(struct perf_group *g, struct perf_slot *s)
{
	int err = slot_open_weaker(g, s);

	if (!err && g->pages)
		err = perf_slot_map(s, g->pages, g->copy);
	if (!err)
		err = perf_slot_enable(s);
	if (err)
		perf_slot_close(s);
	s->err = -err;
	return err;
}

static struct perf_slot *slot_of(struct perf_group *g, int cpu)
{
	struct perf_slot *s;
	size_t i;

	for (i = 0; i < g->n; i++)
		if (g->slot[i].cpu == cpu)
			return &g->slot[i];
	s = realloc(g->slot, (g->n + 1) * sizeof(*s));
	if (!s)
		return NULL;
	g->slot = s;
	s += g->n++;
	memset(s, 0, sizeof(*s));
	s->cpu = cpu;
	s->every = g->attr.sample_period;
	return s;
}

static int group_slots(struct perf_group *g, const int *cpu, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!slot_of(g, cpu[i]))
			return -ENOMEM;
	return 0;
}

/* The CPU list as the kernel writes it, without its newline; 0 or -errno. */
static int online_read(struct perf_group *g, char *text)
{
	ssize_t len = pread(g->online_fd, text, ONLINE_MAX - 1, 0);

	if (len < 0)
		return -errno;
	text[len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return *text ? 0 : -ENODATA;
}

static int group_init(struct perf_group *g, const struct perf_want *want)
{
	int sampling = want->every || want->freq;
	size_t n;
	int err, *cpu;

	g->want = *want;
	g->pages = !sampling ? 0 : want->pages ? want->pages : 1;
	perf_attr_init(&g->attr, want);
	g->layout.sample_type = g->attr.sample_type;
	g->layout.read_format = g->attr.read_format;
	if (sampling && !(g->copy = malloc(PERF_RECORD_ROOM)))
		return -ENOMEM;
	g->online_fd = open(ONLINE, O_RDONLY | O_CLOEXEC);
	if (g->online_fd < 0 || online_read(g, g->online))
		g->online[0] = '\0';	/* libperf asks sysconf() then */
	err = perf_cpu_list(g->online[0] ? g->online : NULL, &cpu, &n);
	if (!err)
		err = group_slots(g, cpu, n);
	free(cpu);
	return err;
}

int perf_open(struct perf_group **out, const struct perf_want *want)
{
	struct perf_group *g;
	int err;

	*out = NULL;
	if (want->pages & (want->pages - 1))
		return -EINVAL;
	g = calloc(1, sizeof(*g));
	if (!g)
		return -ENOMEM;
	g->online_fd = -1;
	err = group_init(g, want);
	if (err)
		goto out;
	perf_raise_nofile(g->n);
	err = group_open(g);
out:
	if (err) {
		perf_close(g);
		g = NULL;
	}
	*out = g;
	return err;
}

void perf_close(struct perf_group *g)
{
	size_t i;

	if (!g)
		return;
	for (i = 0; i < g->n; i++)
		perf_slot_close(&g->slot[i]);
	if (g->online_fd >= 0)
		close(g->online_fd);
	free(g->slot);
	free(g->copy);
	free(g);
}

static int is_among(int cpu, const int *list, size_t n)
{
	while (n--)
		if (list[n] == cpu)
			return 1;
	return 0;
}

/* One process's event stands still whenever that does not run. */
static int slot_is_dead(const struct perf_group *g, const struct perf_slot *s)
{
	return s->evsel && s->is_dead && !g->want.own;
}

static int any_is_dead(const struct perf_group *g)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (slot_is_dead(g, &g->slot[i]))
			return 1;
	return 0;
}

/* Open it if it came, close it if it went; 1 if something changed. */
static int slot_follow(struct perf_group *g, struct perf_slot *s, int online)
{
	if (!s->evsel)
		return online && !slot_start(g, s);
	if (online && !slot_is_dead(g, s))
		return 0;
	perf_slot_read(s);
	perf_slot_close(s);
	s->err = ENODEV;
	if (online)
		slot_start(g, s);
	return 1;
}

int perf_follow_cpus(struct perf_group *g, const char *list)
{
	int err, changed = 0, *cpu;
	size_t i, n;

	err = perf_cpu_list(list, &cpu, &n);
	if (!err)
		err = group_slots(g, cpu, n);
	for (i = 0; !err && i < g->n; i++)
		changed += slot_follow(g, &g->slot[i],
				       is_among(g->slot[i].cpu, cpu, n));
	free(cpu);
	return err ? err : changed;
}

int perf_follow(struct perf_group *g)
{
	char text[ONLINE_MAX];
	int err;

	if (g->online_fd < 0)
		return 0;
	err = online_read(g, text);
	if (err || (!strcmp(text, g->online) && !any_is_dead(g)))
		return err;
	err = perf_follow_cpus(g, text);
	if (err >= 0)
		strcpy(g->online, text);
	return err;
}

size_t perf_cpus(const struct perf_group *g)
{
	return g->n;
}

int perf_cpu(const struct perf_group *g, size_t slot)
{
	return g->slot[slot].evsel ? g->slot[slot].cpu : -1;
}

int perf_slot_cpu(const struct perf_group *g, size_t slot, int *err)
{
	*err = g->slot[slot].err;
	return g->slot[slot].cpu;
}

int perf_read(struct perf_group *g, size_t slot, struct perf_value *v)
{
	int err = perf_slot_read(&g->slot[slot]);

	*v = g->slot[slot].last;
	return err;
}

int perf_set_every(struct perf_group *g, size_t slot, uint64_t every)
{
	return every ? perf_slot_period(&g->slot[slot], every) : -EINVAL;
}

size_t perf_drain(struct perf_group *g, size_t slot,
		  void (*fn)(void *arg, const struct perf_sample *),
		  void *arg, uint64_t *lost)
{
	struct perf_slot *s = &g->slot[slot];
	uint64_t head;
	size_t n;

	if (!s->page)
		return 0;
	head = __atomic_load_n(&s->page->data_head, __ATOMIC_ACQUIRE);
	s->fill = (double)(head - s->ring.tail) / (double)s->ring.size;
	if (head == s->ring.tail)
		return 0;
	n = perf_ring_read(&s->ring, head, &g->layout, fn, arg, lost);
	__atomic_store_n(&s->page->data_tail, head, __ATOMIC_RELEASE);
	return n;
}

double perf_fill(const struct perf_group *g, size_t slot)
{
	return g->slot[slot].fill;
}

unsigned perf_pages(const struct perf_group *g)
{
	return g->pages;
}

unsigned perf_lacks(const struct perf_group *g)
{
	return g->lacks;
}
