/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the kernel's structures do our programs read?  Only the members they
 * name, in any order: libbpf finds each one's place in the running kernel's BTF
 * when the program is loaded (CO-RE).  Where kernels differ there are flavours,
 * "task_struct___old", and what chooses between them.
 *
 * In tp_btf programs the arguments are typed pointers that may be followed
 * directly; behind a plain number use BPF_CORE_READ().
 */
#ifndef COLLECTORS_CORE_BPF_H
#define COLLECTORS_CORE_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __s32 s32;
typedef __u64 u64;
typedef __s64 s64;
typedef _Bool bool;
enum { false, true };

#define READ_BY_NAME __attribute__((preserve_access_index))
#define INLINE static __always_inline

enum { OWN_FRAME = 1 };		/* frames to skip: the program's, whose address
				 * no table of symbols has yet */

enum {				/* include/linux/sched.h, all since 4.14 */
	TASK_RUNNING = 0, TASK_INTERRUPTIBLE = 1,
	TASK_DYING = 0x10 | 0x20 | 0x80, /* EXIT_DEAD, EXIT_ZOMBIE, TASK_DEAD */
	PF_IO_WORKER = 0x10, PF_KTHREAD = 0x200000,
	COMM = 16,
};

struct rq;
struct mm_struct;

struct cfs_rq {
	struct rq *rq;		/* CONFIG_FAIR_GROUP_SCHED */
} READ_BY_NAME;

struct rq {
	unsigned int nr_running;
	int cpu;
	u64 clock;		/* ns, as sched_info has it */
	struct task_struct *curr, *idle;
	struct cfs_rq cfs;
} READ_BY_NAME;

struct sched_entity {
	struct cfs_rq *cfs_rq;	/* CONFIG_FAIR_GROUP_SCHED; set for tasks of
				 * every class (set_task_rq()) */
	u64 sum_exec_runtime;
} READ_BY_NAME;

struct sched_info {		/* CONFIG_SCHED_INFO */
	unsigned long pcount;
	unsigned long long run_delay;
	unsigned long long last_arrival, last_queued;
} READ_BY_NAME;

struct upid {
	int nr;
} READ_BY_NAME;

struct pid {
	unsigned int level;
	struct upid numbers[1];	/* more follow: one for each level */
} READ_BY_NAME;

struct task_struct {
	unsigned int flags;
	int pid, tgid;
	int on_rq, exit_state;	/* on_rq 1: queued or running */
	struct task_struct *group_leader;
	char comm[COMM];
	struct mm_struct *mm;
	void *stack;
	struct sched_entity se;
	struct sched_info sched_info;
	struct pid *thread_pid;
	u64 start_boottime;	/* ns; real_start_time until 5.5: cf25e24db61c */
	u64 utime, stime;	/* ns, as ticks saw it */
	unsigned long nvcsw, nivcsw, min_flt, maj_flt;
} READ_BY_NAME;

struct task_struct___old {
	long state;		/* until 5.14: 2f064a59a11f */
} READ_BY_NAME;

struct task_struct___new {
	unsigned int __state;
} READ_BY_NAME;

INLINE u32 task_state(const struct task_struct *t)
{
	const struct task_struct___new *new = (const void *)t;
	const struct task_struct___old *old = (const void *)t;

	if (bpf_core_field_exists(new->__state))
		return BPF_CORE_READ(new, __state);
	return (u32)BPF_CORE_READ(old, state);
}

/* The tid as a reader sees it whose pid namespace lies `level` deep; tasks
 * outside of it keep the machine's. */
INLINE s32 task_tid(const struct task_struct *t, u32 level)
{
	const struct pid *pid;
	s32 nr;

	if (!level)
		return BPF_CORE_READ(t, pid);
	pid = BPF_CORE_READ(t, thread_pid);
	if (!pid || BPF_CORE_READ(pid, level) < level ||
	    bpf_probe_read_kernel(&nr, sizeof(nr), (const char *)pid +
				  bpf_core_field_offset(struct pid, numbers) +
				  level * bpf_core_type_size(struct upid)))
		return BPF_CORE_READ(t, pid);
	return nr;
}

INLINE s32 task_tgid(const struct task_struct *t, u32 level)
{
	if (!level)
		return BPF_CORE_READ(t, tgid);
	return task_tid(BPF_CORE_READ(t, group_leader), level);
}

/* ---- the same rule as include/buckets.h ------------------------------------- */

enum { CORE_BUCKETS = 252 };

INLINE u32 log2_of(u64 v)		/* v > 0 */
{
	u32 e = 0;

	if (v >> 32) { e += 32; v >>= 32; }
	if (v >> 16) { e += 16; v >>= 16; }
	if (v >> 8) { e += 8; v >>= 8; }
	if (v >> 4) { e += 4; v >>= 4; }
	if (v >> 2) { e += 2; v >>= 2; }
	if (v >> 1) e += 1;
	return e;
}

INLINE u32 bucket_of(u64 ns)
{
	u32 e;

	if (ns < 4)
		return (u32)ns;
	e = log2_of(ns);
	return (e - 1) * 4 + (u32)(ns >> (e - 2) & 3);
}

#endif
