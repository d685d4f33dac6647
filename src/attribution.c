// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who called schedule(), how, and what kind of wait is it?
 *
 * The order decides: how the task left the CPU (preempted or not) comes first,
 * then a lock taken on the way (a mutex wait inside a pipe call is a mutex
 * wait), then who called, then what else was on the way.
 */
#include "attribution.h"

#include <stdlib.h>
#include <string.h>

struct pair {
	const char *name, *as;
};

/* Functions that were renamed or split: the name kernels share.  Sorted. */
static const struct pair aliases[] = {
	{ "__cond_resched", "_cond_resched" },
	{ "__futex_wait", "futex_wait_queue" },
	{ "anon_pipe_read", "pipe_wait" },
	{ "anon_pipe_write", "pipe_wait" },
	{ "cond_resched", "_cond_resched" },
	{ "cpu_idle", "cpu_startup_entry" },
	{ "cpu_idle_loop", "cpu_startup_entry" },
	{ "do_idle", "cpu_startup_entry" },
	{ "do_page_add_anon_rmap", "page_add_anon_rmap" },
	{ "do_task_dead", "do_exit" },
	{ "exit_to_user_mode_prepare", "exit_to_user_mode_loop" },
	{ "exit_to_usermode_loop", "exit_to_user_mode_loop" },
	{ "folio_add_anon_rmap_pmd", "page_add_anon_rmap" },
	{ "folio_add_anon_rmap_ptes", "page_add_anon_rmap" },
	{ "folio_add_file_rmap_pmd", "page_add_file_rmap" },
	{ "folio_add_file_rmap_ptes", "page_add_file_rmap" },
	{ "folio_add_file_rmap_pud", "page_add_file_rmap" },
	{ "folio_add_file_rmap_range", "page_add_file_rmap" },
	{ "folio_add_new_anon_rmap", "page_add_new_anon_rmap" },
	{ "folio_lock_anon_vma_read", "page_lock_anon_vma_read" },
	{ "folio_mkclean", "page_mkclean" },
	{ "folio_move_anon_rmap", "page_move_anon_rmap" },
	{ "folio_referenced", "page_referenced" },
	{ "folio_remove_rmap_pmd", "page_remove_rmap" },
	{ "folio_remove_rmap_ptes", "page_remove_rmap" },
	{ "folio_remove_rmap_pud", "page_remove_rmap" },
	{ "futex_do_wait", "futex_wait_queue" },
	{ "futex_wait_queue_me", "futex_wait_queue" },
	{ "hugetlb_add_anon_rmap", "hugepage_add_anon_rmap" },
	{ "hugetlb_add_new_anon_rmap", "hugepage_add_new_anon_rmap" },
	{ "hugetlb_remove_rmap", "page_remove_rmap" },
	{ "int_careful", "exit_to_user_mode_loop" },
	{ "page_lock_anon_vma", "page_lock_anon_vma_read" },
	{ "page_remove_anon_compound_rmap", "page_remove_rmap" },
	{ "page_remove_file_rmap", "page_remove_rmap" },
	{ "pipe_read", "pipe_wait" },
	{ "pipe_wait_readable", "pipe_wait" },
	{ "pipe_wait_writable", "pipe_wait" },
	{ "pipe_write", "pipe_wait" },
	{ "prepare_exit_to_usermode", "exit_to_user_mode_loop" },
	{ "retint_careful", "exit_to_user_mode_loop" },
	{ "sleep_on_page", "folio_wait_bit_common" },
	{ "sysret_careful", "exit_to_user_mode_loop" },
	{ "wait_on_page_bit_common", "folio_wait_bit_common" },
	{ "work_resched", "exit_to_user_mode_loop" },
};

/* Frames inside sched and lock text that tell the kind of wait. */
static const struct {
	const char *prefix;
	enum sched_class class;
	int wins;		/* over what the caller would say */
} inside[] = {
	{ "mutex_lock", CLASS_MUTEX, 1 },
	{ "__mutex_lock", CLASS_MUTEX, 1 },
	{ "ww_mutex_lock", CLASS_MUTEX, 1 },
	{ "__ww_mutex_lock", CLASS_MUTEX, 1 },
	{ "rt_mutex_", CLASS_MUTEX, 1 },
	{ "__rt_mutex_", CLASS_MUTEX, 1 },
	{ "rwsem_down", CLASS_RWSEM, 1 },
	{ "down_read", CLASS_RWSEM, 1 },
	{ "down_write", CLASS_RWSEM, 1 },
	{ "__down_read", CLASS_RWSEM, 1 },
	{ "__down_write", CLASS_RWSEM, 1 },
	{ "percpu_down_write", CLASS_RWSEM, 1 },
	{ "percpu_rwsem_wait", CLASS_RWSEM, 1 },
	{ "io_schedule", CLASS_BLOCK_IO, 0 },
	{ "bit_wait_io", CLASS_BLOCK_IO, 0 },
	{ "wait_for_completion_io", CLASS_BLOCK_IO, 0 },
	{ "wait_for_completion", CLASS_COMPLETION, 0 },
	{ "__wait_for_common", CLASS_COMPLETION, 0 },
	{ "do_nanosleep", CLASS_SLEEP, 0 },
	{ "usleep_range", CLASS_SLEEP, 0 },
	{ "schedule_idle", CLASS_IDLE, 0 },
	{ "yield", CLASS_YIELD, 0 },
};

/* Sources that only wait on behalf of their callers: look outwards. */
static const char *const go_between[] = {
	"wait_woken", "prepare_to_wait_event", "do_wait_intr",
	"do_wait_intr_irq", "schedule_hrtimeout_range_clock",
};

static const struct {
	const char *name, *help;
} classes[CLASS_COUNT] = {
	[CLASS_OTHER] = { "other",
		"The function is in no class stalltop knows. Open the row: "
		"the callers tell what it waits for." },
	[CLASS_PIPE] = { "pipe",
		"A pipe was empty for its reader or full for its writer. A "
		"pipe of one page is passed 512 times per MB between both "
		"ends. People enlarge it (F_SETPIPE_SZ), write larger "
		"chunks, or do without it (gcc without -pipe)." },
	[CLASS_FUTEX] = { "futex",
		"A user-space lock or condition was not free: pthread "
		"mutexes, condition variables and language runtimes wait "
		"here. Look at who holds it, shorten the section it guards, "
		"or use fewer threads." },
	[CLASS_POLL] = { "poll",
		"The task waited for one of several descriptors (poll, "
		"select, epoll, io_uring). Mostly idle servers; only many "
		"short waits cost. Batch the events, or wait for more at a "
		"time." },
	[CLASS_SLEEP] = { "sleep",
		"The task asked to sleep for a time. Short sleeps in a loop "
		"are polling: wait for the event itself instead." },
	[CLASS_WAIT] = { "wait",
		"A parent waited for its child to end or change state "
		"(wait4, waitid). Normal in shells and make; many per "
		"second mean many short-lived processes." },
	[CLASS_EXIT] = { "exit",
		"The last switch of a task that ended. Its rate is the rate "
		"of exits; look at who forks when it is high." },
	[CLASS_BLOCK_IO] = { "block I/O",
		"The task waited for a disk: a read, a write or a full "
		"request queue. Look at the device's queue and latency, add "
		"memory for caching, or read ahead." },
	[CLASS_PAGE_LOCK] = { "page lock",
		"The task waited for a page under I/O, writeback or "
		"migration by somebody else. Often reads of the same file "
		"by many, or writeback; look at the disk and at memory "
		"pressure." },
	[CLASS_FAULT] = { "fault",
		"The task waited inside a page fault, for swap, userfaultfd "
		"or the hypervisor. Look at major faults and at memory "
		"pressure." },
	[CLASS_MUTEX] = { "mutex",
		"A mutex inside the kernel was held by somebody else. The "
		"source names the function that wanted it; open the row for "
		"the system call behind it. Fewer tasks on the same object, "
		"or spreading the objects, helps." },
	[CLASS_RWSEM] = { "rwsem",
		"A reader-writer semaphore inside the kernel was held, "
		"often mmap_lock or a directory's lock. Threads that map "
		"and fault at once, or many creations in one directory, "
		"meet here." },
	[CLASS_FILE_LOCK] = { "file lock",
		"The task waited for flock() or a POSIX lock that another "
		"holds. Shorten what is done under the lock, or lock "
		"smaller things." },
	[CLASS_SOCKET] = { "socket",
		"The task waited for data, space or a connection on a "
		"socket. The other side, or the network, is slower than "
		"this one. Larger messages cost fewer waits." },
	[CLASS_TTY] = { "tty",
		"The task waited for a terminal or pseudo-terminal: for "
		"typed input, or for the emulator to take output." },
	[CLASS_SIGNAL] = { "signal",
		"The task waited for a signal (pause, sigsuspend, "
		"sigtimedwait)." },
	[CLASS_STOPPED] = { "stopped",
		"The task was stopped by a signal, a debugger or the "
		"freezer, and waits to be continued." },
	[CLASS_KTHREAD] = { "kthread",
		"A kernel thread had nothing more to do and waited for "
		"work. Only its rate costs: each of them is a wake-up of a "
		"CPU." },
	[CLASS_IDLE] = { "idle",
		"The CPU had nothing to run and left its idle loop for a "
		"task. The rate tells how often CPUs fall idle and are "
		"woken again." },
	[CLASS_PREEMPTED] = { "preempted",
		"The task wanted to go on, but another one was put on its "
		"CPU: its slice was over or a woken task came first. Many "
		"of them with deep run queues mean too few CPUs; many with "
		"shallow ones, wake-up preemption." },
	[CLASS_YIELD] = { "yield",
		"The task gave its CPU up by sched_yield(). Spinning with "
		"yield burns time that the holder of the lock needs: wait "
		"on a futex instead." },
	[CLASS_IPC] = { "IPC",
		"The task waited for a System V or POSIX message queue, a "
		"semaphore or binder." },
	[CLASS_VM] = { "virtual CPU",
		"A virtual CPU of a guest had nothing to run (halted), or "
		"its thread handled work on the way into the guest." },
	[CLASS_COMPLETION] = { "completion",
		"The task waited for another part of the kernel to finish: "
		"a work item, an RCU grace period, a stopped CPU. The "
		"source names what it wanted." },
};

static int starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static enum sched_class class_inside(const char *name, int *wins)
{
	for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++) {
		if (!starts_with(name, inside[i].prefix))
			continue;
		*wins = inside[i].wins;
		return inside[i].class;
	}
	return CLASS_OTHER;
}

static int is_go_between(const char *name)
{
	for (size_t i = 0; i < sizeof(go_between) / sizeof(*go_between); i++)
		if (!strcmp(name, go_between[i]))
			return 1;
	return 0;
}

static enum sched_class class_outwards(const struct names *n,
				       const struct name *stack, unsigned from)
{
	enum sched_class class = CLASS_OTHER;

	for (unsigned i = from; i < stack->len && i < from + 6 && !class; i++)
		class = class_of_symbol(names_str(n, stack->stack.frame[i]));
	return class;
}

/* Running on when it left: preempted, unless it slept and was woken before it
 * was gone, which its source tells (do_wait in state R). */
static enum sched_class class_of_running(uint8_t state, enum sched_class source)
{
	if (source == CLASS_IDLE || source == CLASS_YIELD)
		return source;
	return state == '+' || source == CLASS_VM ? CLASS_PREEMPTED : source;
}

static int compare(const void *name, const void *pair)
{
	return strcmp(name, ((const struct pair *)pair)->name);
}

void attribution_of(const struct names *n, const struct name *stack,
		    struct attribution *a)
{
	const uint32_t *frame = stack->stack.frame;
	enum sched_class way = CLASS_OTHER, source = CLASS_OTHER;
	const struct name *sym;
	int wins = 0;
	unsigned i;

	memset(a, 0, sizeof(*a));
	for (i = 0; i < stack->len; i++) {
		sym = names_get(n, frame[i]);
		if (!sym || !(sym->symbol.flags & SYMBOL_SCHED))
			break;
		a->via = frame[i];
		if (!wins && (!way || way == CLASS_BLOCK_IO))
			way = class_inside(sym->text, &wins);
	}
	a->depth = i;
	if (i < stack->len) {
		a->source = frame[i];
		source = class_of_symbol(names_str(n, frame[i]));
		if (!source && is_go_between(names_str(n, frame[i])))
			source = class_outwards(n, stack, i + 1);
	}
	a->class = wins ? way : source ? source : way;
	if (stack->stack.state == '+' || stack->stack.state == 'R')
		a->class = class_of_running(stack->stack.state, a->class);
	else if (a->class == CLASS_PREEMPTED)
		a->class = CLASS_OTHER;
}

/* Anything inside of an interrupt's entry was done by the interrupt; by a
 * timer when its machinery is there too. */
static enum waker_kind waker_kind_of(const struct names *n,
				     const struct name *stack)
{
	int timer = 0;

	for (unsigned i = 0; i < stack->len; i++) {
		switch (wake_frame_of(names_str(n, stack->stack.frame[i]))) {
		case WAKE_TIMER:
			timer = 1;
			break;
		case WAKE_INTERRUPT:
			return timer ? WAKER_TIMER : WAKER_INTERRUPT;
		default:
			break;
		}
	}
	return timer ? WAKER_TIMER : WAKER_TASK;
}

void waker_of(const struct names *n, const struct name *stack,
	      struct waker *w)
{
	unsigned i = 0;

	w->source = 0;
	w->kind = waker_kind_of(n, stack);
	while (i < stack->len && wake_frame_of(names_str(n,
				stack->stack.frame[i])) == WAKE_PLUMBING)
		i++;
	if (i < stack->len)
		w->source = stack->stack.frame[i];
}

const char *class_name(enum sched_class c)
{
	return classes[c < CLASS_COUNT ? c : CLASS_OTHER].name;
}

const char *class_help(enum sched_class c)
{
	return classes[c < CLASS_COUNT ? c : CLASS_OTHER].help;
}

const char *symbol_alias(const char *text)
{
	const struct pair *p = bsearch(text, aliases,
				       sizeof(aliases) / sizeof(*aliases),
				       sizeof(*aliases), compare);

	return p ? p->as : text;
}
