/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes of our own user are there, and which came since the last
 * look?
 *
 * One pass over /proc and one fstatat() each, no file read but of newcomers.
 * /proc/PID belongs to the effective user of the process, whether it may be
 * dumped or not (task_dump_owner() in fs/proc/base.c).  Its inode is made anew
 * when the pid is used again; it may also be made anew for one that was not
 * looked at for long, so the start time decides.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include "collector.h"
#include "own_tasks.h"
#include "procfs.h"

enum {
	FIELD_PPID = 4, FIELD_START = 22,	/* of stat */
	STAT_MAX = 1024, STATUS_MAX = 4096,
};

/* The number a name is, or 0. */
static int pid_of(const char *name)
{
	char *end;
	long pid;

	if (!isdigit((unsigned char)*name))
		return 0;
	pid = strtol(name, &end, 10);
	return *end || pid > INT32_MAX ? 0 : (int)pid;
}

static int list_add(struct own_task **list, size_t *n, size_t *cap,
		    const struct own_task *t)
{
	size_t more = *cap ? 2 * *cap : 64;
	struct own_task *p = *list;

	if (*n == *cap) {
		p = realloc(p, more * sizeof(*p));
		if (!p)
			return -ENOMEM;
		*list = p;
		*cap = more;
	}
	p[(*n)++] = *t;
	return 0;
}

static int by_pid(const void *a, const void *b)
{
	const struct own_task *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* A small file's text: its length, or -errno. */
static ssize_t text_read(const struct own_tasks *o, int pid, const char *name,
			 char *text, size_t n)
{
	char path[32];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%d/%s", pid, name);
	fd = openat(o->fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = read(fd, text, n - 1);
	close(fd);
	if (len <= 0)
		return -ESRCH;
	text[len] = '\0';
	return len;
}

/* Parent and start from /proc/PID/stat; a zombie is OWN_ENDED. */
static int stat_read(const struct own_tasks *o, struct own_task *t)
{
	struct procfs_line l;
	char text[STAT_MAX];
	const char *word;
	uint64_t v = 0;
	ssize_t len = text_read(o, t->pid, "stat", text, sizeof(text));
	int field;

	if (len < 0)
		return (int)len;
	l.p = strrchr(text, ')');	/* a comm may hold anything */
	l.end = text + len;
	if (!l.p++ || !procfs_take_word(&l, &word))
		return -EINVAL;
	if (*word == 'Z' || *word == 'X')
		t->fate = OWN_ENDED;
	if (!procfs_take_u64(&l, &v))
		return -EINVAL;
	t->ppid = (int)v;
	for (field = FIELD_PPID; field < FIELD_START; field++)
		if (!procfs_take_word(&l, &word))
			return -EINVAL;
	t->start_ns = strtoull(word, NULL, 10) * o->tick_ns;
	return 0;
}

/* All processes of ours now, in o->was, which is the list to come. */
static int list_read(struct own_tasks *o)
{
	struct own_task t = { .fate = OWN_NEW };
	int ascending = 1, last = 0, err = 0;
	struct dirent *d;
	struct stat st;

	o->nwas = 0;
	rewinddir(o->dir);
	while (!err && (d = readdir(o->dir))) {
		t.pid = pid_of(d->d_name);
		if (!t.pid || fstatat(o->fd, d->d_name, &st, 0) ||
		    st.st_uid != o->uid)
			continue;
		t.ino = st.st_ino;
		err = list_add(&o->was, &o->nwas, &o->capwas, &t);
		ascending &= t.pid > last;
		last = t.pid;
	}
	if (!ascending)
		qsort(o->was, o->nwas, sizeof(*o->was), by_pid);
	return err;
}

static void lists_swap(struct own_tasks *o)
{
	struct own_task *task = o->task;
	size_t n = o->n, cap = o->cap;

	o->task = o->was;
	o->n = o->nwas;
	o->cap = o->capwas;
	o->was = task;
	o->nwas = n;
	o->capwas = cap;
}

/* Is t, just found, the process we knew?  Then it is as we knew it. */
static int task_is_known(const struct own_tasks *o, struct own_task *t,
			 const struct own_task *was)
{
	if (t->ino != was->ino) {
		if (stat_read(o, t) || t->start_ns != was->start_ns) {
			t->fate = OWN_NEW;
			return 0;
		}
	}
	t->ppid = was->ppid;
	t->start_ns = was->start_ns;
	t->fate = was->fate;
	t->threads = was->threads;
	t->set = was->set;
	return 1;
}

int own_tasks_look(struct own_tasks *o,
		   void (*gone)(void *arg, const struct own_task *t),
		   void *arg)
{
	const struct own_task *was, *end;
	struct own_task *t;
	int err = list_read(o);

	if (err)
		return err;
	lists_swap(o);
	was = o->was;
	end = was + o->nwas;
	for (t = o->task; t < o->task + o->n; t++) {
		for (; was < end && was->pid < t->pid; was++)
			gone(arg, was);
		if (was < end && was->pid == t->pid) {
			if (!task_is_known(o, t, was))
				gone(arg, was);
			was++;
		}
		if (t->fate == OWN_NEW && stat_read(o, t))
			t->fate = OWN_ENDED;
	}
	for (; was < end; was++)
		gone(arg, was);
	return 0;
}

struct own_task *own_tasks_find(const struct own_tasks *o, int pid)
{
	const struct own_task key = { .pid = pid };

	if (!o->n)
		return NULL;
	return bsearch(&key, o->task, o->n, sizeof(key), by_pid);
}

ssize_t own_tasks_threads(const struct own_tasks *o, int pid, int *tid,
			  size_t max)
{
	struct dirent *d;
	char path[32];
	ssize_t n = 0;
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "%d/task", pid);
	fd = openat(o->fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		n = -errno;
		if (fd >= 0)
			close(fd);
		return n;
	}
	while ((d = readdir(dir))) {
		if (!pid_of(d->d_name))
			continue;
		if ((size_t)n < max)
			tid[n] = pid_of(d->d_name);
		n++;
	}
	closedir(dir);
	return n;
}

/* A process's numbers in its pid namespaces, the innermost last: 1 is the
 * first process of its own. */
int own_tasks_is_reaper(const struct own_tasks *o, int pid)
{
	char text[STATUS_MAX];
	const char *p, *end;

	if (pid == 1)
		return 1;
	if (text_read(o, pid, "status", text, sizeof(text)) < 0)
		return 1;
	p = strstr(text, "\nNSpid:");
	end = p ? strchr(p + 1, '\n') : NULL;
	return end && end[-1] == '1' && isspace((unsigned char)end[-2]);
}

int own_tasks_open(struct own_tasks *o, const struct env *env)
{
	int err;

	memset(o, 0, sizeof(*o));
	o->fd = openat(env->proc_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (o->fd < 0)
		return -errno;
	o->dir = fdopendir(o->fd);
	if (!o->dir) {
		err = -errno;
		close(o->fd);
		return err;
	}
	o->uid = geteuid();
	o->tick_ns = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);
	return 0;
}

void own_tasks_close(struct own_tasks *o)
{
	if (o->dir)
		closedir(o->dir);
	free(o->task);
	free(o->was);
	memset(o, 0, sizeof(*o));
}
