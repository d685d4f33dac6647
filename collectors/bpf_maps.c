// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What have the programs written?  Memory that both sides see, rings of
 * records, hash maps; and how much memory all of it takes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bpf_own.h"

struct bpf_map *bpf_maps_find(const struct bpf *b, const char *name)
{
	struct bpf_map *map;
	size_t len = strlen(name), have;
	const char *full;

	if (*name != '.')
		return bpf_object__find_map_by_name(b->object, name);
	bpf_object__for_each_map(map, b->object) {	/* "sched.rodata" */
		full = bpf_map__name(map);
		have = strlen(full);
		if (have > len && !strcmp(full + have - len, name))
			return map;
	}
	return NULL;
}

/* ---- memory that both sides see -------------------------------------------- */

static void *view_make(struct bpf *b, const struct bpf_map *map, size_t *bytes)
{
	struct bpf_view *v = b->view;
	long page = sysconf(_SC_PAGESIZE);

	while (v < b->view + VIEWS && v->map && v->map != map)
		v++;
	if (v == b->view + VIEWS)
		return NULL;
	if (!v->map) {
		v->bytes = (size_t)(bpf_map__value_size(map) + 7) / 8 * 8 *
			   bpf_map__max_entries(map);
		v->bytes = (v->bytes + page - 1) / page * page;
		v->memory = mmap(NULL, v->bytes, PROT_READ | PROT_WRITE,
				 MAP_SHARED, bpf_map__fd(map), 0);
		if (v->memory == MAP_FAILED)
			return NULL;
		v->map = map;
	}
	*bytes = v->bytes;
	return v->memory;
}

void *bpf_memory(struct bpf *b, const char *name, size_t *bytes)
{
	struct bpf_map *map = bpf_maps_find(b, name);
	size_t unused;

	bytes = bytes ? bytes : &unused;
	if (!map)
		return NULL;
	if (*name == '.')
		return (void *)(uintptr_t)bpf_map__initial_value(map, bytes);
	return b->is_loaded ? view_make(b, map, bytes) : NULL;
}

void *bpf_variable(struct bpf *b, const char *section, const char *name)
{
	const struct btf *btf = bpf_object__btf(b->object);
	int id = btf__find_by_name_kind(btf, section, BTF_KIND_DATASEC);
	const struct btf_type *t = id > 0 ? btf__type_by_id(btf, id) : NULL;
	const struct btf_var_secinfo *v = t ? btf_var_secinfos(t) : NULL;
	char *memory = bpf_memory(b, section, NULL);
	int i;

	for (i = 0; t && memory && i < btf_vlen(t); i++, v++)
		if (!strcmp(btf__name_by_offset(btf, btf__type_by_id(btf,
				v->type)->name_off), name))
			return memory + v->offset;
	return NULL;
}

/* ---- rings and maps ------------------------------------------------------------ */

static int record_take(void *ctx, void *data, size_t size)
{
	struct bpf_drain *d = ctx;

	d->fn(d->arg, data, size);
	d->n++;
	d->bytes += (size + 8 + 7) / 8 * 8;	/* 8: a record's header */
	return d->bytes < d->most ? 0 : -ECANCELED;
}

static struct ring_buffer *ring_of(struct bpf *b, const struct bpf_map *map)
{
	struct bpf_ring_of *r = b->ring;

	while (r < b->ring + RINGS && r->map && r->map != map)
		r++;
	if (r == b->ring + RINGS)
		return NULL;
	if (!r->map) {
		r->ring = ring_buffer__new(bpf_map__fd(map), record_take,
					   &b->drain, NULL);
		if (r->ring)
			r->map = map;
	}
	return r->ring;
}

int bpf_ring_drain(struct bpf *b, const char *name,
		   void (*fn)(void *arg, const void *data, size_t size),
		   void *arg, double *fill)
{
	struct bpf_map *map = bpf_maps_find(b, name);
	struct ring_buffer *ring = map ? ring_of(b, map) : NULL;
	int err;

	if (!ring)
		return -ENOENT;
	b->drain = (struct bpf_drain) { fn, arg, 0, bpf_map__max_entries(map),
					0 };
	err = ring_buffer__consume(ring);
	if (fill)
		*fill = (double)b->drain.bytes / (double)b->drain.most;
	return err < 0 && err != -ECANCELED ? err : b->drain.n;
}

int bpf_map_get(const struct bpf *b, const char *name, const void *key,
		void *value)
{
	struct bpf_map *map = bpf_maps_find(b, name);

	return map ? bpf_map_lookup_elem(bpf_map__fd(map), key, value)
		   : -ENOENT;
}

int bpf_map_next(const struct bpf *b, const char *name, const void *key,
		 void *next)
{
	struct bpf_map *map = bpf_maps_find(b, name);

	return map ? bpf_map_get_next_key(bpf_map__fd(map), key, next)
		   : -ENOENT;
}

/* The kernel says it itself: memlock of the descriptor. */
static size_t map_bytes(const struct bpf_map *map)
{
	char path[48], text[512], *at;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", bpf_map__fd(map));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	at = strstr(text, "memlock:");
	return at ? strtoul(at + 8, NULL, 10) : 0;
}

size_t bpf_map_bytes(const struct bpf *b)
{
	struct bpf_map *map;
	size_t all = 0;

	bpf_object__for_each_map(map, b->object)
		if (bpf_map__fd(map) >= 0)
			all += map_bytes(map);
	return all;
}

static int map_is_percpu(const struct bpf_map *map)
{
	enum bpf_map_type type = bpf_map__type(map);

	return type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       type == BPF_MAP_TYPE_PERCPU_HASH ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

/* Elements that an array sized by CPUs, or by pairs of them, would gain. */
static size_t map_grows(const struct bpf_map *map, size_t ncpu)
{
	size_t n = bpf_map__max_entries(map);

	if (bpf_map__type(map) != BPF_MAP_TYPE_ARRAY)
		return 0;
	return n == ncpu ? 1 : n == ncpu * ncpu ? 2 * ncpu + 1 : 0;
}

size_t bpf_map_cpu_bytes(const struct bpf *b, unsigned ncpu)
{
	int possible = libbpf_num_possible_cpus();
	struct bpf_map *map;
	size_t all = 0;

	bpf_object__for_each_map(map, b->object) {
		if (bpf_map__fd(map) < 0 || bpf_map__is_internal(map))
			continue;
		if (map_is_percpu(map))
			all += map_bytes(map) / (possible > 0 ? possible : 1);
		else
			all += map_grows(map, ncpu) * bpf_map__value_size(map);
	}
	return all;
}

void bpf_maps_free(struct bpf *b)
{
	size_t i;

	for (i = 0; i < RINGS; i++)
		ring_buffer__free(b->ring[i].ring);
	for (i = 0; i < VIEWS; i++)
		if (b->view[i].map)
			munmap(b->view[i].memory, b->view[i].bytes);
}
