/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which system call is a task in, and with what arguments?  By the registers
 * that its entry into the kernel saved.
 *
 * A call of 32 bits has another number, and none here but that of yielding.  A
 * task that came by a page fault or an interrupt has the number -1.
 */
#ifndef COLLECTORS_REGS_BPF_H
#define COLLECTORS_REGS_BPF_H

#include "core.bpf.h"

enum {
	NO_CALL = -1,
	STACK_BYTES = 16384,	/* THREAD_SIZE without KASAN */
	SYS32_YIELD = 158,	/* x86 and arm */
};

struct thread_info {
	unsigned long flags;
	u32 status;
} READ_BY_NAME;

struct task_struct___info {
	struct thread_info thread_info;
} READ_BY_NAME;

#if defined(__TARGET_ARCH_x86)

enum { SYS_YIELD = 24, SYS_READ = 0, SYS_WRITE = 1, SYS_PREAD64 = 17,
       SYS_READV = 19, SYS_WRITEV = 20, SYS_SENDFILE = 40, SYS_SPLICE = 275,
       SYS_TEE = 276, SYS_VMSPLICE = 278, SYS_PREADV = 295, SYS_PREADV2 = 327,
       SYS_PWRITEV2 = 328 };

struct pt_regs {
	unsigned long ax, dx, si, di, orig_ax;
	u16 cs;				/* long, until 6.9 */
} READ_BY_NAME;

INLINE bool task_is_32(const struct task_struct___info *t)
{
	return BPF_CORE_READ(t, thread_info.status) & 2;	/* TS_COMPAT */
}

INLINE bool regs_are_user(const struct pt_regs *r)
{
	return (BPF_CORE_READ(r, cs) & 3) == 3;
}

INLINE int regs_call(const struct pt_regs *r)
{
	return (int)BPF_CORE_READ(r, orig_ax);
}

/* Its result is not there yet: the entry put -ENOSYS in its place. */
INLINE bool regs_in_call(const struct pt_regs *r)
{
	return (long)BPF_CORE_READ(r, ax) == -38;
}

INLINE u32 regs_fd(const struct pt_regs *r, u32 i)
{
	if (!i)
		return (u32)BPF_CORE_READ(r, di);
	return i == 1 ? (u32)BPF_CORE_READ(r, si) : (u32)BPF_CORE_READ(r, dx);
}

#define HAVE_REGS 1

#elif defined(__TARGET_ARCH_arm64)

enum { SYS_YIELD = 124, SYS_READ = 63, SYS_WRITE = 64, SYS_PREAD64 = 67,
       SYS_READV = 65, SYS_WRITEV = 66, SYS_SENDFILE = 71, SYS_SPLICE = 76,
       SYS_TEE = 77, SYS_VMSPLICE = 75, SYS_PREADV = 69, SYS_PREADV2 = 286,
       SYS_PWRITEV2 = 287 };

struct pt_regs {
	u64 regs[31];
	u64 pstate;
	u64 orig_x0;
	s32 syscallno;
} READ_BY_NAME;

INLINE bool task_is_32(const struct task_struct___info *t)
{
	return BPF_CORE_READ(t, thread_info.flags) & 1 << 22;	/* TIF_32BIT */
}

INLINE bool regs_are_user(const struct pt_regs *r)
{
	return !(BPF_CORE_READ(r, pstate) & 0xf);	/* EL0t */
}

INLINE int regs_call(const struct pt_regs *r)
{
	return BPF_CORE_READ(r, syscallno);
}

INLINE bool regs_in_call(const struct pt_regs *r)
{
	return true;			/* cannot be told here */
}

INLINE u32 regs_fd(const struct pt_regs *r, u32 i)
{
	if (!i)
		return (u32)BPF_CORE_READ(r, orig_x0);
	return i == 1 ? (u32)BPF_CORE_READ(r, regs[1])
		      : (u32)BPF_CORE_READ(r, regs[2]);
}

#define HAVE_REGS 1

#else

enum { SYS_YIELD = -2, SYS_READ = -3, SYS_WRITE = -4, SYS_PREAD64 = -5,
       SYS_READV = -6, SYS_WRITEV = -7, SYS_SENDFILE = -8, SYS_SPLICE = -9,
       SYS_TEE = -10, SYS_VMSPLICE = -11, SYS_PREADV = -12, SYS_PREADV2 = -13,
       SYS_PWRITEV2 = -14 };		/* no task is in any of them */

struct pt_regs {
	unsigned long none;
};

INLINE bool task_is_32(const struct task_struct___info *t)
{
	return false;
}

INLINE bool regs_are_user(const struct pt_regs *r)
{
	return false;
}

INLINE int regs_call(const struct pt_regs *r)
{
	return NO_CALL;
}

INLINE bool regs_in_call(const struct pt_regs *r)
{
	return false;
}

INLINE u32 regs_fd(const struct pt_regs *r, u32 i)
{
	return 0;
}

#define HAVE_REGS 0

#endif

/*
 * The registers of a user task, or NULL.  Where the helper is not there (until
 * 5.14: dd6e10fbd9fb) they lie at the very top of the stack; newer kernels may
 * have something above them (FRED).
 */
INLINE const struct pt_regs *task_regs(struct task_struct *t)
{
	const struct pt_regs *r;

	if (!HAVE_REGS || !t->mm || t->flags & (PF_KTHREAD | PF_IO_WORKER))
		return NULL;
	if (bpf_core_enum_value_exists(enum bpf_func_id,
				       BPF_FUNC_task_pt_regs))
		return (const void *)bpf_task_pt_regs(t);
	r = (const void *)((const char *)t->stack + STACK_BYTES -
			   bpf_core_type_size(struct pt_regs));
	return regs_are_user(r) ? r : NULL;
}

/* The number of its call, NO_CALL: in none, or one of 32 bits. */
INLINE int task_call(const struct task_struct *t, const struct pt_regs *r)
{
	return task_is_32((const void *)t) ? NO_CALL : regs_call(r);
}

/* Did it give up the CPU by sched_yield()?  Counts a user task whose registers
 * could not be read. */
INLINE bool task_yields(struct task_struct *t, u64 *unread)
{
	const struct pt_regs *r = task_regs(t);
	int yield;

	if (!r && t->mm && !(t->flags & (PF_KTHREAD | PF_IO_WORKER)))
		(*unread)++;
	if (!r)
		return false;
	yield = task_is_32((const void *)t) ? SYS32_YIELD : SYS_YIELD;
	return regs_call(r) == yield && regs_in_call(r);
}

#endif
