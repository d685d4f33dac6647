// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who flushes which CPU's TLB, and where in the kernel?
 *
 * Every tlb_flush event is counted by CPU and reason.  Of those where a flush
 * begins, one in N is sent with its stack; N varies at random around what was
 * asked, by half of it.  Every interrupt sent by a flush is counted for its
 * pair of CPUs, as the call is queued: the task that flushes still runs then,
 * so the ones that follow a sample are that sample's.
 *
 * Interrupts may be on where a sender's event is, so a receiver's can come in
 * between: kernels since 6.1 skip that one and count what they skipped.
 */
#include "core.bpf.h"
#include "tlb.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static const volatile struct tlb_facts facts;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);		/* CPUs, at loading */
	__type(key, u32);
	__type(value, struct tlb_now);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);		/* CPUs x CPUs, at loading */
	__type(key, u32);
	__type(value, u64);
} matrix SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 19);	/* bytes */
} records SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct tlb_sample);
} scratch SEC(".maps");

/* ---- a sample ----------------------------------------------------------------- */

/* A burst after quiet meets an N that is too small for it: until the reader
 * comes by and sets another, N doubles whenever the allowance is used up. */
INLINE u64 every_stretched(struct tlb_now *c)
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

/* N as large as it will be is drawn around: a gap that is always even would
 * meet only one of a flush's two events, the sender's and its own. */
INLINE void next_draw(struct tlb_now *c)
{
	u64 every = every_stretched(c), gap = 1;

	if (every > 1)		/* mean: every, also when it is even */
		gap = every / 2 + ((u64)bpf_get_prandom_u32() * every >> 32) +
		      (every & 1 ? 1 : bpf_get_prandom_u32() & 1);
	c->drawn = c->every;
	c->next = c->begun + gap;
}

INLINE void task_write(struct tlb_sample *r)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	r->start_ns = BPF_CORE_READ(task, start_boottime);
	r->tid = task_tid(task, facts.own_level);
	r->tgid = task_tgid(task, facts.own_level);
	bpf_get_current_comm(r->comm, sizeof(r->comm));
}

INLINE void sample_send(u64 *ctx, struct tlb_now *c, u32 cpu, bool sends)
{
	u32 zero = 0;
	struct tlb_sample *r = bpf_map_lookup_elem(&scratch, &zero);
	long bytes;
	u64 size;

	if (!r)
		return;
	r->cpu = cpu;
	r->weight = c->begun - c->sampled;
	r->turn = c->turn + 1;
	r->hits = c->hits;
	task_write(r);
	bytes = bpf_get_stack(ctx, r->ip, sizeof(r->ip), OWN_FRAME);
	size = bytes > 0 ? bytes : 0;
	if (size > sizeof(r->ip))
		size = sizeof(r->ip);
	r->nip = size / 8;
	size += __builtin_offsetof(struct tlb_sample, ip);
	if (size > sizeof(*r))
		size = sizeof(*r);
	if (bpf_ringbuf_output(&records, r, size, BPF_RB_NO_WAKEUP)) {
		c->lost++;
		return;
	}
	c->turn++;
	c->sampled = c->begun;
	c->open = sends;
}

SEC("tp_btf/tlb_flush")
int tlb_flush(u64 *ctx)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct tlb_now *c = bpf_map_lookup_elem(&cpus, &cpu);
	u64 reason = (u32)ctx[0], pages = ctx[1];

	if (!c)
		return 0;
	if (reason == TLB_SWITCH) {
		c->n[TLB_SWITCH]++;
		return 0;
	}
	if (reason >= TLB_REASONS)
		reason = TLB_REASONS - 1;
	/* 6.1 forgets the bound of what it has not just seen masked. */
	asm volatile("%0 &= 15" : "+r"(reason));
	c->n[reason]++;
	if (pages == (u64)-1)
		c->full[reason]++;
	else
		c->pages[reason] += pages;
	if (reason < TLB_LOCAL || reason > TLB_SEND)
		return 0;
	c->begun++;
	c->open = 0;
	if (c->every && (c->begun >= c->next || c->drawn != c->every)) {
		sample_send(ctx, c, cpu, reason == TLB_SEND);
		next_draw(c);
	}
	return 0;
}

/* ---- who hits whom -------------------------------------------------------------- */

/* args: the CPU that will be interrupted, where from, what it is to call.
 * 6.12 has it, 6.1 has not. */
SEC("raw_tp/csd_queue_cpu")
int csd_queue_cpu(struct bpf_raw_tracepoint_args *ctx)
{
	u32 from = bpf_get_smp_processor_id(), to = (u32)ctx->args[0], cell;
	struct tlb_now *c;
	u64 *n;

	if (ctx->args[2] != facts.flush_func)
		return 0;
	cell = from * facts.cpus + to;
	n = to < facts.cpus ? bpf_map_lookup_elem(&matrix, &cell) : NULL;
	if (n)
		(*n)++;
	c = bpf_map_lookup_elem(&cpus, &from);
	if (c && c->open)
		c->hits++;
	return 0;
}
