// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which threads are there, and how deep are the run queues?
 *
 * The iterator writes a row for each thread of the reader's pid namespace, and
 * learns on the way where each CPU's run queue lies: every CPU has threads of
 * its own.  One scanner then reads all queues, so that no idle CPU is woken to
 * be looked at; the symbol of the queues is not in every kernel's tables.
 */
#include "core.bpf.h"
#include "tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static const volatile struct tasks_facts facts;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);		/* CPUs, at loading */
	__type(key, u32);
	__type(value, struct tasks_depth);
} depths SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);		/* CPUs, at loading */
	__type(key, u32);
	__type(value, u64);
} queues SEC(".maps");		/* addresses of struct rq */

static u64 reader;		/* address of stalltop's own thread */
static u32 from;		/* CPU the next scan begins with */

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
} READ_BY_NAME;

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} READ_BY_NAME;

/* ---- threads ------------------------------------------------------------------ */

struct kernfs_node {
	u64 id;			/* a union before 5.5: 67c0496e87d1 */
} READ_BY_NAME;

struct cgroup {
	struct kernfs_node *kn;
} READ_BY_NAME;

struct css_set {
	struct cgroup *dfl_cgrp;
} READ_BY_NAME;

struct task_struct___grouped {
	struct css_set *cgroups;	/* CONFIG_CGROUPS */
} READ_BY_NAME;

INLINE u64 cgroup_of(const struct task_struct *t)
{
	const struct task_struct___grouped *g = (const void *)t;

	if (!bpf_core_field_exists(g->cgroups))
		return 0;
	return g->cgroups->dfl_cgrp->kn->id;
}

INLINE u32 state_now(const struct task_struct *t)
{
	const struct task_struct___new *new = (const void *)t;
	const struct task_struct___old *old = (const void *)t;

	return bpf_core_field_exists(new->__state) ? new->__state
						   : (u32)old->state;
}

INLINE void queue_learn(u32 cpu, const struct rq *rq)
{
	u64 *at = bpf_map_lookup_elem(&queues, &cpu);

	if (at)
		*at = (u64)rq;
}

/* t is a typed pointer: its members are loaded, which costs a tenth of the copy
 * that BPF_CORE_READ() is. */
INLINE void row_fill(struct tasks_row *r, const struct task_struct *t)
{
	r->start_ns = t->start_boottime;
	r->run_ns = t->se.sum_exec_runtime;
	if (bpf_core_field_exists(t->sched_info)) {
		r->delay_ns = t->sched_info.run_delay;
		r->slices = t->sched_info.pcount;
	}
	r->utime_ns = t->utime;
	r->stime_ns = t->stime;
	r->minflt = t->min_flt;
	r->majflt = t->maj_flt;
	r->nvcsw = t->nvcsw;
	r->nivcsw = t->nivcsw;
	r->cgroup = cgroup_of(t);
	r->state = state_now(t) | t->exit_state;
	BPF_CORE_READ_INTO(&r->comm, t, comm);
}

SEC("iter/task")
int tasks_list(struct bpf_iter__task *ctx)
{
	struct seq_file *seq = ctx->meta->seq;
	struct task_struct *t = ctx->task, *self;
	struct tasks_row r = { 0 };
	struct rq *rq;
	u32 level;

	if (!t)
		return 0;
	self = (void *)bpf_get_current_task();
	level = BPF_CORE_READ(self, thread_pid, level);
	rq = t->se.cfs_rq->rq;
	r.cpu = rq->cpu;
	queue_learn(r.cpu, rq);
	if (self == t)
		reader = (u64)t;
	r.tid = level ? task_tid(t, level) : t->pid;
	r.tgid = level ? task_tid(t->group_leader, level) : t->tgid;
	row_fill(&r, t);
	bpf_seq_write(seq, &r, sizeof(r));
	return 0;
}

/* ---- run queues ----------------------------------------------------------------- */

/* Since 6.12 a task that sleeps may stay queued for a while (delayed dequeue);
 * how many, is told in one way in 6.12 and 6.13, in another since 6.14. */
struct cfs_rq___delayed {
	unsigned int h_nr_delayed;
} READ_BY_NAME;

struct cfs_rq___runnable {
	unsigned int h_nr_queued, h_nr_runnable;
} READ_BY_NAME;

struct sched_entity___delayed {
	unsigned char sched_delayed;	/* since 6.12 */
} READ_BY_NAME;

/* Asleep but still in the queue, to be taken out when next picked. */
INLINE u64 delayed_of(const struct rq *rq)
{
	const struct cfs_rq___runnable *new = (const void *)&rq->cfs;
	const struct cfs_rq___delayed *old = (const void *)&rq->cfs;

	if (bpf_core_field_exists(new->h_nr_runnable))
		return BPF_CORE_READ(new, h_nr_queued) -
		       BPF_CORE_READ(new, h_nr_runnable);
	if (bpf_core_field_exists(old->h_nr_delayed))
		return BPF_CORE_READ(old, h_nr_delayed);
	return 0;
}

/* Is stalltop's own thread runnable here? */
INLINE bool is_readers(const struct rq *rq)
{
	const struct task_struct *t = (const void *)reader;
	const struct sched_entity___delayed *se;

	if (!t || BPF_CORE_READ(t, on_rq) != 1 ||
	    BPF_CORE_READ(t, se.cfs_rq, rq) != rq)
		return false;
	se = (const void *)&t->se;
	return !bpf_core_field_exists(se->sched_delayed) ||
	       !BPF_CORE_READ(se, sched_delayed);
}

INLINE void depth_count(struct tasks_depth *d, u64 depth)
{
	u32 b = depth < TASKS_DEPTHS ? depth : TASKS_DEPTHS - 1;

	d->reads++;
	d->sum += depth;
	d->now = depth;
	if (d->max_epoch != d->epoch) {
		d->max_epoch = d->epoch;
		d->max = 0;
	}
	if (depth > d->max)
		d->max = depth;
	if (b < TASKS_DEPTHS)
		d->hist[b]++;
}

INLINE void queue_scan(u32 cpu)
{
	struct tasks_depth *d = bpf_map_lookup_elem(&depths, &cpu);
	u64 *at = bpf_map_lookup_elem(&queues, &cpu), depth, less;
	const struct rq *rq;

	if (!at || !d || !*at)
		return;
	rq = (const void *)*at;
	depth = BPF_CORE_READ(rq, nr_running);
	less = delayed_of(rq) + is_readers(rq);
	depth_count(d, depth > less ? depth - less : 0);
}

INLINE void queues_scan(void)
{
	u32 cpu = from, i;

	for (i = 0; i < TASKS_CHUNK; i++) {
		if (i >= facts.cpus)
			break;
		if (cpu >= facts.cpus)
			cpu = 0;
		queue_scan(cpu++);
	}
	from = cpu;
}

SEC("perf_event")
int tasks_tick(void *ctx)
{
	queues_scan();
	return 0;
}

/* The same by hand, where no event can be had. */
SEC("raw_tp/sched_switch")
int tasks_scan(void *ctx)
{
	queues_scan();
	return 0;
}
