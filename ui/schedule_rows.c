// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who called schedule(), how often, and how sure is that?
 *
 * One pass over the (stack, task) pairs (schedule_walk.c): linear in their
 * number.  A stack is attributed once, as all its pairs stand together.
 * The groups and a hash index over them live in one block that only grows.
 *
 * The heaviest VIAs and tasks of a group are kept in a few slots; a newcomer
 * takes the lightest slot and inherits its weight (the space-saving sketch of
 * Metwally and others, 2005), so a heavy one is never missed.  Their weights
 * order names, no number on the screen is made of them.
 */
#include "schedule_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

enum { FIRST_CAP = 256 };

#define UNSEEN_SHARE 0.03

static const uint16_t kinds[SCHEDULE_KINDS] = {
	[KIND_BLOCKED] = SCHED_BLOCKED, [KIND_PREEMPTED] = SCHED_PREEMPTED,
	[KIND_YIELDED] = SCHED_YIELDED, [KIND_IDLE] = SCHED_FROM_IDLE,
};

/* ---- groups: an open-addressing index behind the array --------------------- */

static uint32_t *index_of(struct schedule *s)
{
	return (uint32_t *)(s->group + s->cap);
}

static uint64_t mix(uint64_t x)
{
	x *= 0x9e3779b97f4a7c15ull;
	return x ^ x >> 29;
}

/* The slot that holds the group's number + 1, or the free one for it. */
static uint32_t slot_of(const struct schedule *s, uint64_t id)
{
	const uint32_t *index = (const uint32_t *)(s->group + s->cap);
	uint32_t mask = 2 * s->cap - 1, i = mix(id) & mask;

	while (index[i] && s->group[index[i] - 1].id != id)
		i = (i + 1) & mask;
	return i;
}

static int resize(struct schedule **at, uint32_t cap)
{
	size_t size = sizeof(**at) + cap * sizeof(struct schedule_group) +
		      2 * cap * sizeof(uint32_t);
	struct schedule *s = realloc(*at, size);

	if (!s)
		return -ENOMEM;
	if (!*at)
		memset(s, 0, sizeof(*s));
	*at = s;
	s->cap = cap;
	memset(index_of(s), 0, 2 * cap * sizeof(uint32_t));
	for (uint32_t i = 0; i < s->ngroups; i++)
		index_of(s)[slot_of(s, s->group[i].id)] = i + 1;
	return 0;
}

static int group_get(struct schedule **at, uint64_t id,
		     struct schedule_group **g)
{
	struct schedule *s = *at;
	uint32_t slot = slot_of(s, id);

	if (index_of(s)[slot]) {
		*g = &s->group[index_of(s)[slot] - 1];
		return 0;
	}
	if (s->ngroups == s->cap) {
		if (resize(at, 2 * s->cap) < 0)
			return -ENOMEM;
		s = *at;
		slot = slot_of(s, id);
	}
	*g = &s->group[s->ngroups++];
	memset(*g, 0, sizeof(**g));
	(*g)->id = id;
	index_of(s)[slot] = s->ngroups;
	return 0;
}

const struct schedule_group *schedule_find(const struct schedule *s,
					   uint64_t id)
{
	const uint32_t *index;
	uint32_t slot;

	if (!s || !s->cap)
		return NULL;
	index = (const uint32_t *)(s->group + s->cap);
	slot = slot_of(s, id);
	return index[slot] ? &s->group[index[slot] - 1] : NULL;
}

/* ---- one pair into its group ------------------------------------------------ */

static void heavy_add(struct schedule_heavy *v, int n, uint64_t hash,
		      uint32_t id, enum sched_class class, uint64_t w)
{
	struct schedule_heavy *least = v;

	for (int i = 0; i < n; i++) {
		if (v[i].id && v[i].hash == hash) {
			v[i].w += w;
			return;
		}
		if (v[i].w < least->w)
			least = &v[i];
	}
	*least = (struct schedule_heavy){ least->w + w, hash, id, class };
}

static void heavy_sort(struct schedule_heavy *v, int n)
{
	for (int i = 1; i < n; i++)
		for (int k = i; k && v[k].w > v[k - 1].w; k--) {
			struct schedule_heavy t = v[k];

			v[k] = v[k - 1];
			v[k - 1] = t;
		}
}

static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ull;	/* FNV-1a, 64 bit */

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
	return hash;
}

/* All pairs of a stack stand together: attribute it once. */
static void attribute(struct schedule *s, const struct model *m,
		      uint32_t stack)
{
	const struct name *name;

	if (s->stack == stack)
		return;
	s->stack = stack;
	memset(&s->from, 0, sizeof(s->from));
	name = names_get(m->newer->names, stack);
	if (!name || name->kind != NAME_STACK)
		return;
	attribution_of(m->newer->names, name, &s->from);
	/* The innermost is the scheduler's own, else no names are given. */
	if (name->len && !strncmp(names_str(m->newer->names,
					 name->stack.frame[0]), "0x", 2))
		s->nameless = true;
}

uint64_t schedule_id(struct schedule *s, const struct model *m,
		     const struct schedule_pair *p)
{
	attribute(s, m, p->stack);
	if (s->by == BY_TASK)
		return p->task ? p->task : SCHEDULE_ENDED;
	if (p->task && p->task == s->self)
		return SCHEDULE_SELF;
	if (!p->stack)
		return SCHEDULE_ENDED;
	if (s->by == BY_STACK)
		return p->stack;
	return (uint64_t)s->from.source << 8 | s->from.class;
}

static void group_add(struct schedule_group *g, enum view_by by,
		      const struct names *names, const struct schedule_pair *p,
		      const struct attribution *a)
{
	if (!g->n && !g->w && !g->waits) {
		g->source = a->source;
		g->class = a->class;
		g->stack = p->stack;
		g->task = p->task;
		g->depth = a->depth;
	}
	if (p->stack && g->last != p->stack) {
		g->last = p->stack;
		g->stacks++;
	}
	g->n += p->n;
	g->w += p->w;
	g->waits += p->waits;
	g->wait_ns += p->wait_ns;
	g->queued_ns += p->queued_ns;
	if (by == BY_TASK && p->stack)
		heavy_add(g->via, SCHEDULE_VIAS,
			  (uint64_t)a->source << 8 | a->class, a->source,
			  a->class, p->w);
	else if (a->via)
		heavy_add(g->via, SCHEDULE_VIAS, a->via, a->via, a->class,
			  p->w);
	if (p->task)
		heavy_add(g->tasks, SCHEDULE_TASKS,
			  hash_text(names_str(names, p->task)), p->task,
			  a->class, p->w);
}

static void total_add(struct schedule *s, const struct schedule_pair *p,
		      const struct attribution *a)
{
	s->n += p->n;
	s->w += p->w;
	s->w2 += p->w2;
	s->waits += p->waits;
	if (!p->stack)
		s->ended += p->w;
	else if (a->class == CLASS_IDLE)
		s->idle += p->w;
	else if (a->class == CLASS_PREEMPTED)
		s->preempted += p->w;
	else if (a->class == CLASS_YIELD)
		s->yielded += p->w;
}

/* ---- all of it --------------------------------------------------------------- */

static int start(struct schedule **at, const struct model *m, enum view_by by)
{
	struct delta self = model_delta(m, SELF_TASK, 0, 0);
	uint32_t cap = *at ? (*at)->cap : FIRST_CAP;
	struct schedule *s;

	if (!*at && resize(at, cap) < 0)
		return -ENOMEM;
	s = *at;
	memset(s, 0, sizeof(*s));
	s->cap = cap;
	memset(index_of(s), 0, 2 * cap * sizeof(uint32_t));
	s->by = by;
	s->self = self.state == DELTA_ABSENT ? 0 : (uint32_t)self.value;
	s->switches = model_sum(m, SCHED_SWITCHES);
	s->lost = model_sum(m, SCHED_LOST);
	s->untimed = model_sum(m, SCHED_UNTIMED);
	s->skipped = model_sum(m, SCHED_SKIPPED);
	for (int i = 0; i < SCHEDULE_KINDS; i++)
		s->kind[i] = model_sum(m, kinds[i]);
	s->is_kernels = s->kind[KIND_BLOCKED].state != DELTA_ABSENT;
	return 0;
}

/* One in one now, as before; the weights tell of the time between. */
static bool is_every_one(const struct sample *s)
{
	size_t n = 0, ones = 0;
	const struct reading *r = sample_range(s, SCHED_EVERY, &n);

	for (size_t i = 0; r && i < n; i++)
		ones += r[i].value == 1;
	return n && ones == n;
}

/* Seconds between the reads of /proc/stat and of the events. */
static double read_apart_s(const struct sample *s)
{
	uint64_t stat = model_read_ns(s, "stat");
	uint64_t sched = model_read_ns(s, "sched");

	return fabs((double)stat - (double)sched) / 1e9;
}

/*
 * A kernel may keep switches back from perf events: on 6.18 those of an idle
 * task whose recursion count got stuck.  /proc/stat counts them all; but it is
 * read first, and what happened until the events were read was not kept back.
 */
static double share_unseen(const struct schedule *s, const struct model *m)
{
	struct delta stat = model_sum(m, STAT_SWITCHES);
	double all = delta_rate(stat), seen = delta_rate(s->switches);
	double missed = (double)stat.diff - (double)s->switches.diff;

	if (!(all - seen > UNSEEN_SHARE * all) ||
	    missed <= 20 + all * read_apart_s(m->older))
		return 0;	/* also where one is not known */
	return (all - seen) / all;
}

static bool is_exact(const struct schedule *s, const struct model *m)
{
	return !(s->unseen > 0) && s->w && s->w == s->n && s->w2 == s->w &&
	       !s->lost.diff &&
	       is_every_one(m->older) && is_every_one(m->newer);
}

int schedule_make(struct schedule **at, const struct model *m,
		  enum view_by by)
{
	struct schedule_walk walk;
	struct schedule_pair p;
	struct schedule_group *g;
	int err = start(at, m, by);

	if (err || !m->newer || !m->older)
		return err;
	schedule_walk(&walk, m);
	while (schedule_next(&walk, &p)) {
		err = group_get(at, schedule_id(*at, m, &p), &g);
		if (err)
			return err;
		group_add(g, by, m->newer->names, &p, &(*at)->from);
		total_add(*at, &p, &(*at)->from);
	}
	(*at)->unseen = share_unseen(*at, m);
	(*at)->exact = is_exact(*at, m);
	for (uint32_t i = 0; i < (*at)->ngroups; i++) {
		heavy_sort((*at)->group[i].via, SCHEDULE_VIAS);
		heavy_sort((*at)->group[i].tasks, SCHEDULE_TASKS);
	}
	return 0;
}

/*
 * The in-kernel engine marks each sampled sleep and times it to its end, so
 * one that ended is as good as another, however many still sleep.  The other
 * engine times what it sees by chance, while it takes every stack.
 */
bool schedule_has_wait(const struct schedule *s,
		       const struct schedule_group *g)
{
	return g->waits && (s->is_kernels || 2 * g->waits >= g->n);
}

double schedule_share(const struct schedule *s, uint64_t w, double *low,
		      double *high)
{
	double share = s->w ? (double)w / (double)s->w : NAN;

	*low = *high = share;
	if (s->w && !s->exact)
		wilson_interval((double)w, (double)s->w, (double)s->w2, low,
				high);
	return share;
}
