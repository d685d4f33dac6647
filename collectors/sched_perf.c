/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who leaves the CPU, and where, as perf events tell it?  sched:sched_switch
 * counts every switch and takes the stack of one in N.  A sample holds the
 * counter's value, so what it stands for is the exact difference to its CPU's
 * sample before, and the weights of a CPU add up to all of its switches but
 * those since the last.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>
#include "perf.h"
#include "sched_book.h"
#include "sched_format.h"
#include "sched_waits.h"

enum {
	PAGES = 64, PAGES_DENSE = 1024,	/* of ring, for N below DENSE */
	DENSE = 16,
	QUESTIONS = 32,			/* to /proc per drain */
};

struct sched_perf {
	struct sched_book *book;
	struct perf_group *group;	/* its slots are the book's */
	struct sched_format format;
	struct sched_waits waits;
	size_t slot;			/* being drained */
	int timing;			/* every switch is seen: time waits */
};

static void wait_end(void *arg, uint32_t stack, uint32_t task,
		     uint64_t wait_ns)
{
	struct sched_perf *s = arg;

	sched_table_wait(&s->book->table, stack, task, wait_ns, 0);
}

static void wait_begin(struct sched_perf *s, const struct perf_sample *r,
		       const struct sched_switch *sw, uint32_t stack,
		       uint32_t task)
{
	struct sched_event e = {
		.time_ns = r->time_ns, .prev = sw->prev_pid,
		.next = sw->next_pid, .stack = stack, .task = task,
		.dead = sw->letter && strchr("XxZ", sw->letter),
	};

	sched_waits_add(&s->waits, &e);
}

/*
 * The record's own tid is in stalltop's pid namespace, as /proc is; the raw
 * part has the machine's.  An exiting task may have no tid of its own any more
 * (perf_event_pid_type() gives -1).
 */
static uint32_t task_of(struct sched_book *b, const struct perf_sample *r,
			const struct sched_switch *sw)
{
	int32_t tid = (int32_t)r->tid, tgid = (int32_t)r->pid;

	if (!sw->prev_pid)
		return b->tasks.idle;
	if (tid <= 0)
		tid = sw->prev_pid;
	return sched_tasks_id(&b->tasks, tid, tgid > 0 ? tgid : 0,
			      sw->prev_comm, sw->nprev_comm, b->seq,
			      b->now_ns);
}

static void record_take(void *arg, const struct perf_sample *r)
{
	struct sched_perf *s = arg;
	struct sched_book *b = s->book;
	struct sched_cpu *cpu = &b->cpu[s->slot];
	uint64_t weight = r->count > cpu->count ? r->count - cpu->count : 0;
	struct sched_switch sw;
	uint32_t stack, task;

	if (weight)
		cpu->count = r->count;
	if (sched_format_decode(&s->format, r->raw, r->nraw, &sw)) {
		b->state.bad++;
		sched_book_take(b, s->slot, weight, 0, 0);
		return;
	}
	stack = sched_stacks_id(&b->stacks, sw.letter, r->ip, r->nip,
				sched_table_room(&b->table));
	task = task_of(b, r, &sw);
	sched_book_take(b, s->slot, weight, stack, task);
	if (s->timing)
		wait_begin(s, r, &sw, stack, task);
}

static void every_set(void *arg, size_t slot, uint64_t every)
{
	struct sched_perf *s = arg;

	if (!perf_set_every(s->group, slot, every))
		s->book->steer[slot].every = every;
}

/* CPUs that came get an N, CPUs that went are left alone. */
static int slots_follow(struct sched_perf *s)
{
	struct sched_book *b = s->book;
	int err = sched_book_grow(b, perf_cpus(s->group)), open;
	size_t i;

	for (i = 0; i < b->ncpu && !err; i++) {
		open = perf_cpu(s->group, i) >= 0;
		if (open != b->steer[i].open)
			sched_waits_cut(&s->waits);
		if (open && !b->steer[i].open)
			every_set(s, i, sched_governor_first(&b->governor, i));
		b->steer[i].open = open;
	}
	return err;
}

/* Waits are timed while no CPU leaves out a switch. */
static void timing_set(struct sched_perf *s)
{
	const struct sched_steer *steer = s->book->steer;
	int timing = 1;
	size_t i;

	for (i = 0; i < s->book->ncpu; i++)
		timing &= !steer[i].open || steer[i].every == 1;
	if (timing != s->timing)
		sched_waits_cut(&s->waits);
	s->timing = timing;
}

static int sched_perf_drain(void *state)
{
	struct sched_perf *s = state;
	struct sched_book *b = s->book;
	uint64_t lost = 0;
	size_t i;

	b->now_ns = collector_now_ns();
	sched_tasks_allow(&b->tasks, QUESTIONS);
	for (i = 0; i < b->ncpu; i++) {
		uint64_t here = 0;

		if (!b->steer[i].open)
			continue;
		s->slot = i;
		perf_drain(s->group, i, record_take, s, &here);
		b->steer[i].fill = perf_fill(s->group, i);
		b->cpu[i].lost += here;
		lost += here;
	}
	b->state.lost += lost;
	if (s->timing)
		sched_waits_settle(&s->waits, lost > 0, wait_end, s);
	sched_book_steer(b, every_set, s);
	timing_set(s);
	return 0;
}

static int sched_perf_collect(void *state, struct sample *to)
{
	struct sched_perf *s = state;
	struct sched_book *b = s->book;
	struct perf_value v;
	int err, cpu;
	size_t i;

	sched_perf_drain(s);	/* first: the ring of a CPU that went is gone */
	perf_follow(s->group);
	err = slots_follow(s);
	collector_stamp(b->env, "sched");
	for (i = 0; i < b->ncpu && !err; i++) {
		cpu = perf_cpu(s->group, i);
		if (cpu < 0)
			continue;
		if (!perf_read(s->group, i, &v))
			err = sample_add(to, SCHED_SWITCHES, (uint32_t)cpu, 0,
					 v.value);
		if (!err)
			err = sched_book_collect_cpu(b, i, (uint32_t)cpu, to);
	}
	b->state.backwards = s->waits.backwards;
	return err;
}

static void sched_perf_close(void *state)
{
	struct sched_perf *s = state;

	if (!s)
		return;
	perf_close(s->group);
	sched_waits_free(&s->waits);
	free(s);
}

static int sched_perf_open(void **state, struct sched_book *b)
{
	struct perf_want want = { .stacks = 1, .raw = 1, .pages = PAGES };
	struct sched_perf *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (!s)
		return err;
	s->book = b;
	err = sched_health_event(b->env, &s->format, &want.code);
	if (!err)
		err = sched_waits_init(&s->waits);
	if (err)
		goto out;
	want.every = sched_governor_first(&b->governor, 0);
	if (b->governor.fixed && b->governor.fixed < DENSE)
		want.pages = PAGES_DENSE;
	err = perf_open(&s->group, &want);
	if (err)
		sched_health_refused(b->env->health, err, &want.code);
	else
		err = slots_follow(s);
	if (err)
		goto out;
	timing_set(s);
	*state = s;
	return 0;
out:
	sched_perf_close(s);
	return err;
}

const struct sched_engine sched_engine_perf = {
	.words = "sampled stacks, libperf",
	.open = sched_perf_open,
	.drain = sched_perf_drain,
	.collect = sched_perf_collect,
	.close = sched_perf_close,
};
