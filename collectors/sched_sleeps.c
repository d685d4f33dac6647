// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long did the sampled sleeps last, and who ended them?
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "attribution.h"
#include "buckets.h"
#include "sched_sleeps.h"

enum { HIST_PAIRS = 32768, WAKE_PAIRS = 16384 };

int sched_sleeps_init(struct sched_sleeps *s, struct sched_book *b)
{
	struct names *names = b->env->names;
	int err;

	memset(s, 0, sizeof(*s));
	s->book = b;
	s->sleep = calloc(SCHED_MARKS, sizeof(*s->sleep));
	err = s->sleep ? sched_stacks_init(&s->wakers, b->ksyms, names)
		       : -ENOMEM;
	if (!err)
		err = sched_tally_init(&s->by_stack, HIST_PAIRS, 0, NULL);
	if (!err)
		err = sched_tally_init(&s->by_task, HIST_PAIRS, 0, NULL);
	if (!err)
		err = sched_tally_init(&s->woken_from, WAKE_PAIRS, 1, names);
	if (!err)
		err = sched_tally_init(&s->woken_by, WAKE_PAIRS, 1, NULL);
	if (!err)
		err = sched_pipes_init(&s->pipes, names);
	return err;
}

void sched_sleeps_free(struct sched_sleeps *s)
{
	free(s->sleep);
	sched_stacks_free(&s->wakers);
	sched_tally_free(&s->by_stack);
	sched_tally_free(&s->by_task);
	sched_tally_free(&s->woken_from);
	sched_tally_free(&s->woken_by);
	sched_pipes_free(&s->pipes);
	memset(s, 0, sizeof(*s));
}

void sched_sleeps_begin(struct sched_sleeps *s, const struct sched_sample *r,
			uint32_t stack, uint32_t task)
{
	uint32_t pipe = sched_pipes_add(&s->pipes, &r->pipe, stack, task,
					r->weight);

	if (r->mark < SCHED_MARKS)
		s->sleep[r->mark] = (struct sched_sleep) {
			r->turn, stack, task, 1, pipe, r->pipe.writes,
		};
}

const struct sched_sleep *sched_sleeps_find(const struct sched_sleeps *s,
					    uint32_t mark, uint32_t turn)
{
	const struct sched_sleep *sleep;

	if (mark >= SCHED_MARKS)
		return NULL;
	sleep = &s->sleep[mark];
	return sleep->open && sleep->turn == turn ? sleep : NULL;
}

/* A timer or an interrupt wakes whatever task it came upon: nobody did it. */
static int ask_by_task(const struct sched_sleeps *s, uint32_t stack)
{
	const struct names *names = s->book->env->names;
	const struct name *name = names_get(names, stack);
	struct waker w;

	if (!name)
		return 0;
	waker_of(names, name, &w);
	return w.kind == WAKER_TASK;
}

/* Asked once for each stack that is met often; ids are never used again. */
static int is_by_task(struct sched_sleeps *s, uint32_t stack)
{
	size_t i = stack % SCHED_WAKER_KINDS;

	if (stack && s->kind[i].stack != stack) {
		s->kind[i].stack = stack;
		s->kind[i].by_task = ask_by_task(s, stack);
	}
	return stack && s->kind[i].by_task;
}

void sched_sleeps_wake(struct sched_sleeps *s, const struct sched_sleep *sleep,
		       const uint64_t *ip, size_t nip, uint32_t task)
{
	int room = s->woken_from.n < s->woken_from.max;
	uint32_t from = sched_stacks_id(&s->wakers, 0, ip, nip, room);

	sched_tally_add(&s->woken_from, sleep->stack, from, s->book->seq);
	if (is_by_task(s, from))
		sched_tally_add(&s->woken_by, sleep->task, task, s->book->seq);
}

void sched_sleeps_end(struct sched_sleeps *s, const struct sched_sleep *sleep,
		      uint64_t wait_ns, uint64_t queued_ns)
{
	uint32_t bucket = bucket_of(wait_ns);

	if (queued_ns > wait_ns)	/* two clocks: rq->clock and monotonic */
		queued_ns = wait_ns;
	sched_table_wait(&s->book->table, sleep->stack, sleep->task, wait_ns,
			 queued_ns);
	sched_pipes_wait(&s->pipes, sleep->pipe, sleep->task,
			 (int)sleep->writes, wait_ns);
	sched_tally_add(&s->by_stack, sleep->stack, bucket, s->book->seq);
	sched_tally_add(&s->by_task, sleep->task, bucket, s->book->seq);
	s->sleep[sleep - s->sleep].open = 0;
}

static int id_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int is_gone(const struct sched_book *b, uint32_t id)
{
	return id && bsearch(&id, b->gone, b->ngone, sizeof(*b->gone),
			     id_compare);
}

/* A sleep whose stack or task was let go ends as one of the ended. */
static void open_retire(struct sched_sleeps *s)
{
	struct sched_sleep *sleep = s->sleep, *end = sleep + SCHED_MARKS;

	for (; sleep < end; sleep++) {
		if (!sleep->open)
			continue;
		if (is_gone(s->book, sleep->stack))
			sleep->stack = 0;
		if (is_gone(s->book, sleep->task))
			sleep->task = 0;
	}
}

void sched_sleeps_retire(struct sched_sleeps *s)
{
	const uint32_t *gone = s->book->gone;
	size_t n = s->book->ngone;

	if (n)
		open_retire(s);
	sched_tally_retire(&s->by_stack, gone, n);
	sched_tally_retire(&s->by_task, gone, n);
	sched_tally_retire(&s->woken_by, gone, n);
	sched_pipes_retire(&s->pipes, gone, n);
	if (sched_tally_retire(&s->woken_from, gone, n))
		sched_stacks_forget(&s->wakers);
}

static void over_say(const struct sched_sleeps *s)
{
	uint64_t over = s->by_stack.over + s->by_task.over +
			s->woken_from.over + s->woken_by.over;

	if (over)
		health_set(s->book->env->health, "sched", "histograms", 0, -1,
			   HEALTH_PARTLY, 0, NULL, "%llu ends of waits found "
			   "no place in histograms or wakers",
			   (unsigned long long)over);
}

int sched_sleeps_collect(const struct sched_sleeps *s, struct sample *to)
{
	int err = sched_tally_collect(&s->by_stack, SCHED_WAIT_HIST, to);

	over_say(s);
	if (!err)
		err = sched_tally_collect(&s->by_task, SCHED_TASK_HIST, to);
	if (!err)
		err = sched_tally_collect(&s->woken_from, SCHED_WOKEN_FROM,
					  to);
	if (!err)
		err = sched_tally_collect(&s->woken_by, SCHED_WOKEN_BY, to);
	return err ? err : sched_pipes_collect(&s->pipes, to);
}
