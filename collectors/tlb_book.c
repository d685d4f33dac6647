// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which tasks flush, from where, and how many interrupts does that cost?
 *
 * The program counts the interrupts of sampled flushes in one number per CPU;
 * each record says how far it was, so what came between two records is the
 * earlier one's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "tlb_book.h"

enum { BURST = 4 };		/* times a drain's share of samples */

int tlb_book_init(struct tlb_book *b, const struct env *env)
{
	uint32_t i;
	int err;

	b->env = env;
	b->seq = 1;
	b->ncpu = env->host->cpus;
	err = ksyms_share(&b->ksyms, env, &b->symbols);
	if (err)
		return err;
	sched_governor_init(&b->governor, TLB_PER_SEC, 0, collector_now_ns());
	b->governor.base = 1;		/* flushes are seldom: all of them */
	b->steer = calloc(b->ncpu ? b->ncpu : 1, sizeof(*b->steer));
	b->latest = calloc(b->ncpu ? b->ncpu : 1, sizeof(*b->latest));
	if (!b->steer || !b->latest)
		return -ENOMEM;
	for (i = 0; i < b->ncpu; i++) {
		b->steer[i].open = 1;
		b->steer[i].every = 1;
	}
	err = sched_stacks_init(&b->stacks, b->ksyms, env->names);
	if (!err)
		err = sched_table_init(&b->table);
	return err ? err : sched_tasks_init(&b->tasks, env->proc_fd,
					    env->names);
}

void tlb_book_free(struct tlb_book *b)
{
	ksyms_free(b->ksyms);
	sched_stacks_free(&b->stacks);
	sched_table_free(&b->table);
	sched_tasks_free(&b->tasks);
	free(b->steer);
	free(b->latest);
}

static void hits_add(struct tlb_book *b, struct tlb_latest *l, uint64_t hits)
{
	if (hits > l->hits)
		sched_table_wait(&b->table, l->stack, l->task, hits - l->hits,
				 0);
	l->hits = hits;
}

static uint32_t task_of(struct tlb_book *b, const struct tlb_sample *r)
{
	uint32_t per_sec = b->env->host->clk_tck ? b->env->host->clk_tck : 100;

	return sched_tasks_known(&b->tasks, r->tid, r->tgid,
				 r->start_ns / (1000000000u / per_sec),
				 r->comm, strnlen(r->comm, sizeof(r->comm)),
				 b->seq);
}

void tlb_book_take(struct tlb_book *b, const struct tlb_sample *r)
{
	struct tlb_latest *l;

	if (r->cpu >= b->ncpu || r->nip > TLB_FRAMES)
		return;
	l = &b->latest[r->cpu];
	if (l->turn)
		hits_add(b, l, r->hits);
	l->turn = r->turn;
	l->hits = r->hits;
	l->stack = sched_stacks_id(&b->stacks, 0, r->ip, r->nip,
				   sched_table_room(&b->table));
	l->task = task_of(b, r);
	b->steer[r->cpu].records++;
	b->steer[r->cpu].weight += r->weight;
	sched_table_add(&b->table, l->stack, l->task, r->weight, b->seq);
}

/* turn stands before hits and after: a sample in between would take them. */
void tlb_book_settle(struct tlb_book *b, const volatile struct tlb_now *now)
{
	uint64_t hits;
	uint32_t i;

	for (i = 0; i < b->ncpu; i++) {
		struct tlb_latest *l = &b->latest[i];

		if (!l->turn || now[i].turn != l->turn)
			continue;
		hits = now[i].hits;
		if (now[i].turn == l->turn)
			hits_add(b, l, hits);
	}
}

void tlb_book_steer(struct tlb_book *b, struct tlb_now *now, uint64_t now_ns,
		    double fill)
{
	uint32_t i;

	for (i = 0; i < b->ncpu; i++)
		b->steer[i].fill = fill;
	sched_governor_step(&b->governor, now_ns, b->steer, b->ncpu);
	for (i = 0; i < b->ncpu; i++) {
		if (b->steer[i].next)
			b->steer[i].every = b->steer[i].next;
		now[i].every = b->steer[i].every;
		now[i].allowed = BURST * TLB_PER_SEC / 10;
	}
}

/* ---- samples ------------------------------------------------------------------ */

static void stack_drop(void *arg, uint32_t stack)
{
	struct tlb_book *b = arg;

	sched_stacks_forget(&b->stacks);
	names_drop(b->env->names, stack);
	b->gone[b->ngone++] = stack;
}

static int id_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int is_gone(const struct tlb_book *b, uint32_t id)
{
	return id && bsearch(&id, b->gone, b->ngone, sizeof(*b->gone),
			     id_compare);
}

void tlb_book_retire(struct tlb_book *b)
{
	size_t n = sched_tasks_sweep(&b->tasks, b->seq, b->gone, TLB_ENDED);
	uint32_t i;

	b->ngone = n;
	sched_table_retire(&b->table, b->gone, n, stack_drop, b);
	sched_tasks_drop(&b->tasks, b->gone, n);
	if (b->ngone > n)
		qsort(b->gone, b->ngone, sizeof(*b->gone), id_compare);
	for (i = 0; i < b->ncpu && b->ngone; i++) {
		if (is_gone(b, b->latest[i].stack))
			b->latest[i].stack = 0;
		if (is_gone(b, b->latest[i].task))
			b->latest[i].task = 0;
	}
}

static uint64_t n_of(const struct sched_pair *p)
{
	return p->n;
}

static uint64_t w_of(const struct sched_pair *p)
{
	return p->w;
}

static uint64_t w2_of(const struct sched_pair *p)
{
	return p->w2;
}

static uint64_t hits_of(const struct sched_pair *p)
{
	return p->wait_ns;
}

int tlb_book_collect(const struct tlb_book *b, int with_hits,
		     struct sample *to)
{
	static const struct {
		uint16_t metric;
		uint64_t (*value)(const struct sched_pair *p);
	} part[] = {
		{ TLB_N, n_of }, { TLB_W, w_of }, { TLB_W2, w2_of },
		{ TLB_HITS, hits_of },
	};
	const struct sched_pair *p, *end = b->table.pair + b->table.n;
	size_t i, parts = with_hits ? 4 : 3;
	int err = 0;

	for (i = 0; i < parts; i++)
		for (p = b->table.pair; p < end && !err; p++)
			err = sample_add(to, part[i].metric, p->stack, p->task,
					 part[i].value(p));
	return err;
}
