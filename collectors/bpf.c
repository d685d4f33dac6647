// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How does a collector get its program into the kernel?  By libbpf, from the
 * images that the build made of x.bpf.c; the one includer of libbpf.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include "bpf_images.h"
#include "bpf_why.h"

enum { LINKS = 24, RINGS = 2, VIEWS = 16, LOG = 1 << 20 };

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

static int quiet(enum libbpf_print_level level, const char *format,
		 va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

/* ---- is it possible at all? --------------------------------------------- */

/* A program that does nothing: 0, or what bpf(2) says. */
static int nothing_load(void)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },	/* r0 = 0 */
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "stalltop_try",
			       "GPL", nothing, 2, NULL);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int bpf_possible(const struct env *env, struct bpf_why *why)
{
	int err;

	libbpf_set_print(quiet);
	if (env->opt->engine == ENGINE_PERF)
		return bpf_why_not_asked(why);
	err = nothing_load();
	if (err) {
		bpf_why_refused(why, env, err);
		return err;
	}
	if (faccessat(env->sys_fd, "kernel/btf/vmlinux", R_OK, 0)) {
		bpf_why_set(why, -errno, "a kernel with CONFIG_DEBUG_INFO_BTF",
			    "the kernel does not describe its types: "
			    "/sys/kernel/btf/vmlinux: %s", strerror(errno));
		return why->err;
	}
	if (libbpf_probe_bpf_map_type(BPF_MAP_TYPE_RINGBUF, NULL) != 1) {
		bpf_why_set(why, -EOPNOTSUPP, "a kernel of 5.8 or later",
			    "kernel %s is too old for it", env->host ?
			    env->host->release : "?");
		return why->err;
	}
	return 0;
}

/* ---- open, fit, load ------------------------------------------------------ */

int bpf_open(struct bpf **out, const char *image, struct bpf_why *why)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = image);
	const struct bpf_image *i = bpf_images;
	struct bpf *b = calloc(1, sizeof(*b));
	size_t bytes;
	const void *elf;

	*out = NULL;
	while (i->name && strcmp(i->name, image))
		i++;
	if (!b || !i->name) {
		free(b);
		bpf_why_set(why, b ? -ENOENT : -ENOMEM, NULL,
			    "no program \"%s\" was built in", image);
		return why->err;
	}
	elf = i->elf(&bytes);
	b->object = bpf_object__open_mem(elf, bytes, &opts);
	if (!b->object) {
		bpf_why_set(why, -errno, NULL, "program image %s: %s", image,
			    strerror(errno));
		free(b);
		return why->err;
	}
	*out = b;
	return 0;
}

static struct bpf_program *program_of(const struct bpf *b, const char *name)
{
	return bpf_object__find_program_by_name(b->object, name);
}

static struct bpf_map *map_of(const struct bpf *b, const char *name)
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

static int struct_has(const struct btf *btf, const char *name, size_t len,
		      const char *member)
{
	char type[64];
	const struct btf_type *t;
	const struct btf_member *m;
	int id, i;

	if (len >= sizeof(type))
		return 0;
	memcpy(type, name, len);
	type[len] = '\0';
	id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT);
	if (id < 0)
		return 0;
	t = btf__type_by_id(btf, (unsigned)id);
	for (i = 0, m = btf_members(t); i < btf_vlen(t); i++, m++)
		if (!strcmp(btf__name_by_offset(btf, m->name_off), member))
			return 1;
	return 0;
}

int bpf_kernel_has(struct bpf *b, const char *name)
{
	char trace[96] = "btf_trace_";
	const char *dot = strchr(name, '.');

	if (!b->kernel)
		b->kernel = btf__load_vmlinux_btf();
	if (!b->kernel)
		return 0;
	if (dot)
		return struct_has(b->kernel, name, (size_t)(dot - name),
				  dot + 1);
	strncat(trace, name, sizeof(trace) - sizeof("btf_trace_"));
	return btf__find_by_name_kind(b->kernel, trace, BTF_KIND_TYPEDEF) > 0 ||
	       btf__find_by_name_kind(b->kernel, name, BTF_KIND_FUNC) > 0 ||
	       btf__find_by_name_kind(b->kernel, name, BTF_KIND_STRUCT) > 0;
}

int bpf_trace_args(struct bpf *b, const char *tracepoint)
{
	char name[96] = "btf_trace_";
	const struct btf_type *t;
	int id, steps;

	if (!b->kernel)
		b->kernel = btf__load_vmlinux_btf();
	strncat(name, tracepoint, sizeof(name) - sizeof("btf_trace_"));
	id = b->kernel ? btf__find_by_name_kind(b->kernel, name,
						BTF_KIND_TYPEDEF) : -1;
	/* typedef -> pointer -> prototype, whose first argument is no one's */
	for (steps = 0; id > 0 && steps < 4; steps++) {
		t = btf__type_by_id(b->kernel, (unsigned)id);
		if (btf_is_func_proto(t))
			return btf_vlen(t) - 1;
		id = (int)t->type;
	}
	return -ENOENT;
}

void bpf_leave_out(struct bpf *b, const char *program)
{
	struct bpf_program *prog = program_of(b, program);

	if (prog)
		bpf_program__set_autoload(prog, false);
}

int bpf_resize(struct bpf *b, const char *map, uint32_t entries)
{
	struct bpf_map *m = map_of(b, map);

	return m ? bpf_map__set_max_entries(m, entries) : -ENOENT;
}

int bpf_retarget(struct bpf *b, const char *program, const char *function)
{
	struct bpf_program *prog = program_of(b, program);

	return prog ? bpf_program__set_attach_target(prog, 0, function)
		    : -ENOENT;
}

/* Which program was it?  The one with words in its log; else the first. */
static void refusal_say(const struct bpf *b, int err, struct bpf_why *why)
{
	struct bpf_program *prog, *first = NULL;
	size_t bytes;
	const char *log;

	bpf_object__for_each_program(prog, b->object) {
		if (!bpf_program__autoload(prog))
			continue;
		first = first ? first : prog;
		log = bpf_program__log_buf(prog, &bytes);
		if (log && *log) {
			bpf_why_program(why, err, bpf_program__name(prog),
					log);
			return;
		}
	}
	bpf_why_program(why, err, first ? bpf_program__name(first) : "", "");
}

int bpf_load(struct bpf *b, struct bpf_why *why)
{
	struct bpf_program *prog;
	char *log;
	size_t bytes;
	int err;

	btf__free(b->kernel);
	b->kernel = NULL;
	bpf_object__for_each_program(prog, b->object) {
		log = malloc(LOG);	/* touched by a refusal only */
		if (!log)
			continue;
		*log = '\0';
		if (bpf_program__set_log_buf(prog, log, LOG))
			free(log);
	}
	err = bpf_object__load(b->object);
	if (err)
		refusal_say(b, err, why);
	b->is_loaded = !err;
	bpf_object__for_each_program(prog, b->object) {
		log = (char *)bpf_program__log_buf(prog, &bytes);
		bpf_program__set_log_buf(prog, NULL, 0);
		free(log);
	}
	return err;
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
	struct bpf_map *map = map_of(b, name);
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

/* ---- programs at work -------------------------------------------------------- */

static struct bpf_link_of *link_of(struct bpf *b,
				   const struct bpf_program *prog)
{
	struct bpf_link_of *l = b->link;

	while (l < b->link + LINKS && l->prog != prog)
		l++;
	return l < b->link + LINKS ? l : NULL;
}

static int link_keep(struct bpf *b, const struct bpf_program *prog,
		     struct bpf_link *link)
{
	struct bpf_link_of *l = link_of(b, NULL);

	if (!link)
		return -errno;
	if (!l) {
		bpf_link__destroy(link);
		return -ENOSPC;
	}
	*l = (struct bpf_link_of) { prog, link };
	return 0;
}

int bpf_attach(struct bpf *b, const char *program)
{
	struct bpf_program *prog = program_of(b, program);

	if (!prog || bpf_program__fd(prog) < 0)
		return -ENOENT;
	if (link_of(b, prog))
		return -EALREADY;
	return link_keep(b, prog, bpf_program__attach(prog));
}

int bpf_attach_perf(struct bpf *b, const char *program, int perf_fd)
{
	struct bpf_program *prog = program_of(b, program);

	if (!prog || bpf_program__fd(prog) < 0)
		return -ENOENT;
	if (link_of(b, prog))
		return -EALREADY;
	return link_keep(b, prog,
			 bpf_program__attach_perf_event(prog, perf_fd));
}

void bpf_detach(struct bpf *b, const char *program)
{
	struct bpf_program *prog = program_of(b, program);
	struct bpf_link_of *l = prog ? link_of(b, prog) : NULL;

	if (!l)
		return;
	bpf_link__destroy(l->link);
	memset(l, 0, sizeof(*l));
}

int bpf_run(struct bpf *b, const char *program)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	struct bpf_program *prog = program_of(b, program);
	int err = prog ? bpf_prog_test_run_opts(bpf_program__fd(prog), &opts)
		       : -ENOENT;

	return err ? err : (int)opts.retval;
}

int bpf_iterate(struct bpf *b, const char *program)
{
	struct bpf_program *prog = program_of(b, program);
	struct bpf_link_of *l;
	int err;

	if (!prog)
		return -ENOENT;
	l = link_of(b, prog);
	if (!l) {
		err = link_keep(b, prog, bpf_program__attach_iter(prog, NULL));
		if (err)
			return err;
		l = link_of(b, prog);
	}
	return bpf_iter_create(bpf_link__fd(l->link));
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
	struct bpf_map *map = map_of(b, name);
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
	struct bpf_map *map = map_of(b, name);

	return map ? bpf_map_lookup_elem(bpf_map__fd(map), key, value)
		   : -ENOENT;
}

int bpf_map_next(const struct bpf *b, const char *name, const void *key,
		 void *next)
{
	struct bpf_map *map = map_of(b, name);

	return map ? bpf_map_get_next_key(bpf_map__fd(map), key, next)
		   : -ENOENT;
}

uint64_t bpf_skipped(const struct bpf *b)
{
	struct bpf_program *prog;
	uint64_t all = 0;

	bpf_object__for_each_program(prog, b->object) {
		struct bpf_prog_info info = { 0 };
		uint32_t len = sizeof(info);

		if (bpf_program__fd(prog) >= 0 &&
		    !bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len))
			all += info.recursion_misses;
	}
	return all;
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

void bpf_close(struct bpf *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < LINKS; i++)
		bpf_link__destroy(b->link[i].link);
	for (i = 0; i < RINGS; i++)
		ring_buffer__free(b->ring[i].ring);
	for (i = 0; i < VIEWS; i++)
		if (b->view[i].map)
			munmap(b->view[i].memory, b->view[i].bytes);
	btf__free(b->kernel);
	bpf_object__close(b->object);
	free(b);
}
