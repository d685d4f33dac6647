/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can a user count who may not count whole CPUs?
 *
 * Every process of the user is counted once or not at all.  One found at the
 * first look gets events on its threads, which its later threads and children
 * inherit; so of the newcomers only those get their own that nobody's events
 * reach: whose parent is another user's, or is not counted.  One that is the
 * first process's child when first seen may be an orphan of ours or may have
 * come from outside: it is left as it is and said in words.
 *
 * Closing an event ends the counts of all that inherited it, so the events of
 * an ended process stay until room is wanted, and then those go first that
 * stood still.
 *
 * exclude_kernel: task-clock counts time in the kernel all the same; software
 * events and tracepoints the kernel raises for itself stay 0 for ever
 * (perf_exclude_event() in kernel/events/core.c), so they are absent.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <linux/perf_event.h>
#include "collector.h"
#include "counters_own.h"
#include "own_set.h"
#include "own_tasks.h"
#include "perf_attr.h"

enum { THREADS_MAX = 256, FDS_PER_RAISE = 32, SPARE_FDS = 128 };

struct uncounted { size_t full, threads, refused, unknown; };

struct counters_own {
	const struct env *env;
	int user_only;			/* the kernel's side is refused */
	struct own_tasks list;
	struct perf_code code[EVENTS_MAX];
	struct perf_value base[EVENTS_MAX];	/* of closed sets */
	struct perf_value total[EVENTS_MAX];
	size_t events;
	struct own_set *set[THREADS_MAX];	/* each has a thread or more */
	size_t sets, threads, most;	/* threads: held, and at most */
	unsigned look;			/* from 1 */
	struct uncounted said;		/* as last reported */
};

/* ---- room for them ----------------------------------------------------- */

static void set_close(struct counters_own *o, size_t at)
{
	struct own_set *s = o->set[at];

	own_set_read(s, o->base);
	o->threads -= s->threads;
	o->set[at] = o->set[--o->sets];
	own_set_free(s);
}

/* 1 if n more threads fit now. */
static int room_make(struct counters_own *o, size_t n)
{
	size_t i;

	for (i = o->sets; i-- && o->threads + n > o->most;)
		if (!o->set[i]->users && o->set[i]->still)
			set_close(o, i);
	return o->threads + n <= o->most;
}

/* ---- who is counted by what -------------------------------------------- */

static void task_gone(void *arg, const struct own_task *t)
{
	(void)arg;
	if (t->fate == OWN_COUNTED)
		t->set->users--;
}

static void task_join(struct own_task *t, struct own_set *s)
{
	t->fate = OWN_COUNTED;
	t->set = s;
	s->users++;
}

static enum own_fate fate_of(int err)
{
	switch (err) {
	case -ESRCH:
	case -ENOENT:
		return OWN_ENDED;
	case -EMFILE:
	case -ENFILE:
	case -ENOMEM:
		return OWN_FULL;
	default:
		return OWN_REFUSED;
	}
}

/* Events of its own for a process that no event reaches. */
static void task_open(struct counters_own *o, struct own_task *t)
{
	int tid[THREADS_MAX], err;
	struct own_set *s;
	ssize_t n;

	n = own_tasks_threads(&o->list, t->pid, tid, THREADS_MAX);
	if (n <= 0) {
		t->fate = n ? fate_of((int)n) : OWN_ENDED;
		return;
	}
	t->fate = OWN_FULL;
	t->threads = (size_t)n;
	if (!room_make(o, (size_t)n))
		return;
	err = own_set_open(&s, o->code, o->events, tid, (size_t)n);
	if (err == -EMFILE || err == -ENFILE)
		o->most = o->threads;
	if (err) {
		t->fate = fate_of(err);
		return;
	}
	s->look = o->look;
	o->set[o->sets++] = s;
	o->threads += s->threads;
	task_join(t, s);
}

/*
 * A newcomer, by its parent.  It stands in a list read before the events of
 * this look were opened; of those of looks before, only one that began after
 * they were open has surely inherited them.  1 if it could be decided.
 */
static int task_place(struct counters_own *o, struct own_task *t)
{
	const struct own_task *parent = own_tasks_find(&o->list, t->ppid);

	if (!parent) {
		if (o->look > 1 && t->ppid &&
		    own_tasks_is_reaper(&o->list, t->ppid))
			t->fate = OWN_UNKNOWN;
		else
			task_open(o, t);
		return 1;
	}
	switch (parent->fate) {
	case OWN_NEW:
		return 0;		/* after its parent */
	case OWN_COUNTED:
		if (parent->set->look == o->look)
			task_open(o, t);
		else if (t->start_ns >= parent->set->done_ns)
			task_join(t, parent->set);
		else
			t->fate = OWN_UNKNOWN;
		return 1;
	case OWN_FULL:
	case OWN_REFUSED:
		task_open(o, t);
		return 1;
	default:
		t->fate = OWN_UNKNOWN;
		return 1;
	}
}

static void tasks_place(struct counters_own *o)
{
	struct own_task *t, *end = o->list.task + o->list.n;
	int placed;

	do {
		placed = 0;
		for (t = o->list.task; t < end; t++)
			if (t->fate == OWN_NEW)
				placed |= task_place(o, t);
	} while (placed);
	for (t = o->list.task; t < end; t++) {
		if (t->fate == OWN_NEW)
			t->fate = OWN_UNKNOWN;
		else if (t->fate == OWN_FULL && room_make(o, t->threads))
			task_open(o, t);
	}
}

/* ---- words -------------------------------------------------------------- */

static void uncounted_count(const struct counters_own *o, struct uncounted *u)
{
	const struct own_task *t;

	memset(u, 0, sizeof(*u));
	for (t = o->list.task; t < o->list.task + o->list.n; t++) {
		u->full += t->fate == OWN_FULL;
		u->threads += t->fate == OWN_FULL ? t->threads : 0;
		u->refused += t->fate == OWN_REFUSED;
		u->unknown += t->fate == OWN_UNKNOWN;
	}
}

/* One reason more; there is room for all (three short ones). */
static void reason_add(char *text, size_t n, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void reason_add(char *text, size_t n, const char *format, ...)
{
	size_t at = strlen(text);
	va_list ap;

	at += (size_t)snprintf(text + at, n - at, at ? "; " : "");
	va_start(ap, format);
	vsnprintf(text + at, n - at, format, ap);
	va_end(ap);
}

static void uncounted_say(struct counters_own *o)
{
	struct health *h = o->env->health;
	char text[HEALTH_WHY] = "";
	struct uncounted u;

	uncounted_count(o, &u);
	if (!memcmp(&u, &o->said, sizeof(u)))
		return;
	o->said = u;
	if (u.full)
		reason_add(text, sizeof(text), "%zu with %zu threads: only %zu "
			   "threads are", u.full, u.threads, o->most);
	if (u.refused)
		reason_add(text, sizeof(text), "%zu the kernel protects (not "
			   "dumpable)", u.refused);
	if (u.unknown)
		reason_add(text, sizeof(text), "%zu perhaps: who forked it is "
			   "gone", u.unknown);
	if (*text)
		health_set(h, "counters", "uncounted", 0, -1, HEALTH_PARTLY, 0,
			   NULL, "own processes not counted: %s", text);
	else
		health_clear(h, "counters", "uncounted", 0, -1);
}

/* ---- which events -------------------------------------------------------- */

/* Raised by the kernel for itself, never with the registers of user code. */
static int is_of_kernel(const struct perf_code *c)
{
	return c->type == PERF_TYPE_TRACEPOINT || c->exclude_user ||
	       (c->type == PERF_TYPE_SOFTWARE &&
		(c->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		 c->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		 c->config >= PERF_COUNT_SW_BPF_OUTPUT));
}

static int code_try(const struct perf_code *c)
{
	struct perf_task *t;
	int err = perf_task_open(&t, c, 0);

	perf_task_close(t);
	return err;
}

int counters_own_add(struct counters_own *o, struct event_want *ev, char *why,
		     size_t nwhy, char *remedy, size_t nremedy)
{
	struct perf_code c = ev->code;
	size_t len = strlen(ev->name);
	int err;

	if (o->user_only && is_of_kernel(&c)) {
		snprintf(why, nwhy, "kernel.perf_event_paranoid is %d: a user "
			 "counts in user code only, and this happens in the "
			 "kernel", perf_paranoid());
		snprintf(remedy, nremedy, "run as root, or: sysctl "
			 "kernel.perf_event_paranoid=1");
		return -EACCES;
	}
	if (o->user_only)
		c.exclude_kernel = 1;
	err = code_try(&c);
	if (err) {
		perf_why(-err, &c, why, nwhy, remedy, nremedy);
		return err;
	}
	if (!ev->code.exclude_kernel && c.exclude_kernel &&
	    len + sizeof(":u") <= sizeof(ev->name))
		strcpy(ev->name + len, ":u");
	o->code[o->events] = c;
	return (int)o->events++;
}

/* Threads whose events leave descriptors for the other collectors. */
static size_t threads_most(size_t events)
{
	struct rlimit r;
	size_t spare, most;

	perf_raise_nofile(events * THREADS_MAX / FDS_PER_RAISE);
	if (getrlimit(RLIMIT_NOFILE, &r))
		return THREADS_MAX;
	spare = r.rlim_cur < 2 * SPARE_FDS ? r.rlim_cur / 2 : SPARE_FDS;
	most = (r.rlim_cur - spare) / events;
	return most < THREADS_MAX ? most : THREADS_MAX;
}

/* ---- the whole ------------------------------------------------------------ */

int counters_own_look(struct counters_own *o)
{
	int err;

	if (!o->look++)
		o->most = threads_most(o->events);
	err = own_tasks_look(&o->list, task_gone, o);
	if (err)
		return err;
	tasks_place(o);
	uncounted_say(o);
	return 0;
}

void counters_own_read(struct counters_own *o)
{
	size_t i;

	memcpy(o->total, o->base, sizeof(o->total));
	for (i = 0; i < o->sets; i++)
		o->set[i]->still = !own_set_read(o->set[i], o->total);
}

void counters_own_total(const struct counters_own *o, int event,
			struct perf_value *v)
{
	*v = o->total[event];
}

int counters_own_open(struct counters_own **out, const struct env *env)
{
	struct perf_code clock = { .type = PERF_TYPE_SOFTWARE,
				   .config = PERF_COUNT_SW_TASK_CLOCK };
	struct counters_own *o = calloc(1, sizeof(*o));
	int err;

	*out = NULL;
	if (!o)
		return -ENOMEM;
	o->env = env;
	err = code_try(&clock);
	if (err == -EACCES || err == -EPERM) {
		o->user_only = clock.exclude_kernel = 1;
		err = code_try(&clock);
	}
	if (!err)
		err = own_tasks_open(&o->list, env);
	if (err)
		free(o);
	else
		*out = o;
	return err;
}

void counters_own_close(struct counters_own *o)
{
	size_t i;

	if (!o)
		return;
	for (i = 0; i < o->sets; i++)
		own_set_free(o->set[i]);
	own_tasks_close(&o->list);
	free(o);
}
