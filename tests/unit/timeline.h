/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A synthetic box: a time line of samples in which tasks are born, renamed and
 * die, readings vanish and come back, kernel keys turn up late, and values sit
 * at the edges of 64 bits. The same seed gives the same time line.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "health.h"
#include "metric.h"
#include "names.h"
#include "sample.h"

enum { TIMELINE_MAX = 12000 };

struct timeline {
	struct names *names;
	struct host host;
	struct health health;
	uint64_t seq, random;
	uint32_t ntasks, nstacks, births;
	uint32_t task[TIMELINE_MAX], stack[TIMELINE_MAX];
	int32_t next_tid;
	uint64_t value[TIMELINE_MAX];
};

static inline uint64_t timeline_random(struct timeline *t)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	return t->random;
}

static inline void timeline_birth(struct timeline *t, uint32_t i)
{
	char comm[32];
	int len = snprintf(comm, sizeof(comm), "task \xff%d", t->next_tid);

	if (t->task[i])
		names_drop(t->names, t->task[i]);
	t->task[i] = names_task(t->names, t->next_tid, t->seq, 1, comm, len);
	t->next_tid++;
	t->value[i] = 0;
}

static inline void timeline_stack(struct timeline *t, uint32_t i)
{
	char text[32];
	uint32_t frame[12], k, module = i % 3 ? 0 : names_text(t->names,
							       "ext4", 4);

	for (k = 0; k < 12; k++) {
		snprintf(text, sizeof(text), "function_%u", (i * 7 + k) % 400);
		frame[k] = names_symbol(t->names, text, module,
					k < 2 ? SYMBOL_SCHED : 0);
	}
	t->stack[i] = names_stack(t->names, "SDR+"[i % 4], frame, 12);
}

static inline void timeline_open(struct timeline *t, uint32_t ntasks,
				 uint32_t nstacks, uint32_t births)
{
	uint32_t i;

	memset(t, 0, sizeof(*t));
	t->names = names_new();
	t->random = 88172645463325252u;
	t->next_tid = 1000;
	t->ntasks = ntasks;
	t->nstacks = nstacks;
	t->births = births;
	strcpy(t->host.name, "box");
	strcpy(t->host.release, "6.18.0");
	t->host.cpus = 2;
	t->host.clk_tck = 100;
	t->host.page_size = 4096;
	t->host.mem_bytes = 1ull << 33;
	for (i = 0; i < ntasks; i++)
		timeline_birth(t, i);
	for (i = 0; i < nstacks; i++)
		timeline_stack(t, i);
	health_set(&t->health, "vmstat", "", 0, -1, HEALTH_OK, 0, NULL, "ok");
	health_set(&t->health, "stat", "", STAT_STEAL, 1, HEALTH_ABSENT, 2,
		   "plug it in", "offline");
}

static inline void timeline_close(struct timeline *t)
{
	names_free(t->names);
	health_free(&t->health);
	memset(t, 0, sizeof(*t));
}

/* 0 2^53+1 2^63 2^64-1 in turn: differences of every size and sign. */
static inline void timeline_edges(struct timeline *t, struct sample *s)
{
	static const uint64_t edge[] = { 0, 9007199254740993u,
					 (uint64_t)1 << 63, UINT64_MAX };
	uint32_t cpu;

	sample_add(s, VM_PGFAULT, 0, 0, edge[t->seq % 4]);
	sample_add(s, VM_PGMAJFAULT, 0, 0, edge[(t->seq + 1) % 4]);
	for (cpu = 0; cpu < 4; cpu++)
		if (t->seq % 5 != cpu)		/* offline now and then */
			sample_add(s, STAT_USER, cpu, 0, edge[cpu] + t->seq);
	sample_add(s, SELF_TASK, 0, 0, t->task[t->seq % t->ntasks]);
}

static inline void timeline_dynamic(struct timeline *t, struct sample *s)
{
	char name[32];
	uint64_t i;

	for (i = 0; i < 20 + t->seq / 10 && i < 60; i++) {
		snprintf(name, sizeof(name), "vm.late_key%d", (int)i);
		sample_add(s, metric_dynamic(name, UNIT_PAGES, GAUGE), 0, 0,
			   timeline_random(t) % 1000);
	}
}

static inline void timeline_tasks(struct timeline *t, struct sample *s)
{
	static const uint16_t metric[] = { TASK_STATE, TASK_CPU, TASK_UTIME,
					   TASK_STIME, TASK_MINFLT,
					   TASK_MAJFLT };
	uint32_t i, m;

	for (i = 0; i < t->ntasks; i++)
		t->value[i] += timeline_random(t) % 5 ? 0 : 1 + i;
	for (m = 0; m < 6; m++)
		for (i = 0; i < t->ntasks; i++)
			sample_add(s, metric[m], t->task[i], 0,
				   m ? t->value[i] >> m : 'S');
}

static inline void timeline_stacks(struct timeline *t, struct sample *s)
{
	static const uint16_t metric[] = { SCHED_N, SCHED_W, SCHED_W2 };
	uint32_t i, m;

	for (m = 0; m < 3; m++)
		for (i = 0; i < t->nstacks; i++)
			sample_add(s, metric[m], t->stack[i],
				   t->task[i % t->ntasks],
				   t->seq * (i % 4 ? 61 * i : 0) << m);
}

static inline void timeline_health(struct timeline *t)
{
	struct health_cost *c = health_cost(&t->health, "vmstat");

	c->read_ns = t->seq * 1000000000 + timeline_random(t) % 100000;
	c->cost_ns += timeline_random(t) % 100000;
	c = health_cost(&t->health, "tasks");
	c->lost += t->seq % 3;
	if (t->seq % 7 == 0)
		health_set(&t->health, "sched", "", 0, -1, HEALTH_PARTLY, 1,
			   NULL, "seq %d", (int)t->seq);
}

/* The next sample of the time line. */
static inline void timeline_next(struct timeline *t, struct sample *s)
{
	uint32_t i;

	t->seq++;
	for (i = 0; i < t->births; i++)
		timeline_birth(t, timeline_random(t) % t->ntasks);
	if (t->births)
		names_task(t->names, names_get(t->names, t->task[0])->task.tid,
			   names_get(t->names, t->task[0])->task.start, 1,
			   t->seq % 2 ? "odd" : "even, which is longer",
			   t->seq % 2 ? 3 : 21);
	sample_reset(s);
	s->seq = t->seq;
	s->mono_ns = t->seq * 1000000000;
	s->boot_ns = s->mono_ns + 77;
	s->wall_ns = (int64_t)s->mono_ns * (t->seq % 50 ? 1 : -1);
	s->utc_offset_s = t->seq % 9 ? 3600 : -3600;
	s->names = t->names;
	s->host = &t->host;
	timeline_edges(t, s);
	timeline_dynamic(t, s);
	timeline_tasks(t, s);
	timeline_stacks(t, s);
	timeline_health(t);
	health_copy(s->health, &t->health);
	sample_seal(s);
}

#endif
