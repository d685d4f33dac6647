// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who leaves the CPU, where, for how long, and who brings it back?
 *
 * Every switch is counted.  One in N is sent with its stack, and its task is
 * marked; the marked task's waking and its return are sent too.  N varies at
 * random around what was asked, by half of it, so that no rhythm of the tasks
 * falls in step with it; each sample says how many switches it stands for.
 *
 * Marks lie in a plain table by tid: a look costs one load, where a map's
 * lookup for each task switched in would cost more than the switch's count.
 * Interrupts are off in sched_switch, so a CPU's counts have one writer.
 */
#include "core.bpf.h"
#include "pipe.bpf.h"
#include "sched.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static const volatile struct sched_facts facts;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);		/* CPUs, at loading */
	__type(key, u32);
	__type(value, struct sched_now);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 21);	/* bytes; more for a small N */
} records SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct sched_sample);
} scratch SEC(".maps");

struct mark {
	u32 tid;		/* 0: free */
	u32 turn;
	u64 out_ns;
	u32 switches;		/* of the task: more, and its end was missed */
	u32 woken;
	u64 spent_ns;		/* by us, while it was woken */
};

static struct mark marks[SCHED_MARKS];

INLINE struct mark *mark_of(u32 tid)
{
	return &marks[tid & (SCHED_MARKS - 1)];
}

INLINE u32 switches_of(const struct task_struct *t)
{
	return (u32)(t->nvcsw + t->nivcsw);
}

/*
 * The state at which the task was switched out: an argument since 5.18
 * (fa2c3254d7cf, 9c2136be0878), since the task's own may already have changed.
 */
INLINE u32 state_of(const u64 *ctx, const struct task_struct *prev)
{
	return facts.has_state_arg ? (u32)ctx[3] : task_state(prev);
}

/* ---- counts ----------------------------------------------------------------- */

/* Time the next task was queued, as the kernel adds it to run_delay right
 * after this event (sched_info_arrive()). */
INLINE u64 delay_count(struct sched_now *c, const struct task_struct *next)
{
	u64 since, now, delay;
	u32 b;

	if (!facts.has_sched_info || !next->pid)
		return 0;
	since = next->sched_info.last_queued;
	if (!since)
		return 0;
	now = next->se.cfs_rq->rq->clock;
	delay = now > since ? now - since : 0;
	c->delays++;
	c->delay_ns += delay;
	if (c->delay_epoch != c->epoch) {
		c->delay_epoch = c->epoch;
		c->delay_max = 0;
	}
	if (delay > c->delay_max)
		c->delay_max = delay;
	b = bucket_of(delay);
	if (b < SCHED_BUCKETS)
		c->delay_hist[b]++;
	return delay;
}

INLINE void kind_count(struct sched_now *c, struct task_struct *prev,
		       bool preempt, u32 state)
{
	c->switches++;
	if (!prev->pid)
		c->idle++;
	else if (!preempt && state)
		c->blocked++;
	else if (!preempt && task_yields(prev, &c->unread))
		c->yielded++;
	else
		c->preempted++;
}

/* ---- a sample ----------------------------------------------------------------- */

/* A burst after quiet meets an N that is too small for it: until the reader
 * comes by and sets another, N doubles whenever the allowance is used up. */
INLINE u64 every_stretched(struct sched_now *c)
{
	u64 over;

	if (c->drained != c->drain) {
		c->drained = c->drain;
		c->taken = 0;
	}
	c->taken++;
	if (!c->allowed || c->taken <= c->allowed)
		return c->every;
	over = c->taken / c->allowed;
	return c->every << (over < 20 ? over : 20);
}

/* N as large as it will be is drawn around: gaps that are all even would meet
 * one only of two tasks that alternate. */
INLINE void next_draw(struct sched_now *c)
{
	u64 every = every_stretched(c), gap = 1;

	if (every > 1)		/* mean: every, also when it is even */
		gap = every / 2 + ((u64)bpf_get_prandom_u32() * every >> 32) +
		      (every & 1 ? 1 : bpf_get_prandom_u32() & 1);
	c->drawn = c->every;
	c->next = c->switches + gap;
}

/* The mark this sleep will have, if any, written into its record. */
INLINE struct mark *mark_choose(struct sched_now *c, struct sched_sample *r,
				const struct task_struct *prev)
{
	struct mark *m = mark_of(prev->pid);

	r->mark = SCHED_NO_MARK;
	if (!prev->pid || (!r->preempt && (r->state & TASK_DYING)))
		return NULL;
	if (m->tid) {
		c->untimed++;	/* another's, or its own that never ended */
		if (m->tid != (u32)prev->pid)
			return NULL;
	}
	m->turn++;
	r->mark = prev->pid & (SCHED_MARKS - 1);
	r->turn = m->turn;
	return m;
}

/* The wait begins when the record is out: the stack's walk is ours. */
INLINE void mark_set(struct mark *m, const struct task_struct *prev)
{
	m->switches = switches_of(prev);
	m->woken = 0;
	m->spent_ns = 0;
	m->out_ns = bpf_ktime_get_ns();
	m->tid = prev->pid;
}

INLINE void sample_send(u64 *ctx, struct sched_now *c,
			struct task_struct *prev, u32 cpu, bool preempt,
			u32 state)
{
	u32 zero = 0;
	struct sched_sample *r = bpf_map_lookup_elem(&scratch, &zero);
	long bytes;
	struct mark *m;
	u64 size;

	if (!r)
		return;
	r->type = SCHED_SAMPLE;
	r->preempt = preempt;
	r->cpu = cpu;
	r->weight = c->switches - c->sampled;
	r->count = c->switches;
	r->start_ns = prev->start_boottime;
	r->tid = task_tid(prev, facts.own_level);
	r->tgid = task_tgid(prev, facts.own_level);
	r->state = state | (preempt ? 0 : prev->exit_state);
	bpf_probe_read_kernel(r->comm, sizeof(r->comm), prev->comm);
	__builtin_memset(&r->pipe, 0, sizeof(r->pipe));
	if (!preempt && state & TASK_INTERRUPTIBLE)
		pipe_look(prev, &r->pipe);
	bytes = bpf_get_stack(ctx, r->ip, sizeof(r->ip), OWN_FRAME);
	size = bytes > 0 ? bytes : 0;
	if (size > sizeof(r->ip))
		size = sizeof(r->ip);
	r->nip = size / 8;
	m = mark_choose(c, r, prev);
	size += __builtin_offsetof(struct sched_sample, ip);
	if (size > sizeof(*r))
		size = sizeof(*r);
	if (bpf_ringbuf_output(&records, r, size, BPF_RB_NO_WAKEUP)) {
		c->lost++;
		if (m)
			m->tid = 0;
		return;
	}
	c->sampled = c->switches;
	if (m)
		mark_set(m, prev);
}

/* ---- its end ------------------------------------------------------------------ */

INLINE void mark_end(struct sched_now *c, const struct task_struct *next,
		     u64 queued_ns)
{
	struct mark *m = mark_of(next->pid);
	struct sched_end r = { .type = SCHED_END };

	if (!next->pid || m->tid != (u32)next->pid)
		return;
	m->tid = 0;
	r.mark = next->pid & (SCHED_MARKS - 1);
	r.turn = m->turn;
	r.wait_ns = bpf_ktime_get_ns() - m->out_ns;
	r.wait_ns -= r.wait_ns > m->spent_ns ? m->spent_ns : 0;
	r.queued_ns = queued_ns;
	if (m->switches != switches_of(next) ||
	    bpf_ringbuf_output(&records, &r, sizeof(r), BPF_RB_NO_WAKEUP))
		c->untimed++;
}

SEC("tp_btf/sched_switch")
int sched_switch(u64 *ctx)
{
	bool preempt = (bool)ctx[0];
	struct task_struct *prev = (void *)ctx[1], *next = (void *)ctx[2];
	u32 cpu = bpf_get_smp_processor_id(), state = state_of(ctx, prev);
	struct sched_now *c = bpf_map_lookup_elem(&cpus, &cpu);

	if (!c)
		return 0;
	kind_count(c, prev, preempt, state);
	if (c->every && (c->switches >= c->next || c->drawn != c->every)) {
		sample_send(ctx, c, prev, cpu, preempt, state);
		next_draw(c);
	}
	mark_end(c, next, delay_count(c, next));
	return 0;
}

SEC("tp_btf/sched_waking")
int sched_waking(u64 *ctx)
{
	struct task_struct *p = (void *)ctx[0];
	struct mark *m = mark_of(p->pid);
	struct task_struct *waker;
	struct sched_wake *r;
	u64 from;
	long bytes;

	if (m->tid != (u32)p->pid || m->woken)
		return 0;
	from = bpf_ktime_get_ns();
	m->woken = 1;
	r = bpf_ringbuf_reserve(&records, sizeof(*r), 0);
	if (!r)
		return 0;
	waker = (void *)bpf_get_current_task();
	r->type = SCHED_WAKE;
	r->mark = p->pid & (SCHED_MARKS - 1);
	r->turn = m->turn;
	r->tid = task_tid(waker, facts.own_level);
	r->tgid = task_tgid(waker, facts.own_level);
	r->start_ns = BPF_CORE_READ(waker, start_boottime);
	bpf_get_current_comm(r->comm, sizeof(r->comm));
	bytes = bpf_get_stack(ctx, r->ip, sizeof(r->ip), OWN_FRAME);
	r->nip = bytes > 0 ? (u64)bytes / 8 : 0;
	bpf_ringbuf_submit(r, BPF_RB_NO_WAKEUP);
	m->spent_ns = bpf_ktime_get_ns() - from;
	return 0;
}
