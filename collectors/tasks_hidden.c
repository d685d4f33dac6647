// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many processes may we not read?  Looked at only where /proc says it
 * hides some: a box without hidepid costs nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "procfs.h"
#include "tasks_hidden.h"

/* Does this line of /proc/mounts mount a proc on /proc, and with what? */
static const char *proc_options(struct procfs_line l, size_t *len)
{
	const char *word;
	size_t n;

	procfs_take_word(&l, &word);
	n = procfs_take_word(&l, &word);
	if (n != 5 || memcmp(word, "/proc", 5))
		return NULL;
	n = procfs_take_word(&l, &word);
	if (n != 4 || memcmp(word, "proc", 4))
		return NULL;
	*len = procfs_take_word(&l, &word);
	return word;
}

/* 0 none, 1 noaccess, 2 invisible or ptraceable: not even listed. */
static int options_hide(const char *options, size_t len)
{
	const char *at = memmem(options, len, "hidepid=", 8);

	if (!at || at + 8 >= options + len)
		return 0;
	switch (at[8]) {
	case '0':
	case 'o':
		return 0;
	case '1':
	case 'n':
		return 1;
	default:
		return 2;
	}
}

static int mounts_hide(const char *text, size_t len)
{
	const char *at = text, *options;
	struct procfs_line l;
	int hide = 0;
	size_t n;

	while (procfs_next_line(&at, text + len, &l)) {
		options = proc_options(l, &n);
		if (options)
			hide = options_hide(options, n);	/* topmost */
	}
	return hide;
}

void tasks_hidden_open(struct tasks_hidden *h, const struct env *env)
{
	struct procfs_file mounts = {
		.env = env, .collector = "tasks", .part = "hidepid",
		.path = "self/mounts", .about = { TASK_HIDDEN },
	};
	ssize_t len = procfs_read(&mounts);
	int hide = len > 0 ? mounts_hide(mounts.buf, (size_t)len) : 0;

	procfs_free(&mounts);
	h->env = env;
	h->known = len > 0 && hide < 2;
	h->listed = hide == 1;
	if (hide == 2 && geteuid() == 0)
		h->known = 1;
	else if (hide == 2)
		health_set(env->health, "tasks", "hidepid", TASK_HIDDEN, -1,
			   HEALTH_PARTLY, 0, "run as root",
			   "hidepid: processes of others are not shown");
}

static int is_denied(int proc_fd, const char *pid)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "%.16s/stat", pid);
	fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		close(fd);
	return fd < 0 && (errno == EACCES || errno == EPERM);
}

static uint64_t count_denied(DIR *dir, int proc_fd, const struct tasks_table *t)
{
	struct dirent *e;
	uint64_t n = 0;

	while ((e = readdir(dir)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' &&
		    !tasks_table_saw(t, atoi(e->d_name)))
			n += is_denied(proc_fd, e->d_name);
	return n;
}

void tasks_hidden_count(struct tasks_hidden *h, const struct tasks_table *t)
{
	struct health *health = h->env->health;
	DIR *dir;
	int fd;

	if (!h->listed)
		return;
	fd = openat(h->env->proc_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	h->known = dir != NULL;
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	h->processes = count_denied(dir, h->env->proc_fd, t);
	closedir(dir);
	if (h->processes)
		health_set(health, "tasks", "hidepid", 0, -1, HEALTH_PARTLY,
			   EACCES, "run as root",
			   "%llu processes are hidden by hidepid",
			   (unsigned long long)h->processes);
	else
		health_clear(health, "tasks", "hidepid", 0, -1);
}
