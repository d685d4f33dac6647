// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is known of the switches, whichever engine saw them?
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "sched_book.h"

int sched_book_init(struct sched_book *b, const struct env *env)
{
	const struct options *opt = env->opt;
	enum ksyms_state symbols;
	int err;

	b->env = env;
	b->seq = 1;
	err = ksyms_share(&b->ksyms, env, &symbols);
	if (err)
		return err;
	sched_health_symbols(env->health, symbols);
	sched_governor_init(&b->governor, opt->stacks, opt->every,
			    collector_now_ns());
	err = sched_stacks_init(&b->stacks, b->ksyms, env->names);
	if (!err)
		err = sched_table_init(&b->table);
	return err ? err : sched_tasks_init(&b->tasks, env->proc_fd,
					    env->names);
}

void sched_book_free(struct sched_book *b)
{
	ksyms_free(b->ksyms);
	sched_stacks_free(&b->stacks);
	sched_table_free(&b->table);
	sched_tasks_free(&b->tasks);
	free(b->steer);
	free(b->cpu);
}

int sched_book_grow(struct sched_book *b, size_t n)
{
	struct sched_steer *steer;
	struct sched_cpu *cpu;
	size_t i;

	if (n <= b->ncpu)
		return 0;
	steer = realloc(b->steer, n * sizeof(*steer));
	if (steer)
		b->steer = steer;
	cpu = realloc(b->cpu, n * sizeof(*cpu));
	if (cpu)
		b->cpu = cpu;
	if (!steer || !cpu)
		return -ENOMEM;
	for (i = b->ncpu; i < n; i++) {
		memset(&steer[i], 0, sizeof(*steer));
		memset(&cpu[i], 0, sizeof(*cpu));
	}
	b->ncpu = n;
	return 0;
}

void sched_book_take(struct sched_book *b, size_t slot, uint64_t weight,
		     uint32_t stack, uint32_t task)
{
	b->cpu[slot].samples++;
	b->steer[slot].records++;
	b->steer[slot].weight += weight;
	sched_table_add(&b->table, stack, task, weight, b->seq);
}

void sched_book_steer(struct sched_book *b,
		      void (*set)(void *arg, size_t slot, uint64_t every),
		      void *arg)
{
	size_t i;

	sched_governor_step(&b->governor, b->now_ns, b->steer, b->ncpu);
	for (i = 0; i < b->ncpu; i++)
		if (b->steer[i].next)
			set(arg, i, b->steer[i].next);
}

int sched_book_collect_cpu(const struct sched_book *b, size_t slot,
			   uint32_t cpu, struct sample *to)
{
	int err;

	err = sample_add(to, SCHED_SAMPLES, cpu, 0, b->cpu[slot].samples);
	err |= sample_add(to, SCHED_WEIGHT, cpu, 0, b->cpu[slot].count);
	err |= sample_add(to, SCHED_LOST, cpu, 0, b->cpu[slot].lost);
	err |= sample_add(to, SCHED_EVERY, cpu, 0, b->steer[slot].every);
	return err ? -ENOMEM : 0;
}

static void stack_drop(void *arg, uint32_t stack)
{
	struct sched_book *b = arg;

	sched_stacks_forget(&b->stacks);
	names_drop(b->env->names, stack);
	b->gone[b->ngone++] = stack;
}

static int id_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

void sched_book_retire(struct sched_book *b)
{
	size_t n = sched_tasks_sweep(&b->tasks, b->seq, b->gone, SCHED_ENDED);

	b->ngone = n;
	sched_table_retire(&b->table, b->gone, n, stack_drop, b);
	sched_tasks_drop(&b->tasks, b->gone, n);
	if (b->ngone > n)
		qsort(b->gone, b->ngone, sizeof(*b->gone), id_compare);
}

/* Waits stay when they are no longer timed: a counter that came back would
 * seem to have begun anew. */
static int waits_collect(const struct sched_table *t, struct sample *to)
{
	const struct sched_pair *p, *end = t->pair + t->n;
	int err = 0;

	for (p = t->pair; p < end && !err; p++)
		if (p->waits)
			err = sample_add(to, SCHED_WAITS, p->stack, p->task,
					 p->waits);
	for (p = t->pair; p < end && !err; p++)
		if (p->waits)
			err = sample_add(to, SCHED_WAIT, p->stack, p->task,
					 p->wait_ns);
	for (p = t->pair; p < end && !err; p++)
		if (p->queued_ns)
			err = sample_add(to, SCHED_QUEUED, p->stack, p->task,
					 p->queued_ns);
	return err;
}

int sched_book_collect(struct sched_book *b, struct sample *to)
{
	const struct sched_table *t = &b->table;
	const struct sched_pair *p, *end = t->pair + t->n;
	int err = 0;

	for (p = t->pair; p < end && !err; p++)
		err = sample_add(to, SCHED_N, p->stack, p->task, p->n);
	for (p = t->pair; p < end && !err; p++)
		err = sample_add(to, SCHED_W, p->stack, p->task, p->w);
	for (p = t->pair; p < end && !err; p++)
		err = sample_add(to, SCHED_W2, p->stack, p->task, p->w2);
	return err ? err : waits_collect(t, to);
}
