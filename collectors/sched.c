/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who leaves the CPU, and where?  The in-kernel engine (sched_bpf.c) tells it
 * where it can be had, else perf events (sched_perf.c); both write into the
 * same book of stacks, tasks and weights (sched_book.c).
 */
#include <errno.h>
#include <stdlib.h>
#include "collectors.h"
#include "sched_book.h"

struct sched {
	struct sched_book book;
	const struct sched_engine *engine;
	void *state;			/* the engine's */
};

static int sched_drain(void *state)
{
	struct sched *s = state;

	return s->engine->drain(s->state);
}

static int sched_collect(void *state, struct sample *to)
{
	struct sched *s = state;
	struct sched_book *b = &s->book;
	int err = s->engine->collect(s->state, to);

	sched_book_retire(b);
	if (s->engine->retire)
		s->engine->retire(s->state);
	if (!err)
		err = sched_book_collect(b, to);
	if (!err && s->engine->add)
		err = s->engine->add(s->state, to);
	b->seq++;
	b->state.every = b->governor.fixed ? b->governor.fixed
					   : b->governor.base;
	b->state.symbols = ksyms_count(b->ksyms);
	sched_health_update(b->env->health, &b->state, s->engine->words);
	return err;
}

static void sched_close(void *state)
{
	struct sched *s = state;

	if (!s)
		return;
	if (s->engine)
		s->engine->close(s->state);
	sched_book_free(&s->book);
	free(s);
}

/* The first of these that can be had; what is said of the others stays. */
static int engine_choose(struct sched *s)
{
	static const struct {
		const struct sched_engine *engine;
		enum engine refused_by;
	} try[] = {
		{ &sched_engine_bpf, ENGINE_PERF },
		{ &sched_engine_perf, ENGINE_BPF },
	};
	int err = -ENOSYS;
	size_t i;

	for (i = 0; i < sizeof(try) / sizeof(try[0]) && err; i++) {
		if (s->book.env->opt->engine == try[i].refused_by)
			continue;
		err = try[i].engine->open(&s->state, &s->book);
		if (!err)
			s->engine = try[i].engine;
	}
	return err;
}

static int sched_open(void **state, const struct env *env)
{
	struct sched *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (!s)
		return err;
	err = sched_book_init(&s->book, env);
	if (!err)
		err = engine_choose(s);
	if (err) {
		sched_close(s);
		return err;
	}
	*state = s;
	return 0;
}

const struct collector sched_collector = {
	.name = "sched",
	.needs = "tracepoint sched:sched_switch by bpf(2), or by "
		 "perf_event_open(2); /proc/kallsyms",
	.live_only = 1,
	.open = sched_open,
	.drain = sched_drain,
	.collect = sched_collect,
	.close = sched_close,
};
