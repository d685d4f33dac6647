/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How are the events of one process, on each of its threads, held together?
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include "own_set.h"

static uint64_t boot_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void value_add(struct perf_value *to, const struct perf_value *v)
{
	to->value += v->value;
	to->enabled_ns += v->enabled_ns;
	to->running_ns += v->running_ns;
}

/* All events of a thread at the set's end, or none and -errno. */
static int set_add_thread(struct own_set *s, const struct perf_code *code,
			  int tid)
{
	struct perf_task **at = s->event + s->threads * s->events;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < s->events; i++)
		err = perf_task_open(&at[i], &code[i], tid);
	if (!err) {
		s->threads++;
		return 0;
	}
	while (i--)
		perf_task_close(at[i]);
	return err;
}

int own_set_open(struct own_set **out, const struct perf_code *code,
		 size_t events, const int *tid, size_t n)
{
	struct own_set *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;
	size_t i;

	*out = NULL;
	if (s)
		s->event = calloc(n * events, sizeof(*s->event));
	if (!s || !s->event)
		goto out;
	s->events = events;
	for (i = 0, err = 0; !err && i < n; i++) {
		err = set_add_thread(s, code, tid[i]);
		if (err == -ESRCH)	/* it ended; the others count */
			err = 0;
	}
	if (!err && !s->threads)
		err = -ESRCH;
	s->done_ns = boot_ns();
out:
	if (err)
		own_set_free(s);
	else
		*out = s;
	return err;
}

int own_set_read(const struct own_set *s, struct perf_value *to)
{
	struct perf_value was, v;
	int moved = 0;
	size_t i;

	for (i = 0; i < s->threads * s->events; i++) {
		perf_task_last(s->event[i], &was);
		perf_task_read(s->event[i], &v);
		moved |= v.enabled_ns != was.enabled_ns;
		value_add(&to[i % s->events], &v);
	}
	return moved;
}

void own_set_free(struct own_set *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->threads * s->events; i++)
		perf_task_close(s->event[i]);
	free(s->event);
	free(s);
}
