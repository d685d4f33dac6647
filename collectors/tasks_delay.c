// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long did the busiest threads wait for a CPU?  /proc/TID/schedstat costs a
 * file per thread, so only the 64 busiest of late are read; which these are is
 * remembered with a half-life of one pass, so that they do not swap places at
 * every pass.  A thread that falls out has no reading, not an old one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "procfs.h"
#include "tasks_delay.h"

enum { TICK_SCORE = 256, RUNNABLE_SCORE = 64, SCORE_MAX = 1 << 30 };

int tasks_parse_delay(const char *text, size_t len, struct tasks_delay *d)
{
	const char *at = text;
	struct procfs_line l;

	if (!procfs_next_line(&at, text + len, &l) ||
	    !procfs_take_u64(&l, &d->run_ns) ||
	    !procfs_take_u64(&l, &d->delay_ns) ||
	    !procfs_take_u64(&l, &d->slices))
		return -EINVAL;
	/* printed so while sched_info is off (proc_pid_schedstat()) */
	return d->run_ns | d->delay_ns | d->slices ? 0 : -ENODATA;
}

void tasks_delay_rank(struct task *task, uint64_t ticks)
{
	uint64_t score = task->score / 2 + ticks * TICK_SCORE +
			 (task->state == 'R' ? RUNNABLE_SCORE : 0);

	task->score = score < SCORE_MAX ? (uint32_t)score : SCORE_MAX;
}

static void swap(struct tasks_busy *a, struct tasks_busy *b)
{
	struct tasks_busy was = *a;

	*a = *b;
	*b = was;
}

static void sift_down(struct tasks_delay_state *d)
{
	size_t i = 0, least;

	for (;;) {
		least = 2 * i + 1;
		if (least >= d->n)
			return;
		if (least + 1 < d->n &&
		    d->busy[least + 1].score < d->busy[least].score)
			least++;
		if (d->busy[i].score <= d->busy[least].score)
			return;
		swap(d->busy + i, d->busy + least);
		i = least;
	}
}

static void sift_up(struct tasks_delay_state *d, size_t i)
{
	while (i && d->busy[(i - 1) / 2].score > d->busy[i].score) {
		swap(d->busy + i, d->busy + (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static void offer(struct tasks_delay_state *d, uint32_t score, size_t index)
{
	if (d->n < TASKS_BUSIEST) {
		d->busy[d->n] = (struct tasks_busy) { score, index };
		sift_up(d, d->n++);
	} else if (score > d->busy[0].score) {
		d->busy[0] = (struct tasks_busy) { score, index };
		sift_down(d);
	}
}

static int read_delay(const struct env *env, int32_t tid,
		      struct tasks_delay *delay)
{
	char path[32], text[128];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%d/schedstat", tid);
	fd = openat(env->proc_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	len = read(fd, text, sizeof(text));
	if (len < 0)
		len = -errno;
	close(fd);
	return len < 0 ? (int)len : tasks_parse_delay(text, (size_t)len, delay);
}

static int read_task(const struct env *env, struct task *task)
{
	struct tasks_delay delay;
	int err = read_delay(env, task->tid, &delay);

	task->has_delay = !err;
	if (err)
		return err;
	task->count[TASK_COUNT_RUN] = delay.run_ns;
	task->count[TASK_COUNT_DELAY] = delay.delay_ns;
	task->count[TASK_COUNT_SLICES] = delay.slices;
	return 0;
}

static void report(struct health *h, int read, int err)
{
	static const uint16_t about[] = { TASK_RUN, TASK_DELAY, TASK_SLICES };
	size_t i;

	for (i = 0; i < sizeof(about) / sizeof(about[0]); i++) {
		if (read || !err)
			health_set(h, "tasks", "run delay", about[i], -1,
				   HEALTH_PARTLY, 0, NULL,
				   "read of the %d busiest threads only",
				   TASKS_BUSIEST);
		else
			health_set(h, "tasks", "run delay", about[i], -1,
				   HEALTH_ABSENT, -err, NULL,
				   "/proc/TID/schedstat: %s",
				   err == -ENODATA ?
				   "all zero: task delays are not counted" :
				   err == -ENOENT ?
				   "kernel built without CONFIG_SCHED_INFO" :
				   strerror(-err));
	}
}

void tasks_delay_read(struct tasks_delay_state *d, struct tasks_table *t)
{
	int err = 0, got, good = 0;
	size_t i;

	d->n = 0;
	for (i = 0; i < t->n; i++) {
		if (t->v[i].ended)
			continue;	/* its last ones go to the totals */
		t->v[i].has_delay = 0;
		if (t->v[i].score)
			offer(d, t->v[i].score, i);
	}
	for (i = 0; i < d->n; i++) {
		got = read_task(d->env, t->v + d->busy[i].index);
		good += !got;
		err = err ? err : got;
	}
	t->has_delay |= good > 0;
	if (d->n)
		report(d->env->health, good, err);
}
