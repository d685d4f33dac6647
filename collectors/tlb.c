// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who flushes whose TLB?  Told by programs in the kernel (tlb.bpf.c): counts by
 * CPU and reason, the matrix of who interrupts whom (tlb_matrix.c), and the
 * tasks and stacks behind it (tlb_book.c); as long as counting is not itself
 * the load (tlb_watch.c).
 *
 * While it would be, the counts of flushes are left out.  The stacks stay: that
 * none were taken is true, and pairs that came back would seem to be new.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "bpf_why.h"
#include "collectors.h"
#include "engine.h"
#include "tlb_book.h"
#include "tlb_health.h"
#include "tlb_matrix.h"
#include "tlb_watch.h"
#include "pid_level.h"

struct tlb {
	struct tlb_book book;
	struct bpf *bpf;
	struct tlb_now *now;		/* by CPU, shared with the program */
	struct tlb_matrix matrix;
	struct tlb_watch watch;
	struct tlb_state state;		/* for health */
};

static const char program[] = "tlb_flush";

/* ---- drains ------------------------------------------------------------------- */

static void record_take(void *arg, const void *data, size_t size)
{
	struct tlb *t = arg;

	if (size >= offsetof(struct tlb_sample, ip))
		tlb_book_take(&t->book, data);
}

/* What interrupts still follow a sample can then no longer be told from those
 * of the next flush, which is not seen. */
static void watch_end(struct tlb *t)
{
	uint32_t i;

	bpf_detach(t->bpf, program);
	for (i = 0; i < t->book.ncpu; i++)
		t->now[i].open = 0;
}

static int watch_steer(struct tlb *t, uint64_t now_ns)
{
	uint32_t i;
	int err;

	for (i = 0; i < t->book.ncpu; i++)
		t->watch.now[i] = t->now[i].n[TLB_SWITCH];
	if (!tlb_watch_step(&t->watch, now_ns))
		return 0;
	if (!t->watch.is_on) {
		watch_end(t);
		return 0;
	}
	err = bpf_attach(t->bpf, program);
	return err == -EALREADY ? 0 : err;
}

static int tlb_drain(void *state)
{
	struct tlb *t = state;
	struct tlb_book *b = &t->book;
	uint64_t now_ns = collector_now_ns();
	double fill = 0;
	uint32_t i;
	int err;

	for (i = 0; i < b->ncpu; i++)
		t->now[i].drain++;
	err = bpf_ring_drain(t->bpf, "records", record_take, t, &fill);
	tlb_book_settle(b, t->now);
	tlb_book_steer(b, t->now, now_ns, fill);
	return err < 0 ? err : watch_steer(t, now_ns);
}

/* ---- samples ------------------------------------------------------------------ */

static int cpu_collect(const struct tlb_now *n, uint32_t cpu,
		       struct sample *to)
{
	uint32_t r;
	int err = 0;

	for (r = TLB_SWITCH + 1; r < TLB_REASONS; r++) {
		if (!n->n[r])
			continue;
		err |= sample_add(to, TLB_FLUSHES, cpu, r, n->n[r]);
		err |= sample_add(to, TLB_FULL, cpu, r, n->full[r]);
		err |= sample_add(to, TLB_PAGES, cpu, r, n->pages[r]);
	}
	err |= sample_add(to, TLB_EVERY, cpu, 0, n->every);
	return err ? -ENOMEM : 0;
}

static int flushes_collect(struct tlb *t, struct sample *to)
{
	uint32_t i;
	int err = 0;

	if (!tlb_watch_counts(&t->watch))
		return 0;
	for (i = 0; i < t->book.ncpu && !err; i++)
		err = cpu_collect(&t->now[i], i, to);
	return err;
}

static void state_fill(struct tlb *t)
{
	struct tlb_state *s = &t->state;
	uint32_t i;

	s->lost = 0;
	for (i = 0; i < t->book.ncpu; i++)
		s->lost += t->now[i].lost;
	s->skipped = bpf_skipped(t->bpf);
	s->is_on = t->watch.is_on;
	s->is_trial = t->watch.is_trial;
	s->per_sec = t->watch.per_sec;
	s->cpu = t->watch.cpu;
}

static int tlb_collect(void *state, struct sample *to)
{
	struct tlb *t = state;
	int err = tlb_drain(t);

	collector_stamp(t->book.env, "tlb");
	tlb_book_retire(&t->book);
	if (!err)
		err = tlb_matrix_collect(&t->matrix, to);
	if (!err)
		err = flushes_collect(t, to);
	if (!err)
		err = tlb_book_collect(&t->book, t->matrix.by_sender, to);
	state_fill(t);
	if (!err)
		err = sample_add(to, TLB_LOST, 0, 0, t->state.lost);
	if (!err)
		err = sample_add(to, TLB_WATCHED, 0, 0,
				 tlb_watch_ns(&t->watch, collector_now_ns()));
	if (!err)
		err = sample_add(to, TLB_SKIPPED, 0, 0, t->state.skipped);
	t->book.seq++;
	tlb_health_update(t->book.env->health, &t->state);
	return err;
}

/* ---- opening ------------------------------------------------------------------ */

static void tlb_close(void *state)
{
	struct tlb *t = state;

	if (!t)
		return;
	tlb_matrix_free(&t->matrix);
	bpf_close(t->bpf);
	tlb_watch_free(&t->watch);
	tlb_book_free(&t->book);
	free(t);
}

/* Two ways to the matrix: the reason of the first is the one that is told, it
 * is what newer kernels have. */
static void matrix_start(struct tlb *t, int fitted, struct bpf_why *why)
{
	struct bpf_why other = { 0 };
	int err = fitted;

	if (!err)
		err = tlb_matrix_start(&t->matrix, t->bpf, why);
	if (err && tlb_matrix_by_func(&t->matrix, &other))
		tlb_health_no_matrix(t->book.env->health, why, &other);
	if (t->matrix.own) {
		engine_runs(t->book.env, "tlb", t->matrix.own);
		tlb_health_by_func(t->book.env->health);
	}
	t->state.by_sender = t->matrix.by_sender;
	t->state.has_matrix = t->matrix.cell != NULL;
}

static int program_start(struct tlb *t, struct bpf_why *why)
{
	struct tlb_book *b = &t->book;
	struct bpf_why no_matrix = { 0 };
	struct tlb_facts *facts;
	int err = bpf_open(&t->bpf, "tlb", why), fitted;

	if (err)
		return err;
	facts = bpf_variable(t->bpf, ".rodata", "facts");
	facts->own_level = pid_level(b->env);
	/* Kernels 5.19 to 6.14 have it on every machine; it fires on x86. */
	if (strcmp(b->env->host->machine, "x86_64") ||
	    !bpf_kernel_has(t->bpf, program))
		return tlb_health_no_event(b->env, why);
	fitted = tlb_matrix_fit(&t->matrix, t->bpf, b->ncpu,
				ksyms_address(b->ksyms, "flush_tlb_func"),
				&no_matrix);
	bpf_resize(t->bpf, "cpus", b->ncpu);
	err = bpf_load(t->bpf, why);
	if (err)
		return err;
	t->now = bpf_memory(t->bpf, "cpus", NULL);
	if (!t->now) {
		bpf_why_set(why, -ENOMEM, NULL, "its counts cannot be mapped");
		return -ENOMEM;
	}
	tlb_book_steer(b, t->now, collector_now_ns(), 0);
	matrix_start(t, fitted, &no_matrix);
	err = bpf_attach(t->bpf, program);
	if (err)
		bpf_why_program(why, err, program, "");
	else
		engine_runs(b->env, "tlb", t->bpf);
	tlb_health_broadcast(b->env);
	tlb_watch_begin(&t->watch, collector_now_ns());
	return err;
}

static int tlb_open(void **state, const struct env *env)
{
	struct bpf_why why = { 0 };
	struct tlb *t = calloc(1, sizeof(*t));
	int err = -ENOMEM;

	if (!t)
		return err;
	err = bpf_possible(env, &why);
	if (!err)
		err = tlb_book_init(&t->book, env);
	if (!err)
		err = tlb_watch_init(&t->watch, t->book.ncpu);
	if (!err)
		err = program_start(t, &why);
	if (err) {
		tlb_health_absent(env->health, err, &why);
		tlb_close(t);
		return err;
	}
	*state = t;
	return 0;
}

const struct collector tlb_collector = {
	.name = "tlb",
	.needs = "tracepoints tlb:tlb_flush and csd:csd_queue_cpu by bpf(2); "
		 "/proc/kallsyms",
	.live_only = 1,
	.open = tlb_open,
	.drain = tlb_drain,
	.collect = tlb_collect,
	.close = tlb_close,
};
