// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does a build without libbpf (make BPF=0) say of the in-kernel engine?
 * That it is not there.  Nothing can be opened, so the functions below the
 * first three are there for the linker and say no to everybody.
 */
#include <errno.h>
#include "bpf_why.h"

static int none(struct bpf_why *why)
{
	bpf_why_set(why, -ENOSYS, "build it with clang, bpftool and "
		    "libbpf-dev: make BPF=1", "built without it (make BPF=0)");
	return -ENOSYS;
}

int bpf_possible(const struct env *env, struct bpf_why *why)
{
	return env->opt->engine == ENGINE_PERF ? bpf_why_not_asked(why)
					       : none(why);
}

int bpf_open(struct bpf **out, const char *image, struct bpf_why *why)
{
	(void)image;
	*out = NULL;
	return none(why);
}

void bpf_close(struct bpf *b)
{
	(void)b;
}

int bpf_kernel_has(struct bpf *b, const char *name)
{
	(void)b;
	(void)name;
	return 0;
}

int bpf_trace_args(struct bpf *b, const char *tracepoint)
{
	(void)b;
	(void)tracepoint;
	return -ENOENT;
}

void bpf_leave_out(struct bpf *b, const char *program)
{
	(void)b;
	(void)program;
}

int bpf_resize(struct bpf *b, const char *map, uint32_t entries)
{
	(void)b;
	(void)map;
	(void)entries;
	return -ENOSYS;
}

int bpf_retarget(struct bpf *b, const char *program, const char *function)
{
	(void)b;
	(void)program;
	(void)function;
	return -ENOSYS;
}

int bpf_load(struct bpf *b, struct bpf_why *why)
{
	(void)b;
	return none(why);
}

void *bpf_memory(struct bpf *b, const char *map, size_t *bytes)
{
	(void)b;
	(void)map;
	(void)bytes;
	return NULL;
}

void *bpf_variable(struct bpf *b, const char *section, const char *name)
{
	(void)b;
	(void)section;
	(void)name;
	return NULL;
}

int bpf_attach(struct bpf *b, const char *program)
{
	(void)b;
	(void)program;
	return -ENOSYS;
}

int bpf_attach_perf(struct bpf *b, const char *program, int perf_fd)
{
	(void)b;
	(void)program;
	(void)perf_fd;
	return -ENOSYS;
}

void bpf_detach(struct bpf *b, const char *program)
{
	(void)b;
	(void)program;
}

int bpf_run(struct bpf *b, const char *program)
{
	(void)b;
	(void)program;
	return -ENOSYS;
}

int bpf_iterate(struct bpf *b, const char *program)
{
	(void)b;
	(void)program;
	return -ENOSYS;
}

int bpf_ring_drain(struct bpf *b, const char *map,
		   void (*fn)(void *arg, const void *data, size_t size),
		   void *arg, double *fill)
{
	(void)b;
	(void)map;
	(void)fn;
	(void)arg;
	(void)fill;
	return -ENOSYS;
}

int bpf_map_get(const struct bpf *b, const char *map, const void *key,
		void *value)
{
	(void)b;
	(void)map;
	(void)key;
	(void)value;
	return -ENOSYS;
}

int bpf_map_next(const struct bpf *b, const char *map, const void *key,
		 void *next)
{
	(void)b;
	(void)map;
	(void)key;
	(void)next;
	return -ENOENT;
}

uint64_t bpf_skipped(const struct bpf *b)
{
	(void)b;
	return 0;
}

size_t bpf_map_bytes(const struct bpf *b)
{
	(void)b;
	return 0;
}

size_t bpf_map_cpu_bytes(const struct bpf *b, unsigned ncpu)
{
	(void)b;
	(void)ncpu;
	return 0;
}
