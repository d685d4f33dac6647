/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is a tid bound to a task?  By its start time in /proc/TID/stat: a few
 * questions per drain, so that a storm of forks costs no more than a quiet box.
 * A tid nobody could ask after in time is short-lived, with the name that the
 * record gave.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "parse.h"
#include "sched_tasks.h"

#define AGAIN_NS 2000000000ull

enum {
	INDEX = 4 * SCHED_TASKS,	/* a power of two */
	UNSEEN = 2,			/* samples: then ask whether it lives */
	SWEEP = 64,			/* questions per sweep */
	CROWD = SCHED_TASKS / 2,	/* above, the unseen are not kept */
};

static uint32_t *index_find(const struct sched_tasks *t, int32_t tid)
{
	size_t i = ((uint32_t)tid * 0x9e3779b1u) >> 8 & (INDEX - 1);

	while (t->index[i] && t->task[t->index[i] - 1].tid != tid)
		i = (i + 1) & (INDEX - 1);
	return &t->index[i];
}

static void index_build(struct sched_tasks *t)
{
	size_t i;

	memset(t->index, 0, INDEX * sizeof(*t->index));
	for (i = 0; i < t->n; i++)
		*index_find(t, t->task[i].tid) = (uint32_t)i + 1;
}

/* 0 or -errno; -ENOENT or -ESRCH: it is gone. */
static int stat_ask(const struct sched_tasks *t, int32_t tid,
		    struct self_stat *stat)
{
	char path[24], text[1024];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%d/stat", tid);
	fd = openat(t->proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text));
	if (n < 0)
		n = -errno;
	close(fd);
	return n < 0 ? (int)n : self_parse(text, (size_t)n, stat);
}

static int is_alive(const struct sched_tasks *t, int32_t tid)
{
	char path[16];

	snprintf(path, sizeof(path), "%d", tid);
	return !faccessat(t->proc_fd, path, F_OK, 0) || errno != ENOENT;
}

/* The id of a task that ended: its pairs go in two samples. */
static void gone_add(struct sched_tasks *t, const struct sched_task *task,
		     uint32_t seq)
{
	struct sched_gone *g;

	if (!task->id)
		return;
	if (t->ngone == SCHED_GONE) {	/* its pairs go when long unseen */
		names_drop(t->names, task->id);
		return;
	}
	g = &t->gone[t->ngone++];
	g->id = task->id;
	g->since = seq;
}

/* The tasks collector may own the same name: it ends with the last of us. */
static void task_bind(struct sched_tasks *t, struct sched_task *task,
		      uint32_t id)
{
	if (id != task->id)
		names_hold(t->names, id);
	task->id = id;
}

struct met {			/* who a record says it was */
	int32_t tid, tgid;
	const char *comm;
	size_t ncomm;
	uint32_t seq;
	uint64_t now_ns;
};

static int comm_differs(const struct sched_task *task, const struct met *m)
{
	return strnlen(task->comm, SCHED_COMM) != m->ncomm ||
	       memcmp(task->comm, m->comm, m->ncomm);
}

/* Ask /proc who it is: 1 if it could tell.  What stood under this tid before
 * may have been another task. */
static int task_ask(struct sched_tasks *t, struct sched_task *task,
		    const struct met *m)
{
	struct self_stat stat;
	int same;

	t->budget--;
	task->asked_ns = m->now_ns;
	if (stat_ask(t, m->tid, &stat))
		return 0;
	same = task->id && task->start == stat.start;
	if (same && !comm_differs(task, m))
		return 1;
	if (!same) {
		gone_add(t, task, m->seq);
		task->id = 0;
		task->start = stat.start;
	}
	task_bind(t, task, names_task(t->names, m->tid, task->start, m->tgid,
				      stat.comm, stat.len));
	return 1;
}

static int is_doubtful(const struct sched_task *task, const struct met *m)
{
	if (task->asked_ns == m->now_ns)
		return 0;
	return !task->id || !task->start || comm_differs(task, m) ||
	       m->now_ns - task->asked_ns > AGAIN_NS;
}

static void task_meet(struct sched_tasks *t, struct sched_task *task,
		      const struct met *m)
{
	int differs = comm_differs(task, m);
	int told = t->budget && is_doubtful(task, m) && task_ask(t, task, m);

	if (!task->id || (differs && !told))	/* the record's own words */
		task_bind(t, task, names_task(t->names, m->tid, task->start,
					      m->tgid, m->comm, m->ncomm));
	if (differs) {
		memset(task->comm, 0, SCHED_COMM);
		memcpy(task->comm, m->comm, m->ncomm);
	}
	task->seen = m->seq;
}

static struct sched_task *task_add(struct sched_tasks *t, uint32_t *at,
				   int32_t tid)
{
	struct sched_task *task;

	if (t->n == SCHED_TASKS)
		return NULL;
	task = &t->task[t->n++];
	memset(task, 0, sizeof(*task));
	task->tid = tid;
	*at = (uint32_t)t->n;
	return task;
}

static int id_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Find which of the unseen are gone, some at each call. */
static void sweep_ask(struct sched_tasks *t, uint32_t seq)
{
	struct sched_task *task;
	size_t i;
	int asked = 0;

	for (i = 0; i < t->n && asked < SWEEP; i++) {
		t->next = t->next + 1 < t->n ? t->next + 1 : 0;
		task = &t->task[t->next];
		if (task->ended || task->seen + UNSEEN > seq)
			continue;
		if (task->start && ++asked && is_alive(t, task->tid))
			continue;
		task->ended = seq;
	}
}

/* Take the ended out of the cache, and in a crowd the unseen. */
static void sweep_remove(struct sched_tasks *t, uint32_t seq)
{
	size_t i, to = 0;

	for (i = 0; i < t->n; i++) {
		if (t->task[i].ended)
			gone_add(t, &t->task[i], t->task[i].ended);
		else if (t->n <= CROWD || t->task[i].seen + UNSEEN > seq)
			t->task[to++] = t->task[i];
		else
			gone_add(t, &t->task[i], seq);
	}
	if (to == t->n)
		return;
	t->n = to;
	index_build(t);
}

int sched_tasks_init(struct sched_tasks *t, int proc_fd, struct names *names)
{
	memset(t, 0, sizeof(*t));
	t->proc_fd = proc_fd;
	t->names = names;
	t->task = calloc(SCHED_TASKS, sizeof(*t->task));
	t->index = calloc(INDEX, sizeof(*t->index));
	t->gone = calloc(SCHED_GONE, sizeof(*t->gone));
	t->idle = names_task(names, 0, 0, 0, "swapper", 7);
	if (t->task && t->index && t->gone && t->idle)
		return 0;
	sched_tasks_free(t);
	return -ENOMEM;
}

void sched_tasks_free(struct sched_tasks *t)
{
	free(t->task);
	free(t->index);
	free(t->gone);
	memset(t, 0, sizeof(*t));
}

void sched_tasks_allow(struct sched_tasks *t, unsigned questions)
{
	t->budget = questions;
}

uint32_t sched_tasks_id(struct sched_tasks *t, int32_t tid, int32_t tgid,
			const char *comm, size_t ncomm, uint32_t seq,
			uint64_t now_ns)
{
	struct met m = { tid, tgid, comm, ncomm, seq, now_ns };
	struct sched_task *task;
	uint32_t *at;

	if (!tid)
		return t->idle;
	if (m.ncomm > SCHED_COMM)
		m.ncomm = SCHED_COMM;
	at = index_find(t, tid);
	task = *at ? &t->task[*at - 1] : task_add(t, at, tid);
	if (!task)
		return 0;
	task_meet(t, task, &m);
	return task->id;
}

uint32_t sched_tasks_known(struct sched_tasks *t, int32_t tid, int32_t tgid,
			   uint64_t start, const char *comm, size_t ncomm,
			   uint32_t seq)
{
	struct met m = { tid, tgid, comm, ncomm, seq, 0 };
	struct sched_task *task;
	uint32_t *at;

	if (!tid)
		return t->idle;
	at = index_find(t, tid);
	task = *at ? &t->task[*at - 1] : task_add(t, at, tid);
	if (!task)
		return 0;
	if (task->id && task->start != start) {	/* the tid is another's now */
		gone_add(t, task, seq);
		task->id = 0;
	}
	task->start = start;
	task->seen = seq;
	if (task->id && !comm_differs(task, &m))
		return task->id;
	task_bind(t, task, names_task(t->names, tid, start, tgid, comm,
				      ncomm));
	memset(task->comm, 0, SCHED_COMM);
	memcpy(task->comm, comm, ncomm);
	return task->id;
}

size_t sched_tasks_sweep(struct sched_tasks *t, uint32_t seq, uint32_t *ended,
			 size_t max)
{
	size_t i, n = 0;

	sweep_ask(t, seq);
	sweep_remove(t, seq);
	for (i = 0; i < t->ngone && n < max; i++)
		if (t->gone[i].since + UNSEEN <= seq)
			ended[n++] = t->gone[i].id;
	qsort(ended, n, sizeof(*ended), id_compare);
	return n;
}

void sched_tasks_drop(struct sched_tasks *t, const uint32_t *ended, size_t n)
{
	size_t i, to = 0;

	for (i = 0; i < t->ngone; i++) {
		struct sched_gone *g = &t->gone[i];

		if (!n || !bsearch(&g->id, ended, n, sizeof(*ended),
				   id_compare))
			t->gone[to++] = *g;
		else
			names_drop(t->names, g->id);
	}
	t->ngone = to;
}
