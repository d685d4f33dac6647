/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who leaves the CPU, and where?  sched:sched_switch counts every switch and
 * takes the stack of one in N.  A sample holds the counter's value, so what it
 * stands for is the exact difference to its CPU's sample before, and the
 * weights of a CPU add up to all of its switches but those since the last.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>
#include "collectors.h"
#include "ksyms.h"
#include "perf.h"
#include "sched_format.h"
#include "sched_governor.h"
#include "sched_health.h"
#include "sched_stacks.h"
#include "sched_table.h"
#include "sched_tasks.h"
#include "sched_waits.h"

enum {
	PAGES = 64, PAGES_DENSE = 1024,	/* of ring, for N below DENSE */
	DENSE = 16,
	QUESTIONS = 32,			/* to /proc per drain */
	ENDED = 4096,			/* tasks let go per sample */
};

struct sched_cpu {
	uint64_t count;			/* counter's value in the last record */
	uint64_t samples, lost;
};

struct sched {
	const struct env *env;
	struct perf_group *group;
	struct ksyms *ksyms;
	struct sched_format format;
	struct sched_governor governor;
	struct sched_stacks stacks;
	struct sched_table table;
	struct sched_tasks tasks;
	struct sched_waits waits;
	struct sched_steer *steer;	/* by slot of the group ... */
	struct sched_cpu *cpu;		/* ... as well */
	size_t ncpu;
	size_t slot;			/* being drained */
	uint32_t seq;			/* of the sample in the making */
	uint64_t now_ns;		/* of the drain */
	int timing;			/* every switch is seen: time waits */
	struct sched_state state;	/* for health */
	uint32_t ended[ENDED];
};

static void wait_end(void *arg, uint32_t stack, uint32_t task,
		     uint64_t wait_ns)
{
	struct sched *s = arg;

	sched_table_wait(&s->table, stack, task, wait_ns);
}

static void wait_begin(struct sched *s, const struct perf_sample *r,
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
static uint32_t task_of(struct sched *s, const struct perf_sample *r,
			const struct sched_switch *sw)
{
	int32_t tid = (int32_t)r->tid, tgid = (int32_t)r->pid;

	if (!sw->prev_pid)
		return s->tasks.idle;
	if (tid <= 0)
		tid = sw->prev_pid;
	return sched_tasks_id(&s->tasks, tid, tgid > 0 ? tgid : 0,
			      sw->prev_comm, sw->nprev_comm, s->seq,
			      s->now_ns);
}

static void record_take(void *arg, const struct perf_sample *r)
{
	struct sched *s = arg;
	struct sched_cpu *cpu = &s->cpu[s->slot];
	struct sched_steer *steer = &s->steer[s->slot];
	uint64_t weight = r->count > cpu->count ? r->count - cpu->count : 0;
	struct sched_switch sw;
	uint32_t stack = 0, task = 0;

	cpu->samples++;
	steer->records++;
	steer->weight += weight;
	if (weight)
		cpu->count = r->count;
	if (sched_format_decode(&s->format, r->raw, r->nraw, &sw)) {
		s->state.bad++;
		sched_table_add(&s->table, 0, 0, weight, s->seq);
		return;
	}
	stack = sched_stacks_id(&s->stacks, sw.letter, r->ip, r->nip,
				sched_table_room(&s->table));
	task = task_of(s, r, &sw);
	sched_table_add(&s->table, stack, task, weight, s->seq);
	if (s->timing)
		wait_begin(s, r, &sw, stack, task);
}

/* Slots only ever come more. */
static int slots_grow(struct sched *s)
{
	size_t n = perf_cpus(s->group), i;
	struct sched_steer *steer;
	struct sched_cpu *cpu;

	if (n <= s->ncpu)
		return 0;
	steer = realloc(s->steer, n * sizeof(*steer));
	if (steer)
		s->steer = steer;
	cpu = realloc(s->cpu, n * sizeof(*cpu));
	if (cpu)
		s->cpu = cpu;
	if (!steer || !cpu)
		return -ENOMEM;
	for (i = s->ncpu; i < n; i++) {
		memset(&steer[i], 0, sizeof(*steer));
		memset(&cpu[i], 0, sizeof(*cpu));
	}
	s->ncpu = n;
	return 0;
}

static void every_set(struct sched *s, size_t slot, uint64_t every)
{
	if (!perf_set_every(s->group, slot, every))
		s->steer[slot].every = every;
}

/* CPUs that came get an N, CPUs that went are left alone. */
static int slots_follow(struct sched *s)
{
	int err = slots_grow(s), open;
	size_t i;

	for (i = 0; i < s->ncpu && !err; i++) {
		open = perf_cpu(s->group, i) >= 0;
		if (open != s->steer[i].open)
			sched_waits_cut(&s->waits);
		if (open && !s->steer[i].open)
			every_set(s, i, sched_governor_first(&s->governor, i));
		s->steer[i].open = open;
	}
	return err;
}

/* Waits are timed while no CPU leaves out a switch. */
static void timing_set(struct sched *s)
{
	int timing = 1;
	size_t i;

	for (i = 0; i < s->ncpu; i++)
		timing &= !s->steer[i].open || s->steer[i].every == 1;
	if (timing != s->timing)
		sched_waits_cut(&s->waits);
	s->timing = timing;
}

static int sched_drain(void *state)
{
	struct sched *s = state;
	uint64_t lost = 0;
	size_t i;

	s->now_ns = collector_now_ns();
	sched_tasks_allow(&s->tasks, QUESTIONS);
	for (i = 0; i < s->ncpu; i++) {
		uint64_t here = 0;

		if (!s->steer[i].open)
			continue;
		s->slot = i;
		perf_drain(s->group, i, record_take, s, &here);
		s->steer[i].fill = perf_fill(s->group, i);
		s->cpu[i].lost += here;
		lost += here;
	}
	s->state.lost += lost;
	if (s->timing)
		sched_waits_settle(&s->waits, lost > 0, wait_end, s);
	sched_governor_step(&s->governor, s->now_ns, s->steer, s->ncpu);
	for (i = 0; i < s->ncpu; i++)
		if (s->steer[i].next)
			every_set(s, i, s->steer[i].next);
	timing_set(s);
	return 0;
}

static void stack_drop(void *arg, uint32_t stack)
{
	struct sched *s = arg;

	sched_stacks_forget(&s->stacks);
	names_drop(s->env->names, stack);
}

static void table_retire(struct sched *s)
{
	size_t n = sched_tasks_sweep(&s->tasks, s->seq, s->ended, ENDED);

	sched_table_retire(&s->table, s->ended, n, stack_drop, s);
	sched_tasks_drop(&s->tasks, s->ended, n);
}

static int cpu_collect(struct sched *s, struct sample *to)
{
	struct perf_value v;
	int err = 0, cpu;
	size_t i;

	for (i = 0; i < s->ncpu && !err; i++) {
		cpu = perf_cpu(s->group, i);
		if (cpu < 0)
			continue;
		if (!perf_read(s->group, i, &v))
			err |= sample_add(to, SCHED_SWITCHES, (uint32_t)cpu, 0,
					  v.value);
		err |= sample_add(to, SCHED_SAMPLES, (uint32_t)cpu, 0,
				  s->cpu[i].samples);
		err |= sample_add(to, SCHED_WEIGHT, (uint32_t)cpu, 0,
				  s->cpu[i].count);
		err |= sample_add(to, SCHED_LOST, (uint32_t)cpu, 0,
				  s->cpu[i].lost);
		err |= sample_add(to, SCHED_EVERY, (uint32_t)cpu, 0,
				  s->steer[i].every);
	}
	return err ? -ENOMEM : 0;
}

/* Waits stay when they are no longer timed: a counter that came back would
 * seem to have begun anew. */
static int pairs_collect(const struct sched_table *t, struct sample *to)
{
	const struct sched_pair *p, *end = t->pair + t->n;
	int err = 0;

	for (p = t->pair; p < end && !err; p++)
		err = sample_add(to, SCHED_N, p->stack, p->task, p->n);
	for (p = t->pair; p < end && !err; p++)
		err = sample_add(to, SCHED_W, p->stack, p->task, p->w);
	for (p = t->pair; p < end && !err; p++)
		err = sample_add(to, SCHED_W2, p->stack, p->task, p->w2);
	for (p = t->pair; p < end && !err; p++)
		if (p->waits)
			err = sample_add(to, SCHED_WAITS, p->stack, p->task,
					 p->waits);
	for (p = t->pair; p < end && !err; p++)
		if (p->waits)
			err = sample_add(to, SCHED_WAIT, p->stack, p->task,
					 p->wait_ns);
	return err;
}

static int sched_collect(void *state, struct sample *to)
{
	struct sched *s = state;
	int err;

	sched_drain(s);		/* first: the ring of a CPU that went is gone */
	perf_follow(s->group);
	err = slots_follow(s);
	if (err)
		return err;
	collector_stamp(s->env, "sched");
	err = cpu_collect(s, to);
	table_retire(s);
	if (!err)
		err = pairs_collect(&s->table, to);
	s->seq++;
	s->state.every = s->governor.fixed ? s->governor.fixed
					   : s->governor.base;
	s->state.symbols = ksyms_count(s->ksyms);
	s->state.backwards = s->waits.backwards;
	sched_health_update(s->env->health, &s->state);
	return err;
}

static void sched_close(void *state)
{
	struct sched *s = state;

	if (!s)
		return;
	perf_close(s->group);
	ksyms_free(s->ksyms);
	sched_stacks_free(&s->stacks);
	sched_table_free(&s->table);
	sched_tasks_free(&s->tasks);
	sched_waits_free(&s->waits);
	free(s->steer);
	free(s->cpu);
	free(s);
}

static int tables_init(struct sched *s)
{
	const struct options *opt = s->env->opt;
	enum ksyms_state symbols;
	int err = ksyms_load(&s->ksyms, s->env->proc_fd, &symbols);

	if (err)
		return err;
	sched_health_symbols(s->env->health, symbols);
	sched_governor_init(&s->governor, opt->stacks, opt->every,
			    collector_now_ns());
	err = sched_stacks_init(&s->stacks, s->ksyms, s->env->names);
	if (!err)
		err = sched_table_init(&s->table);
	if (!err)
		err = sched_tasks_init(&s->tasks, s->env->proc_fd,
				       s->env->names);
	return err ? err : sched_waits_init(&s->waits);
}

static int sched_open(void **state, const struct env *env)
{
	struct perf_want want = { .stacks = 1, .raw = 1, .pages = PAGES };
	struct sched *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (!s)
		return err;
	s->env = env;
	s->seq = 1;
	err = sched_health_event(env, &s->format, &want.code);
	if (!err)
		err = tables_init(s);
	if (err)
		goto out;
	want.every = sched_governor_first(&s->governor, 0);
	if (s->governor.fixed && s->governor.fixed < DENSE)
		want.pages = PAGES_DENSE;
	err = perf_open(&s->group, &want);
	if (err)
		sched_health_refused(env->health, err, &want.code);
	else
		err = slots_follow(s);
	if (err)
		goto out;
	timing_set(s);
	*state = s;
	return 0;
out:
	sched_close(s);
	return err;
}

const struct collector sched_collector = {
	.name = "sched",
	.needs = "tracepoint sched:sched_switch by perf_event_open(2), "
		 "/proc/kallsyms",
	.live_only = 1,
	.open = sched_open,
	.drain = sched_drain,
	.collect = sched_collect,
	.close = sched_close,
};
