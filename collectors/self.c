// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does stalltop itself cost, and which task is it?  Always of the running
 * kernel, also under --proc: it is this process that reads.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include "collectors.h"
#include "parse.h"
#include "procfs.h"

struct self {
	const struct env *env;
	struct env live;		/* /proc of this process */
	struct procfs_file statm;
	struct self_stat stat;		/* start 0 = not known */
};

/* Of proc(5): state is field 3, start time field 22. */
enum { FIELDS_TO_START = 22 - 3 };

/* comm stands between the first '(' and the last ')' and holds any byte. */
int self_parse(const char *text, size_t len, struct self_stat *stat)
{
	const char *open = memchr(text, '(', len), *close, *word;
	struct procfs_line l;
	int i;

	close = open ? memrchr(open, ')', (size_t)(text + len - open)) : NULL;
	if (!close)
		return -EINVAL;
	stat->len = (size_t)(close - open - 1);
	if (stat->len >= sizeof(stat->comm))
		stat->len = sizeof(stat->comm) - 1;
	memcpy(stat->comm, open + 1, stat->len);
	stat->comm[stat->len] = '\0';
	l = (struct procfs_line) { close + 1, text + len };
	if (procfs_take_word(&l, &word) != 1)
		return -EINVAL;
	stat->state = *word;
	for (i = 1; i < FIELDS_TO_START; i++)
		if (!procfs_take_word(&l, &word))
			return -EINVAL;
	return procfs_take_u64(&l, &stat->start) ? 0 : -EINVAL;
}

static void self_find_task(struct self *self)
{
	struct procfs_file file = {
		.env = &self->live, .collector = "self", .part = "task",
		.path = "self/stat",
	};
	ssize_t len = procfs_read(&file);

	if (len > 0 && self_parse(file.buf, (size_t)len, &self->stat))
		self->stat.start = 0;
	procfs_free(&file);
}

static int add_task(struct self *self, struct sample *s)
{
	uint32_t id;

	if (!self->stat.start)
		return 0;
	id = names_task(self->env->names, getpid(), self->stat.start, getpid(),
			self->stat.comm, self->stat.len);
	return id ? sample_add(s, SELF_TASK, 0, 0, id) : -ENOMEM;
}

static int self_open(void **state, const struct env *env)
{
	struct self *self = calloc(1, sizeof(*self));

	if (!self)
		return -ENOMEM;
	self->env = env;
	self->live.proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	self->live.sys_fd = -1;
	self->live.health = env->health;
	self->statm = (struct procfs_file) {
		.env = &self->live, .collector = "self", .part = "memory",
		.path = "self/statm",
	};
	self_find_task(self);
	*state = self;
	return 0;
}

static int add_memory(struct self *self, struct sample *s)
{
	ssize_t len = procfs_read(&self->statm);
	struct procfs_line l;
	uint64_t size, pages;

	if (len < 0)
		return 0;
	l = (struct procfs_line) { self->statm.buf, self->statm.buf + len };
	if (!procfs_take_u64(&l, &size) || !procfs_take_u64(&l, &pages))
		return 0;
	return sample_add(s, SELF_RSS, 0, 0,
			  pages * (uint64_t)sysconf(_SC_PAGESIZE));
}

static int self_collect(void *state, struct sample *s)
{
	struct self *self = state;
	struct timespec cpu;
	struct rusage use;

	collector_stamp(self->env, "self");
	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu) ||
	    getrusage(RUSAGE_SELF, &use))
		return -errno;
	if (sample_add(s, SELF_CPU, 0, 0, (uint64_t)cpu.tv_sec * 1000000000u +
					  (uint64_t)cpu.tv_nsec) ||
	    sample_add(s, SELF_SWITCHES, 0, 0,
		       (uint64_t)use.ru_nvcsw + (uint64_t)use.ru_nivcsw) ||
	    add_memory(self, s) || add_task(self, s))
		return -ENOMEM;
	health_set(self->env->health, "self", "", 0, -1, HEALTH_OK, 0, NULL,
		   "pid %d", (int)getpid());
	return 0;
}

static void self_close(void *state)
{
	struct self *self = state;

	if (!self)
		return;
	procfs_free(&self->statm);
	if (self->live.proc_fd >= 0)
		close(self->live.proc_fd);
	free(self);
}

const struct collector self_collector = {
	.name = "self",
	.needs = "getrusage(), /proc/self/stat, /proc/self/statm",
	.open = self_open,
	.collect = self_collect,
	.close = self_close,
};
