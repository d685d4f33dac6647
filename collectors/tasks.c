// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does every thread do?  A program in the kernel lists them where it can
 * (tasks_pass.c) and looks at the run queues (tasks_scan.c); else libproc2 does,
 * from /proc/TID/stat alone: with these items it opens no other file.  cmdline is never read: it takes the
 * target's mmap lock and can hang for as long as the target does.
 *
 * A pass over all threads is the dearest read there is (10 to 15 us a thread),
 * so passes are rationed by the CPU time they took: at a sample unless they
 * come to more than 1/20 of a CPU, at a drain only below 1/100.  A sample
 * without a pass of its own repeats the last one, with that one's read time.
 */
#include <errno.h>
#include <libproc2/pids.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "collectors.h"
#include "engine.h"
#include "procfs.h"
#include "tasks_comm.h"
#include "tasks_delay.h"
#include "tasks_hidden.h"
#include "tasks_pass.h"
#include "tasks_rq.h"
#include "tasks_scan.h"
#include "tasks_table.h"

enum { SAMPLE_SHARE = 20, DRAIN_SHARE = 100 };	/* 1/N of a CPU */

enum item {
	ITEM_TID, ITEM_TGID, ITEM_COMM, ITEM_STATE, ITEM_CPU, ITEM_UTIME,
	ITEM_STIME, ITEM_MINFLT, ITEM_MAJFLT, ITEM_START, ITEMS,
};

static const enum pids_item wanted[ITEMS] = {
	[ITEM_TID] = PIDS_ID_TID,
	[ITEM_TGID] = PIDS_ID_TGID,
	[ITEM_COMM] = PIDS_CMD,
	[ITEM_STATE] = PIDS_STATE,
	[ITEM_CPU] = PIDS_PROCESSOR,
	[ITEM_UTIME] = PIDS_TICS_USER,
	[ITEM_STIME] = PIDS_TICS_SYSTEM,
	[ITEM_MINFLT] = PIDS_FLT_MIN,
	[ITEM_MAJFLT] = PIDS_FLT_MAJ,
	[ITEM_START] = PIDS_TICS_BEGAN,
};

struct tasks {
	const struct env *env;
	int inside;			/* the kernel's program lists them: */
	struct tasks_pass pass;
	struct tasks_scan scan;
	struct pids_info *info;		/* else libproc2, and these */
	struct tasks_table table;
	struct tasks_rq rq;
	struct tasks_delay_state delay;
	struct tasks_hidden hidden;
	int32_t self;			/* tid of the thread that reads */
	uint64_t passes, seen;
	uint64_t cost_ns;		/* CPU time of the last pass */
	uint64_t pass_ns;		/* when it began */
	uint64_t sampled_ns;		/* when the last one for a sample did */
};

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void take_counts(struct task *task, const struct pids_result *r)
{
	uint64_t before = task->count[TASK_COUNT_UTIME] +
			  task->count[TASK_COUNT_STIME];
	int is_new = !task->id;
	uint64_t now;

	task->tgid = r[ITEM_TGID].result.s_int;
	task->state = (char)r[ITEM_STATE].result.s_ch;
	task->cpu = r[ITEM_CPU].result.s_int;
	task->count[TASK_COUNT_UTIME] = r[ITEM_UTIME].result.ull_int;
	task->count[TASK_COUNT_STIME] = r[ITEM_STIME].result.ull_int;
	task->count[TASK_COUNT_MINFLT] = r[ITEM_MINFLT].result.ul_int;
	task->count[TASK_COUNT_MAJFLT] = r[ITEM_MAJFLT].result.ul_int;
	now = task->count[TASK_COUNT_UTIME] + task->count[TASK_COUNT_STIME];
	/* what a task used before we first saw it says nothing of now */
	tasks_delay_rank(task, is_new || now < before ? 0 : now - before);
}

static void see_thread(struct tasks *t, const struct pids_result *r)
{
	int32_t tid = r[ITEM_TID].result.s_int;
	struct task *task;
	uint32_t id;

	t->seen++;
	if (r[ITEM_STATE].result.s_ch == 'R' && tid != t->self)
		tasks_rq_count(&t->rq, r[ITEM_CPU].result.s_int);
	task = tasks_table_see(&t->table, tid, r[ITEM_START].result.ull_int);
	if (!task)
		return;
	take_counts(task, r);
	id = tasks_comm(t->env, task, r[ITEM_COMM].result.str);
	if (id != task->id)		/* the sched collector may own it too */
		names_hold(t->env->names, id);
	task->id = id;
}

static void report_pass(struct tasks *t)
{
	struct health *h = t->env->health;
	unsigned every = (unsigned)(t->cost_ns * SAMPLE_SHARE / 1000000000u);

	if (t->inside)
		health_set(h, "tasks", "", 0, -1, HEALTH_OK, 0, NULL,
			   "in-kernel engine; every thread; run queues %s",
			   t->scan.fd < 0 ? "10 times a second" : "at 99 Hz");
	else
		health_set(h, "tasks", "", 0, -1, HEALTH_OK, 0, NULL,
			   "every thread, by libproc2; run delay of the %d "
			   "busiest", TASKS_BUSIEST);
	if (every)
		health_set(h, "tasks", "passes", 0, -1, HEALTH_NOTE, 0, NULL,
			   "so many threads that a pass is made every %u s",
			   every + 1);
	else
		health_clear(h, "tasks", "passes", 0, -1);
	if (t->table.over)
		health_set(h, "tasks", "threads", 0, -1, HEALTH_PARTLY, 0, NULL,
			   "%zu threads are above the limit of %d",
			   t->table.over, TASKS_MAX);
	else
		health_clear(h, "tasks", "threads", 0, -1);
}

/*
 * Look at all threads: 0, or -errno when none can be seen, or not all could for
 * want of descriptors, which libproc2 tells by errno alone.
 */
static int see_threads(struct tasks *t)
{
	struct pids_fetch *all;
	int i;

	errno = 0;
	all = procps_pids_reap(t->info, PIDS_FETCH_THREADS_TOO);
	if (!all || errno == EMFILE || errno == ENFILE)
		return errno ? -errno : -ENOMEM;
	for (i = 0; i < all->counts->total; i++)
		see_thread(t, all->stacks[i]->head);
	return t->seen ? 0 : -ENOENT;
}

static int look_at_all(struct tasks *t)
{
	ssize_t n;

	if (!t->inside)
		return see_threads(t);
	n = tasks_pass_read(&t->pass, &t->table);
	t->seen = n > 0 ? (uint64_t)n : 0;
	return n < 0 ? (int)n : 0;
}

/* What only /proc has to be asked for beside the threads. */
static void ask_beside(struct tasks *t)
{
	if (t->inside)
		return;
	tasks_delay_read(&t->delay, &t->table);
	tasks_hidden_count(&t->hidden, &t->table);
}

/* 0 or -errno; a pass that fails ends no task. */
static int make_pass(struct tasks *t, int for_sample)
{
	uint64_t from = cpu_ns();
	int err;

	collector_stamp(t->env, "tasks");
	t->pass_ns = collector_now_ns();
	t->seen = 0;
	tasks_table_begin(&t->table);
	if (!t->inside)
		tasks_rq_begin(&t->rq);
	err = look_at_all(t);
	if (err)
		return err;
	t->passes++;
	tasks_table_end(&t->table);
	if (!t->inside)
		tasks_rq_end(&t->rq);
	if (for_sample) {
		t->sampled_ns = t->pass_ns;
		ask_beside(t);
	}
	t->cost_ns = cpu_ns() - from;
	report_pass(t);
	return 0;
}

/* 0, or -errno when the kernel's program cannot be had, and why. */
static int inside_open(struct tasks *t)
{
	struct bpf_why why = { 0 };
	int err = tasks_pass_open(&t->pass, t->env, &why);

	t->scan.fd = -1;
	if (!err) {
		err = tasks_scan_open(&t->scan, t->env, t->pass.bpf,
				      t->pass.cpus);
		if (err)
			bpf_why_set(&why, err, NULL, "run queues: %s",
				    strerror(-err));
	}
	if (!err) {
		engine_runs(t->env, "tasks", t->pass.bpf);
		return 0;
	}
	engine_say(t->env, "tasks", &why);
	tasks_scan_close(&t->scan);
	tasks_pass_close(&t->pass);
	return err;
}

static int outside_open(struct tasks *t)
{
	enum pids_item items[ITEMS];
	int err;

	memcpy(items, wanted, sizeof(items));
	err = procps_pids_new(&t->info, items, ITEMS);
	if (err < 0) {
		health_set(t->env->health, "tasks", "", 0, -1, HEALTH_ABSENT,
			   -err, "mount -t proc proc /proc", "libproc2: %s",
			   strerror(-err));
		return err;
	}
	tasks_rq_open(&t->rq, t->env);
	tasks_hidden_open(&t->hidden, t->env);
	return 0;
}

static int tasks_open(void **state, const struct env *env)
{
	struct tasks *t = calloc(1, sizeof(*t));
	int err = 0;

	if (!t)
		return -ENOMEM;
	t->env = t->delay.env = env;
	t->self = gettid();
	t->inside = !inside_open(t);
	if (!t->inside)
		err = env->opt->engine == ENGINE_BPF ? -ENOTSUP
						     : outside_open(t);
	if (err) {
		free(t);
		return err;
	}
	*state = t;
	return 0;
}

static int tasks_drain(void *state)
{
	struct tasks *t = state;

	if (t->inside)
		tasks_scan_drain(&t->scan);
	if (t->inside || !t->passes ||
	    collector_now_ns() - t->pass_ns < t->cost_ns * DRAIN_SHARE)
		return 0;
	return make_pass(t, 0);
}

static int add_totals(struct tasks *t, struct sample *s)
{
	if (sample_add(s, TASK_SEEN, 0, 0, t->seen) ||
	    (t->hidden.known &&
	     sample_add(s, TASK_HIDDEN, 0, 0, t->hidden.processes)) ||
	    sample_add(s, TASK_PASSES, 0, 0, t->passes))
		return -ENOMEM;
	return 0;
}

static int tasks_collect(void *state, struct sample *s)
{
	struct tasks *t = state;
	int err = 0;

	if (!t->passes ||
	    collector_now_ns() - t->sampled_ns >= t->cost_ns * SAMPLE_SHARE)
		err = make_pass(t, 1);
	if (err) {
		health_set(t->env->health, "tasks", "", 0, -1, HEALTH_ABSENT,
			   -err, err == -ENOENT ? "mount -t proc proc /proc" :
			   err == -ENOMEM ? NULL : "ulimit -n 65536",
			   "threads cannot be read: %s", strerror(-err));
		return err;
	}
	/* first, so that no reading of this sample loses its name */
	tasks_table_retire(&t->table, t->env->names);
	if (tasks_table_add(&t->table, s) || add_totals(t, s) ||
	    (t->inside ? tasks_scan_add(&t->scan, s)
		       : tasks_rq_add(&t->rq, s)))
		return -ENOMEM;
	return 0;
}

static void tasks_close(void *state)
{
	struct tasks *t = state;

	if (!t)
		return;
	if (t->inside) {
		tasks_scan_close(&t->scan);
		tasks_pass_close(&t->pass);
	} else {
		procps_pids_unref(&t->info);
	}
	tasks_table_free(&t->table);
	tasks_rq_free(&t->rq);
	free(t);
}

const struct collector tasks_collector = {
	.name = "tasks",
	.needs = "the kernel's list of tasks by bpf(2), or /proc/TID/stat by "
		 "libproc2 and /proc/TID/schedstat",
	.live_only = 1,
	.open = tasks_open,
	.drain = tasks_drain,
	.collect = tasks_collect,
	.close = tasks_close,
};
