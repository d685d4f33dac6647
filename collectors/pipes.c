// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many bytes go through each pipe?  Counted exactly, by a program at the
 * end of each read and write of a pipe (pipe_bytes.bpf.c), while asked for:
 * --pipe-bytes, or a key.  Else nothing of it is in the kernel.
 *
 * Only where programs may be put at the end of functions: a return probe would
 * miss calls when more tasks sleep in them than it has room for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bpf_why.h"
#include "collectors.h"
#include "engine.h"
#include "pipes_table.h"

struct pipes {
	const struct env *env;
	struct bpf *bpf;		/* NULL: off */
	const uint64_t *lost;		/* shared with the program */
	struct pipes_table table;
	uint64_t told_lost, told_let_go;
};

static const char collector[] = "pipes", map[] = "pipes";

/* ---- what is said of it --------------------------------------------------------- */

static void off_say(const struct pipes *p)
{
	health_set(p->env->health, collector, "", 0, -1, HEALTH_NOTE, 0, NULL,
		   "off: --pipe-bytes or B");
}

static void on_say(struct pipes *p)
{
	p->told_lost = *p->lost;
	p->told_let_go = p->table.let_go;
	if (!p->told_lost && !p->told_let_go)
		health_set(p->env->health, collector, "", 0, -1, HEALTH_OK, 0,
			   NULL, "bytes read and written, exact; splice() not "
			   "counted");
	else
		health_set(p->env->health, collector, "", 0, -1, HEALTH_PARTLY,
			   0, NULL, "bytes read and written; more than %d "
			   "pipes: %llu of them let go, %llu calls not counted",
			   PIPE_BYTES_MOST,
			   (unsigned long long)p->told_let_go,
			   (unsigned long long)p->told_lost);
}

static void refusal_say(const struct pipes *p, int err,
			const struct bpf_why *why)
{
	health_set(p->env->health, collector, "", 0, -1, HEALTH_ABSENT, -err,
		   why->remedy, "%s",
		   why->why[0] ? why->why : strerror(-err));
}

/* ---- on and off ----------------------------------------------------------------- */

/* anon_* since 6.15 (what a FIFO has calls them): the names of today are
 * looked for first. */
static int program_fit(struct bpf *b, const char *program, struct bpf_why *why)
{
	char anon[32];

	snprintf(anon, sizeof(anon), "anon_%s", program);
	if (bpf_kernel_has(b, anon))
		return bpf_retarget(b, program, anon);
	if (bpf_kernel_has(b, program))
		return 0;
	bpf_why_set(why, -ENOENT, NULL, "no function %s or %s in this kernel",
		    anon, program);
	return -ENOENT;
}

static int programs_load(struct pipes *p, struct bpf_why *why)
{
	static const char *const program[] = { "pipe_read", "pipe_write" };
	int err = bpf_open(&p->bpf, "pipe_bytes", why);
	size_t i;

	for (i = 0; i < 2 && !err; i++)
		err = program_fit(p->bpf, program[i], why);
	if (!err)
		err = bpf_load(p->bpf, why);
	if (err)
		return err;
	p->lost = bpf_variable(p->bpf, ".bss", "lost");
	if (!p->lost) {
		bpf_why_set(why, -ENOMEM, NULL, "its counts cannot be mapped");
		return -ENOMEM;
	}
	for (i = 0; i < 2 && !err; i++) {
		err = bpf_attach(p->bpf, program[i]);
		if (err)
			bpf_why_program(why, err, program[i], "");
	}
	return err;
}

static void pipes_stop(struct pipes *p)
{
	struct health_cost *cost = health_cost(p->env->health, collector);

	bpf_close(p->bpf);
	p->bpf = NULL;
	p->lost = NULL;
	if (p->table.names)
		pipes_table_clear(&p->table);
	pipes_table_free(&p->table);
	if (cost)
		cost->map_bytes = cost->map_cpu_bytes = 0;
}

/* 1, or -errno after saying why. */
static int pipes_start(struct pipes *p)
{
	struct bpf_why why = { 0 };
	int err = bpf_possible(p->env, &why);

	if (!err)
		err = pipes_table_init(&p->table, p->env->names);
	if (!err)
		err = programs_load(p, &why);
	if (err) {
		pipes_stop(p);
		refusal_say(p, err, &why);
		return err;
	}
	engine_runs(p->env, collector, p->bpf);
	on_say(p);
	return 1;
}

static int pipes_ask(void *state, enum collector_ask what)
{
	struct pipes *p = state;

	if (what != ASK_PIPE_BYTES)
		return -ENOTSUP;
	if (!p->bpf)
		return pipes_start(p);
	pipes_stop(p);
	off_say(p);
	return 0;
}

/* ---- samples ------------------------------------------------------------------ */

static int bytes_find(void *arg, const struct pipe_key *key,
		      struct pipe_bytes *bytes)
{
	struct pipes *p = arg;

	return bpf_map_get(p->bpf, map, key, bytes);
}

/* A pipe that goes while we stand at it begins the walk anew: so many steps
 * and no more. */
static void table_read(struct pipes *p)
{
	struct pipe_key at, next;
	struct pipe_bytes bytes;
	const struct pipe_key *from = NULL;
	int steps = 0;

	pipes_table_begin(&p->table);
	while (steps++ < 2 * PIPE_BYTES_MOST &&
	       !bpf_map_next(p->bpf, map, from, &next)) {
		if (!bpf_map_get(p->bpf, map, &next, &bytes))
			pipes_table_put(&p->table, &next, &bytes);
		at = next;
		from = &at;
	}
	pipes_table_end(&p->table, bytes_find, p);
}

static int pipes_collect(void *state, struct sample *to)
{
	struct pipes *p = state;

	if (!p->bpf)
		return 0;
	collector_stamp(p->env, collector);
	table_read(p);
	if (*p->lost != p->told_lost || p->table.let_go != p->told_let_go)
		on_say(p);
	return pipes_table_collect(&p->table, to);
}

static void pipes_close(void *state)
{
	struct pipes *p = state;

	if (!p)
		return;
	pipes_stop(p);
	free(p);
}

static int pipes_open(void **state, const struct env *env)
{
	struct pipes *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->env = env;
	*state = p;
	if (env->opt->pipe_bytes)
		pipes_start(p);		/* refused: it has said why */
	else
		off_say(p);
	return 0;
}

const struct collector pipes_collector = {
	.name = collector,
	.needs = "fexit of pipe_read and pipe_write by bpf(2), when asked for",
	.live_only = 1,
	.open = pipes_open,
	.collect = pipes_collect,
	.ask = pipes_ask,
	.close = pipes_close,
};
