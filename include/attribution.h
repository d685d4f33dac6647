/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who called schedule(), how, and what kind of wait is it?  The kernel's own
 * rule, the one behind wchan: the source is the first frame outside sched and
 * lock text; VIA is the outermost frame inside.  Pure.
 */
#ifndef ATTRIBUTION_H
#define ATTRIBUTION_H

#include <stddef.h>
#include <stdint.h>
#include "names.h"

enum sched_class {
	CLASS_OTHER, CLASS_PIPE, CLASS_FUTEX, CLASS_POLL, CLASS_SLEEP,
	CLASS_WAIT, CLASS_EXIT, CLASS_BLOCK_IO, CLASS_PAGE_LOCK, CLASS_FAULT,
	CLASS_MUTEX, CLASS_RWSEM, CLASS_FILE_LOCK, CLASS_SOCKET, CLASS_TTY,
	CLASS_SIGNAL, CLASS_STOPPED, CLASS_KTHREAD, CLASS_IDLE, CLASS_PREEMPTED,
	CLASS_YIELD, CLASS_IPC, CLASS_VM, CLASS_COMPLETION, CLASS_COUNT
};

struct attribution {
	uint32_t source;	/* symbol id, 0 = every frame was inside */
	uint32_t via;		/* symbol id, 0 = none */
	enum sched_class class;
	unsigned depth;		/* index of source in the stack's frames */
};

/* `stack` is of kind NAME_STACK. */
void attribution_of(const struct names *n, const struct name *stack,
		    struct attribution *a);
/*
 * Who woke a sleeper?  Of the waker's stack: the first frame outside the
 * wake-up plumbing.  A waker seen in an interrupt is not the task that ran.
 */
enum waker_kind { WAKER_TASK, WAKER_TIMER, WAKER_INTERRUPT };
struct waker {
	uint32_t source;	/* symbol id, 0 = every frame was plumbing */
	enum waker_kind kind;
};
void waker_of(const struct names *n, const struct name *stack,
	      struct waker *w);
/* What a frame of such a stack is, by its name alone. */
enum wake_frame { WAKE_SOURCE, WAKE_PLUMBING, WAKE_TIMER, WAKE_INTERRUPT };
enum wake_frame wake_frame_of(const char *name);
size_t wake_table_name(size_t i, const char **name);
/* By the function alone; CLASS_OTHER if the table does not have it. */
enum sched_class class_of_symbol(const char *name);
/* The i-th name of that table, NULL past its end; returns how many. */
size_t class_table_name(size_t i, const char **name);
const char *class_name(enum sched_class c);	/* "block I/O" */
const char *class_help(enum sched_class c);	/* two or three sentences */
/* The name all kernels share (anon_pipe_read -> pipe_wait), or itself. */
const char *symbol_alias(const char *text);

#endif
