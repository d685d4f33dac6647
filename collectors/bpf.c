// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How does a collector get its program into the kernel?  By libbpf, from the
 * images that the build made of x.bpf.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bpf_images.h"
#include "bpf_own.h"
#include "bpf_why.h"

enum { LOG = 1 << 20 };

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
	if (libbpf_probe_bpf_map_type(BPF_MAP_TYPE_RINGBUF, NULL) != 1) {
		bpf_why_refused(why, env, -EOPNOTSUPP);
		return why->err;
	}
	return bpf_why_kernel(why, env);
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

void bpf_leave_out(struct bpf *b, const char *program)
{
	struct bpf_program *prog = program_of(b, program);

	if (prog)
		bpf_program__set_autoload(prog, false);
}

int bpf_resize(struct bpf *b, const char *map, uint32_t entries)
{
	struct bpf_map *m = bpf_maps_find(b, map);

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

	bpf_types_free(b);
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

void bpf_close(struct bpf *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < LINKS; i++)
		bpf_link__destroy(b->link[i].link);
	bpf_maps_free(b);
	bpf_types_free(b);
	bpf_object__close(b->object);
	free(b);
}
