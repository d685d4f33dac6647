/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is behind a struct bpf?  Shared by the three files that know libbpf:
 * bpf.c (programs), bpf_maps.c (maps, rings), bpf_types.c (the kernel's BTF).
 */
#ifndef COLLECTORS_BPF_OWN_H
#define COLLECTORS_BPF_OWN_H

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include "bpf.h"

enum { LINKS = 24, RINGS = 2, VIEWS = 16 };

struct bpf_link_of {
	const struct bpf_program *prog;
	struct bpf_link *link;
};

struct bpf_ring_of {
	const struct bpf_map *map;
	struct ring_buffer *ring;
};

struct bpf_view {		/* an array map in our memory */
	const struct bpf_map *map;
	void *memory;
	size_t bytes;
};

struct bpf_drain {		/* of a ring, in one call */
	void (*fn)(void *arg, const void *data, size_t size);
	void *arg;
	uint64_t bytes, most;
	int n;
};

struct bpf {
	struct bpf_object *object;
	struct btf *kernel;	/* loaded when asked for, gone after load */
	struct bpf_link_of link[LINKS];
	struct bpf_ring_of ring[RINGS];
	struct bpf_view view[VIEWS];
	struct bpf_drain drain;
	int is_loaded;
};

/* ".rodata" finds "sched.rodata"; NULL: none. */
struct bpf_map *bpf_maps_find(const struct bpf *b, const char *name);
void bpf_maps_free(struct bpf *b);		/* rings and views */
void bpf_types_free(struct bpf *b);		/* the kernel's BTF */

#endif
