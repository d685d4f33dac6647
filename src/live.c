/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does this box say now?  The source whose next() asks every collector.
 *
 * One that fails says why in health and never stops the others.  Under --proc
 * the root is opened anew at each sample, so that a tree that is replaced
 * (a symlink switched, a container restarted) is followed; collectors which
 * can only see the live kernel are off then: never two machines on one screen.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "collector.h"
#include "source.h"

#define SECOND	1000000000ull

enum { SPARE_FDS = 10 };

struct slot {			/* one collector of the table */
	const struct collector *col;
	void *state;
	int is_open;
};

struct live {
	struct source src;	/* first */
	struct env env;
	struct options opt;
	struct host host;
	struct health health;
	struct ksyms *ksyms;	/* the collectors' */
	uint64_t seq;
	size_t n;
	struct slot *slot;
};

static uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* CPU time since `from` is the collector's. */
static void slot_charge(struct live *live, const struct slot *slot,
			uint64_t from)
{
	struct health_cost *cost = health_cost(&live->health, slot->col->name);

	if (cost)
		cost->cost_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - from;
}

/* A collector that fails without a word gets the errno's. */
static void slot_blame(struct live *live, const struct slot *slot,
		       enum health_level level, int err)
{
	if (!health_why(&live->health, slot->col->name, 0, -1))
		health_set(&live->health, slot->col->name, "", 0, -1, level,
			   -err, NULL, "%s", strerror(-err));
}

static void slot_open(struct live *live, struct slot *slot)
{
	uint64_t from = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int err;

	if (live->env.rooted && slot->col->live_only) {
		health_set(&live->health, slot->col->name, "", 0, -1,
			   HEALTH_ABSENT, 0, "run it without --proc",
			   "off: --proc shows another machine");
		return;
	}
	err = slot->col->open(&slot->state, &live->env);
	slot->is_open = !err;
	if (err)
		slot_blame(live, slot, HEALTH_ABSENT, err);
	slot_charge(live, slot, from);
}

/*
 * Collectors take as many descriptors as they are given; those that the loop,
 * the screen and a file read at each sample need are kept back meanwhile.
 */
static void slots_open(struct live *live)
{
	int spare[SPARE_FDS];
	size_t i;

	for (i = 0; i < SPARE_FDS; i++)
		spare[i] = dup(live->env.proc_fd);
	for (i = 0; i < live->n; i++)
		slot_open(live, &live->slot[i]);
	for (i = 0; i < SPARE_FDS; i++)
		if (spare[i] >= 0)
			close(spare[i]);
}

static void slot_collect(struct live *live, struct slot *slot,
			 struct sample *s)
{
	uint64_t from = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int err;

	if (!slot->is_open)
		return;
	err = slot->col->collect(slot->state, s);
	if (err)
		slot_blame(live, slot, HEALTH_PARTLY, err);
	slot_charge(live, slot, from);
}

/* ---- the root --------------------------------------------------------- */

static int root_open(const char *dir)
{
	return open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int root_is_same(int fd, const char *dir)
{
	struct stat a, b;

	return !fstat(fd, &a) && !stat(dir, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* The same descriptor, on what now has that name. */
static void root_reopen(int fd, const char *dir)
{
	int now = root_open(dir);

	if (now < 0)
		return;
	dup3(now, fd, O_CLOEXEC);
	close(now);
}

static int root_refuse(const char *option, const char *dir, int err)
{
	const char *why = err == -ENOENT ? "does not exist" :
			  err == -ENOTDIR ? "is not a folder" :
			  err == -EACCES ? "may not be entered" : NULL;

	fprintf(stderr, "stalltop: %s: %s: %s; give the folder of a proc or "
		"sys tree\n", option, dir, why ? why : strerror(-err));
	return err;
}

/* A sys tree is not opened when only --proc is another machine's. */
static int roots_open(struct live *live)
{
	static const char own_proc[] = "/proc", own_sys[] = "/sys";
	const struct options *opt = &live->opt;
	int other_sys;

	live->env.proc_fd = root_open(opt->proc);
	if (live->env.proc_fd < 0)
		return root_refuse("--proc", opt->proc, -errno);
	live->env.sys_fd = root_open(opt->sys);
	if (live->env.sys_fd < 0 && strcmp(opt->sys, own_sys))
		return root_refuse("--sys", opt->sys, -errno);
	live->env.rooted = !root_is_same(live->env.proc_fd, own_proc);
	other_sys = live->env.sys_fd >= 0 &&
		    !root_is_same(live->env.sys_fd, own_sys);
	if (other_sys && !live->env.rooted) {
		fprintf(stderr, "stalltop: --sys: %s is another machine's than "
			"/proc; give --proc too\n", opt->sys);
		return -EINVAL;
	}
	if (live->env.rooted && !other_sys && live->env.sys_fd >= 0) {
		close(live->env.sys_fd);
		live->env.sys_fd = -1;
	}
	return 0;
}

static void roots_follow(struct live *live)
{
	if (!live->env.rooted)
		return;
	root_reopen(live->env.proc_fd, live->opt.proc);
	if (live->env.sys_fd >= 0)
		root_reopen(live->env.sys_fd, live->opt.sys);
}

/* ---- the source ------------------------------------------------------- */

static void sample_stamp(struct sample *s)
{
	time_t t;
	struct tm tm;

	s->mono_ns = clock_ns(CLOCK_MONOTONIC);
	s->boot_ns = clock_ns(CLOCK_BOOTTIME);
	s->wall_ns = clock_ns(CLOCK_REALTIME);
	t = s->wall_ns / (int64_t)SECOND;
	s->utc_offset_s = localtime_r(&t, &tm) ? tm.tm_gmtoff : 0;
}

static int live_next(struct source *src, struct sample *s)
{
	struct live *live = (struct live *)src;
	size_t i;

	roots_follow(live);
	sample_reset(s);
	sample_stamp(s);
	s->seq = ++live->seq;
	s->names = live->env.names;
	s->host = &live->host;
	for (i = 0; i < live->n; i++)
		slot_collect(live, &live->slot[i], s);
	sample_seal(s);
	return health_copy(s->health, &live->health) ? -ENOMEM : 1;
}

static int live_seek(struct source *src, uint64_t seq)
{
	(void)src;
	(void)seq;
	return -ENOTSUP;
}

static int live_fd(const struct source *src)
{
	(void)src;
	return -1;
}

static void live_close(struct source *src)
{
	struct live *live = (struct live *)src;
	size_t i;

	if (!live)
		return;
	for (i = live->n; i-- > 0;)
		if (live->slot[i].is_open)
			live->slot[i].col->close(live->slot[i].state);
	if (live->env.proc_fd >= 0)
		close(live->env.proc_fd);
	if (live->env.sys_fd >= 0)
		close(live->env.sys_fd);
	names_free(live->env.names);
	health_free(&live->health);
	free(live->slot);
	free(live);
}

static int slots_make(struct live *live, const struct collector *const *table)
{
	size_t n = 0, i;

	while (table[n])
		n++;
	live->slot = calloc(n ? n : 1, sizeof(*live->slot));
	if (!live->slot)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		live->slot[i].col = table[i];
	live->n = n;
	return 0;
}

/* ---- what others call ------------------------------------------------- */

int live_open(struct source **out, const struct options *opt,
	      const struct collector *const *table)
{
	struct live *live = calloc(1, sizeof(*live));
	int err;

	*out = NULL;
	if (!live)
		return -ENOMEM;
	live->src = (struct source){ live_next, live_seek, live_fd,
				     live_close };
	live->opt = *opt;
	live->env = (struct env){
		.proc_fd = -1, .sys_fd = -1, .opt = &live->opt,
		.host = &live->host, .names = names_new(),
		.health = &live->health, .ksyms = &live->ksyms,
	};
	err = live->env.names ? slots_make(live, table) : -ENOMEM;
	if (!err)
		err = roots_open(live);
	if (err) {
		live_close(&live->src);
		return err;
	}
	collector_host(&live->host, &live->env);
	slots_open(live);
	*out = &live->src;
	return 0;
}

void live_drain(struct source *src)
{
	struct live *live = (struct live *)src;
	struct slot *slot;
	uint64_t from;
	size_t i;

	for (i = 0; i < live->n; i++) {
		slot = &live->slot[i];
		if (!slot->is_open || !slot->col->drain)
			continue;
		from = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		slot->col->drain(slot->state);
		slot_charge(live, slot, from);
	}
}

int live_ask_pipe_bytes(struct source *src, char *why, size_t n)
{
	struct live *live = (struct live *)src;
	const struct health_item *item;
	const char *name = "pipes";
	int err = -ENOTSUP;
	size_t i;

	for (i = 0; i < live->n && err == -ENOTSUP; i++) {
		if (!live->slot[i].is_open || !live->slot[i].col->ask)
			continue;
		name = live->slot[i].col->name;
		err = live->slot[i].col->ask(live->slot[i].state,
					     ASK_PIPE_BYTES);
	}
	item = err < 0 ? health_why(&live->health, name, 0, -1) : NULL;
	snprintf(why, n, "%s", item ? item->why : err < 0 ? strerror(-err) :
		 "");
	return err;
}

const struct host *live_host(const struct source *src)
{
	return &((const struct live *)src)->host;
}

struct health *live_health(const struct source *src)
{
	return &((struct live *)(uintptr_t)src)->health;
}
