// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who leaves the CPU, where, for how long, and who brings it back, as a program
 * in the kernel tells it (sched.bpf.c)?  Its counts are read from memory that
 * both share; its records, one for each sampled switch, waking and end, are
 * taken at each drain.  A slot of the book is a CPU's number.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "bpf_why.h"
#include "engine.h"
#include "parse.h"
#include "pid_level.h"
#include "procfs.h"
#include "sched_sleeps.h"
#include "sched_waking.h"
#include "task_letter.h"

enum {
	RING_DENSE = 16 << 20,		/* bytes, for N below DENSE */
	DENSE = 16,
	BURST = 150,			/* % of a drain's share of samples */
};

struct sched_bpf {
	struct sched_book *book;
	struct bpf *bpf;
	struct sched_now *now;		/* by CPU, shared with the program */
	struct sched_sleeps sleeps;
	struct procfs_file online;
	struct sched_waking waking;
};

/* ---- records ------------------------------------------------------------------ */

static uint32_t task_of(struct sched_book *b, int32_t tid, int32_t tgid,
			uint64_t start_ns, const char comm[16])
{
	uint64_t tick_ns = 1000000000u /
			   (b->env->host->clk_tck ? b->env->host->clk_tck : 100);

	return sched_tasks_known(&b->tasks, tid, tgid, start_ns / tick_ns, comm,
				 strnlen(comm, 16), b->seq);
}

static void sample_take(struct sched_bpf *s, const struct sched_sample *r)
{
	struct sched_book *b = s->book;
	uint32_t stack, task;

	if (r->cpu >= b->ncpu)
		return;
	stack = sched_stacks_id(&b->stacks, r->preempt ? '+' :
				(uint8_t)task_letter(r->state), r->ip, r->nip,
				sched_table_room(&b->table));
	task = task_of(b, r->tid, r->tgid, r->start_ns, r->comm);
	b->cpu[r->cpu].count += r->weight;
	sched_book_take(b, r->cpu, r->weight, stack, task);
	sched_sleeps_begin(&s->sleeps, r, stack, task);
}

static void wake_take(struct sched_bpf *s, const struct sched_wake *r)
{
	const struct sched_sleep *sleep = sched_sleeps_find(&s->sleeps,
							    r->mark, r->turn);

	if (sleep)
		sched_sleeps_wake(&s->sleeps, sleep, r->ip, r->nip,
				  task_of(s->book, r->tid, r->tgid,
					  r->start_ns, r->comm));
}

static void end_take(struct sched_bpf *s, const struct sched_end *r)
{
	const struct sched_sleep *sleep = sched_sleeps_find(&s->sleeps,
							    r->mark, r->turn);

	if (sleep)
		sched_sleeps_end(&s->sleeps, sleep, r->wait_ns, r->queued_ns);
}

static void record_take(void *arg, const void *data, size_t size)
{
	const uint8_t *type = data;
	struct sched_bpf *s = arg;

	if (*type == SCHED_SAMPLE && size >= offsetof(struct sched_sample, ip))
		sample_take(s, data);
	else if (*type == SCHED_WAKE && size == sizeof(struct sched_wake))
		wake_take(s, data);
	else if (*type == SCHED_END && size == sizeof(struct sched_end))
		end_take(s, data);
	else
		s->book->state.bad++;
}

/* ---- drains ------------------------------------------------------------------- */

static void every_set(void *arg, size_t cpu, uint64_t every)
{
	struct sched_bpf *s = arg;

	s->now[cpu].every = every;
	s->book->steer[cpu].every = every;
}

static void lost_count(struct sched_bpf *s)
{
	struct sched_book *b = s->book;
	size_t i;

	b->state.lost = 0;
	for (i = 0; i < b->ncpu; i++) {
		b->cpu[i].lost = s->now[i].lost;
		b->state.lost += s->now[i].lost;
	}
}

static int sched_bpf_drain(void *state)
{
	struct sched_bpf *s = state;
	struct sched_book *b = s->book;
	double fill = 0;
	size_t i;
	int err;

	b->now_ns = collector_now_ns();
	for (i = 0; i < b->ncpu; i++)
		s->now[i].drain++;
	err = bpf_ring_drain(s->bpf, "records", record_take, s, &fill);
	for (i = 0; i < b->ncpu; i++)
		b->steer[i].fill = fill;
	lost_count(s);
	sched_waking_steer(&s->waking, b->now_ns);
	sched_book_steer(b, every_set, s);
	return err < 0 ? err : 0;
}

/* ---- samples ------------------------------------------------------------------ */

static void online_set(void *arg, unsigned cpu)
{
	struct sched_bpf *s = arg;

	if (cpu < s->book->ncpu)
		s->book->steer[cpu].open = 1;
}

static void online_read(struct sched_bpf *s)
{
	struct sched_book *b = s->book;
	ssize_t len = procfs_read(&s->online);
	size_t i;

	for (i = 0; i < b->ncpu; i++)	/* without the list: all */
		b->steer[i].open = len < 0;
	if (len > 0)
		tasks_parse_cpus(s->online.buf, (size_t)len, online_set, s);
}

static int hist_collect(const struct sched_now *n, uint32_t cpu,
			struct sample *to)
{
	uint32_t i;

	for (i = 0; i < SCHED_BUCKETS; i++)
		if (n->delay_hist[i] &&
		    sample_add(to, SCHED_DELAY_HIST, cpu, i, n->delay_hist[i]))
			return -ENOMEM;
	return 0;
}

static int cpu_collect(struct sched_bpf *s, uint32_t cpu, struct sample *to)
{
	struct sched_now *n = &s->now[cpu];
	int err = sample_add(to, SCHED_SWITCHES, cpu, 0, n->switches);

	err |= sample_add(to, SCHED_BLOCKED, cpu, 0, n->blocked);
	err |= sample_add(to, SCHED_PREEMPTED, cpu, 0, n->preempted);
	if (!n->unread)		/* else they are among the preempted */
		err |= sample_add(to, SCHED_YIELDED, cpu, 0, n->yielded);
	err |= sample_add(to, SCHED_FROM_IDLE, cpu, 0, n->idle);
	err |= sample_add(to, SCHED_DELAYS, cpu, 0, n->delays);
	err |= sample_add(to, SCHED_DELAY, cpu, 0, n->delay_ns);
	err |= sample_add(to, SCHED_DELAY_MAX, cpu, 0,
			  n->delay_epoch == n->epoch ? n->delay_max : 0);
	err |= hist_collect(n, cpu, to);
	n->epoch++;
	return err ? -ENOMEM : sched_book_collect_cpu(s->book, cpu, cpu, to);
}

static int sched_bpf_collect(void *state, struct sample *to)
{
	struct sched_bpf *s = state;
	struct sched_book *b = s->book;
	int err = sched_bpf_drain(s);
	uint64_t untimed = 0;
	uint32_t i;

	online_read(s);
	collector_stamp(b->env, "sched");
	for (i = 0; i < b->ncpu && !err; i++) {
		untimed += s->now[i].untimed;
		if (b->steer[i].open)
			err = cpu_collect(s, i, to);
	}
	if (!err)
		err = sample_add(to, SCHED_UNTIMED, 0, 0, untimed);
	return err ? err : sample_add(to, SCHED_SKIPPED, 0, 0,
				      bpf_skipped(s->bpf));
}

static void sched_bpf_retire(void *state)
{
	struct sched_bpf *s = state;

	sched_sleeps_retire(&s->sleeps);
}

static int sched_bpf_add(void *state, struct sample *to)
{
	struct sched_bpf *s = state;

	return sched_sleeps_collect(&s->sleeps, to);
}

/* ---- opening ------------------------------------------------------------------- */

static void sched_bpf_close(void *state)
{
	struct sched_bpf *s = state;

	if (!s)
		return;
	bpf_close(s->bpf);
	sched_sleeps_free(&s->sleeps);
	procfs_free(&s->online);
	sched_waking_free(&s->waking);
	free(s);
}

/* What the program reads of this kernel. */
static void facts_set(struct sched_bpf *s)
{
	struct sched_facts *f = bpf_variable(s->bpf, ".rodata", "facts");

	f->own_level = pid_level(s->book->env);
	f->has_state_arg = bpf_trace_args(s->bpf, "sched_switch") >= 4;
	f->has_sched_info = bpf_kernel_has(s->bpf, "sched_info.last_queued");
}

static int program_load(struct sched_bpf *s, struct bpf_why *why)
{
	const struct sched_governor *g = &s->book->governor;
	int err = bpf_open(&s->bpf, "sched", why);

	if (err)
		return err;
	facts_set(s);
	bpf_resize(s->bpf, "cpus", (uint32_t)s->book->ncpu);
	if (g->fixed && g->fixed < DENSE)
		bpf_resize(s->bpf, "records", RING_DENSE);
	err = bpf_load(s->bpf, why);
	if (err)
		return err;
	s->now = bpf_memory(s->bpf, "cpus", NULL);
	if (!s->now)
		bpf_why_set(why, -ENOMEM, NULL, "its counts cannot be mapped");
	return s->now ? 0 : -ENOMEM;
}

static int program_start(struct sched_bpf *s, struct bpf_why *why)
{
	struct sched_book *b = s->book;
	size_t i;
	int err;

	for (i = 0; i < b->ncpu; i++) {
		every_set(s, i, sched_governor_first(&b->governor, i));
		b->steer[i].open = 1;
		if (!b->governor.fixed)
			s->now[i].allowed = BURST * b->governor.target /
					    1000 + 1;
	}
	err = bpf_attach(s->bpf, "sched_switch");
	if (err)
		bpf_why_program(why, err, "sched_switch", "");
	return err ? err : sched_waking_start(&s->waking, s->bpf, s->now,
					      b->ncpu, why);
}

static int sched_bpf_open(void **state, struct sched_book *b)
{
	struct bpf_why why = { 0 };
	struct sched_bpf *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (!s)
		return err;
	s->book = b;
	s->online = (struct procfs_file) {
		.env = b->env, .collector = "sched", .part = "online",
		.path = "devices/system/cpu/online", .in_sys = 1,
	};
	err = bpf_possible(b->env, &why);
	if (!err)
		err = sched_book_grow(b, b->env->host->cpus);
	if (!err)
		err = sched_sleeps_init(&s->sleeps, b);
	if (!err)
		err = program_load(s, &why);
	if (!err)
		err = program_start(s, &why);
	if (err) {
		engine_say(b->env, "sched", &why);
		sched_bpf_close(s);
		return err;
	}
	engine_runs(b->env, "sched", s->bpf);
	*state = s;
	return 0;
}

const struct sched_engine sched_engine_bpf = {
	.words = "in-kernel engine",
	.open = sched_bpf_open,
	.drain = sched_bpf_drain,
	.collect = sched_bpf_collect,
	.retire = sched_bpf_retire,
	.add = sched_bpf_add,
	.close = sched_bpf_close,
};
