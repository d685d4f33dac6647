// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which tasks are there, and which ended?  The table keeps the order in which
 * tasks were first seen, which is the order of their ids: so readings come out
 * sorted.  It allocates only when it outgrows itself.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "tasks_table.h"

static const uint16_t metrics[TASK_COUNTS] = {
	[TASK_COUNT_UTIME] = TASK_UTIME,
	[TASK_COUNT_STIME] = TASK_STIME,
	[TASK_COUNT_MINFLT] = TASK_MINFLT,
	[TASK_COUNT_MAJFLT] = TASK_MAJFLT,
	[TASK_COUNT_RUN] = TASK_RUN,
	[TASK_COUNT_DELAY] = TASK_DELAY,
	[TASK_COUNT_SLICES] = TASK_SLICES,
	[TASK_COUNT_NVCSW] = TASK_NVCSW,
	[TASK_COUNT_NIVCSW] = TASK_NIVCSW,
};

/* How many of its counts are read. */
static int counts_of(int has_delay, int has_switches)
{
	return has_switches ? TASK_COUNTS :
	       has_delay ? TASK_COUNTS_DELAY : TASK_COUNTS_STAT;
}

static size_t first_slot(const struct tasks_table *t, int32_t tid)
{
	return ((uint32_t)tid * 2654435769u) & (t->slots - 1);
}

static void put_slot(struct tasks_table *t, size_t index)
{
	size_t i = first_slot(t, t->v[index].tid);

	while (t->slot[i])
		i = (i + 1) & (t->slots - 1);
	t->slot[i] = (uint32_t)index + 1;
}

static void rebuild(struct tasks_table *t)
{
	size_t i;

	memset(t->slot, 0, t->slots * sizeof(*t->slot));
	for (i = 0; i < t->n; i++)
		put_slot(t, i);
}

/* Room for one task more, in a hash at most half full. */
static int grow(struct tasks_table *t)
{
	size_t cap = t->cap ? t->cap * 2 : 256;
	struct task *v;
	uint32_t *slot;

	if (t->n < t->cap)
		return 0;
	v = realloc(t->v, cap * sizeof(*v));
	if (!v)
		return -ENOMEM;
	t->v = v;
	slot = realloc(t->slot, 2 * cap * sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	t->slot = slot;
	t->slots = 2 * cap;
	t->cap = cap;
	rebuild(t);
	return 0;
}

void tasks_table_begin(struct tasks_table *t)
{
	t->pass++;
	t->over = 0;
}

/* The next of this tid in the table from *at on, NULL at the end. */
static struct task *next_of(const struct tasks_table *t, int32_t tid,
			    size_t *at)
{
	struct task *task;

	while (t->slots && t->slot[*at]) {
		task = t->v + t->slot[*at] - 1;
		*at = (*at + 1) & (t->slots - 1);
		if (task->tid == tid)
			return task;
	}
	return NULL;
}

struct task *tasks_table_see(struct tasks_table *t, int32_t tid, uint64_t start)
{
	size_t at = t->slots ? first_slot(t, tid) : 0;
	struct task *task;

	while ((task = next_of(t, tid, &at)))
		if (task->start == start)
			break;
	if (!task) {
		if (t->n >= TASKS_MAX || grow(t)) {
			t->over++;
			return NULL;
		}
		task = t->v + t->n;
		*task = (struct task) { .tid = tid, .start = start };
		put_slot(t, t->n++);
	}
	task->pass = t->pass;
	task->ended = 0;
	return task;
}

int tasks_table_saw(const struct tasks_table *t, int32_t tid)
{
	size_t at = t->slots ? first_slot(t, tid) : 0;
	struct task *task;

	while ((task = next_of(t, tid, &at)))
		if (task->pass == t->pass)
			return 1;
	return 0;
}

void tasks_table_end(struct tasks_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->v[i].pass != t->pass && !t->v[i].ended)
			t->v[i].ended = 1;
}

static int add_gauges(const struct tasks_table *t, struct sample *s)
{
	const struct task *task;

	for (task = t->v; task < t->v + t->n; task++)
		if (!task->ended && task->id &&
		    sample_add(s, TASK_STATE, task->id, 0,
			       (unsigned char)task->state))
			return -ENOMEM;
	for (task = t->v; task < t->v + t->n; task++)
		if (!task->ended && task->id && task->cpu >= 0 &&
		    sample_add(s, TASK_CPU, task->id, 0, (uint64_t)task->cpu))
			return -ENOMEM;
	for (task = t->v; task < t->v + t->n; task++)
		if (!task->ended && task->id && task->cgroup &&
		    sample_add(s, TASK_CGROUP, task->id, 0, task->cgroup))
			return -ENOMEM;
	return 0;
}

static int add_count(const struct tasks_table *t, struct sample *s,
		     enum task_count count)
{
	const struct task *task;

	if ((int)count < counts_of(t->has_delay, t->has_switches) &&
	    sample_add(s, metrics[count], 0, 0, t->ended[count]))
		return -ENOMEM;
	for (task = t->v; task < t->v + t->n; task++)
		if (task->id &&
		    (int)count < counts_of(task->has_delay,
					   task->has_switches) &&
		    sample_add(s, metrics[count], task->id, 0,
			       task->count[count]))
			return -ENOMEM;
	return 0;
}

int tasks_table_add(struct tasks_table *t, struct sample *s)
{
	int count, err = add_gauges(t, s);

	for (count = 0; !err && count < TASK_COUNTS; count++)
		err = add_count(t, s, count);
	return err;
}

static void retire(struct tasks_table *t, const struct task *task,
		   struct names *names)
{
	int i, counts = counts_of(task->has_delay, task->has_switches);

	for (i = 0; i < counts; i++)
		t->ended[i] += task->count[i];
	if (task->id)
		names_drop(names, task->id);
}

void tasks_table_retire(struct tasks_table *t, struct names *names)
{
	size_t i, kept = 0;

	for (i = 0; i < t->n; i++) {
		if (t->v[i].ended && t->v[i].ended++ > TASKS_STAY) {
			retire(t, t->v + i, names);
			continue;
		}
		if (kept != i)
			t->v[kept] = t->v[i];
		kept++;
	}
	if (kept == t->n)
		return;
	t->n = kept;
	rebuild(t);
}

void tasks_table_free(struct tasks_table *t)
{
	free(t->v);
	free(t->slot);
	memset(t, 0, sizeof(*t));
}
