/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often did an event happen to one thread and its descendants?
 *
 * A child's count is added to its parent's event when it exits
 * (sync_child_event() in kernel/events/core.c), and a read sums those that
 * live: the one descriptor has it all, also after the thread itself ended.
 */
#include <errno.h>
#include <stdlib.h>
#include "perf.h"
#include "perf_attr.h"
#include "perf_slot.h"

struct perf_task {
	struct perf_slot slot;
};

int perf_task_open(struct perf_task **out, const struct perf_code *code,
		   int tid)
{
	struct perf_want want = { .code = *code, .own = 1 };
	struct perf_task *t = calloc(1, sizeof(*t));
	struct perf_event_attr attr;
	unsigned lacks = 0;
	int err;

	*out = NULL;
	if (!t)
		return -ENOMEM;
	perf_attr_init(&attr, &want);
	attr.disabled = 0;
	t->slot.cpu = -1;
	do {
		err = perf_slot_open(&t->slot, &attr, tid);
	} while (err && perf_attr_may_weaken(&attr, err) &&
		 perf_attr_weaken(&attr, &lacks));
	if (err)
		free(t);
	else
		*out = t;
	return err;
}

void perf_task_read(struct perf_task *t, struct perf_value *v)
{
	perf_slot_read(&t->slot);
	*v = t->slot.last;
}

void perf_task_last(const struct perf_task *t, struct perf_value *v)
{
	*v = t->slot.last;
}

void perf_task_close(struct perf_task *t)
{
	if (t)
		perf_slot_close(&t->slot);
	free(t);
}
