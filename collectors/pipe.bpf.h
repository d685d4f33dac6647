/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which pipe does a task that goes to sleep wait in, and at which end?
 *
 * Its system call names descriptors, these lead to pipes, and the task is found
 * among those that wait in one of them: so it is that pipe, whatever another
 * thread has done to the descriptor since, and the queue tells the end, also of
 * splice() and tee().  A task that waits for a pipe's mutex is in no queue.
 */
#ifndef COLLECTORS_PIPE_BPF_H
#define COLLECTORS_PIPE_BPF_H

#include "file.bpf.h"
#include "regs.bpf.h"
#include "sched.bpf.h"

enum { NO_FD = 3, WAITERS = 8 };

struct list_head {
	struct list_head *next, *prev;
} READ_BY_NAME;

struct wait_queue_head {
	struct list_head head;
} READ_BY_NAME;

struct wait_queue_entry {
	void *private;		/* the task */
	struct list_head entry;
} READ_BY_NAME;

struct pipe_inode_info {	/* queues since 5.6: 0ddad21d3e99 */
	struct wait_queue_head rd_wait, wr_wait;
	unsigned int head, tail, max_usage;
} READ_BY_NAME;

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
} READ_BY_NAME;

struct files_struct {
	struct fdtable *fdt;
} READ_BY_NAME;

struct task_struct___files {
	struct files_struct *files;
} READ_BY_NAME;

struct pipe_fds {		/* places of descriptors among the arguments */
	u32 place[2];		/* NO_FD: none */
};

INLINE struct pipe_fds fds_of(int call)
{
	switch (call) {
	case SYS_READ: case SYS_READV: case SYS_PREAD64: case SYS_PREADV:
	case SYS_PREADV2: case SYS_WRITE: case SYS_WRITEV: case SYS_PWRITEV2:
	case SYS_VMSPLICE:
		return (struct pipe_fds) {{ 0, NO_FD }};
	case SYS_TEE: case SYS_SENDFILE:
		return (struct pipe_fds) {{ 0, 1 }};
	case SYS_SPLICE:
		return (struct pipe_fds) {{ 0, 2 }};
	default:
		return (struct pipe_fds) {{ NO_FD, NO_FD }};
	}
}

INLINE const struct file *file_of(const struct task_struct *t, u32 fd)
{
	const struct task_struct___files *of = (const void *)t;
	const struct fdtable *fdt = BPF_CORE_READ(of, files, fdt);
	const struct file *file = NULL;

	if (!fdt || fd >= BPF_CORE_READ(fdt, max_fds))
		return NULL;
	bpf_probe_read_kernel(&file, sizeof(file),
			      BPF_CORE_READ(fdt, fd) + fd);
	return file;
}

/*
 * Is the task among those that wait here?  It came last: at the end where it
 * waits exclusively (reading, writing), at the front where not (splice).
 */
INLINE bool queue_has(const char *head, const struct task_struct *t)
{
	const u32 entry = bpf_core_field_offset(struct wait_queue_entry, entry);
	const u32 task = bpf_core_field_offset(struct wait_queue_entry,
					       private);
	const struct list_head *front = (const void *)head, *back = front;
	const void *at;
	int i;

	for (i = 0; i < WAITERS; i++) {
		back = BPF_CORE_READ(back, prev);
		front = BPF_CORE_READ(front, next);
		if (!back || (const char *)back == head)
			return false;
		if (!bpf_probe_read_kernel(&at, sizeof(at), (const char *)back -
					   entry + task) && at == t)
			return true;
		if (!bpf_probe_read_kernel(&at, sizeof(at),
					   (const char *)front - entry +
					   task) && at == t)
			return true;
	}
	return false;
}

/* 1 if the task waits in the pipe behind this descriptor; fills *to. */
INLINE bool fd_look(const struct task_struct *t, u32 fd, struct sched_pipe *to)
{
	const struct file *file = file_of(t, fd);
	const struct inode *inode = file ? BPF_CORE_READ(file, f_inode) : NULL;
	const struct pipe_inode_info *pipe;
	const char *base;

	if (!inode || (BPF_CORE_READ(inode, i_mode) & MODE_TYPE) != MODE_FIFO)
		return false;
	pipe = BPF_CORE_READ(file, private_data);
	base = (const char *)pipe;
	to->writes = queue_has(base + bpf_core_field_offset(
			       struct pipe_inode_info, wr_wait.head), t);
	if (!to->writes && !queue_has(base + bpf_core_field_offset(
				      struct pipe_inode_info, rd_wait.head), t))
		return false;
	to->slots = BPF_CORE_READ(pipe, max_usage);
	to->fill = BPF_CORE_READ(pipe, head) - BPF_CORE_READ(pipe, tail);
	to->inode = BPF_CORE_READ(inode, i_ino);
	to->dev = BPF_CORE_READ(inode, i_sb, s_dev);
	return true;
}

/* *to is zeroed; where no pipe is found, also for want of registers, it only
 * says that it was asked for. */
INLINE void pipe_look(struct task_struct *t, struct sched_pipe *to)
{
	const struct pt_regs *r = task_regs(t);
	struct pipe_fds fds;
	u32 i;

	to->asked = 1;
	if (!r)
		return;
	fds = fds_of(task_call(t, r));
	for (i = 0; i < 2; i++)
		if (fds.place[i] != NO_FD &&
		    fd_look(t, regs_fd(r, fds.place[i]), to)) {
			to->asked = 0;
			return;
		}
}

#endif
