// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is the task called?
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tasks_comm.h"

static uint32_t text_hash(const char *text)
{
	uint32_t h = 2166136261u;	/* FNV-1a */

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 16777619u;
	return h ? h : 1;
}

/* The raw comm, without the newline the kernel puts behind it; length or 0. */
static size_t read_raw(const struct env *env, int32_t tid, char *comm,
		       size_t size)
{
	char path[32];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%d/comm", tid);
	fd = openat(env->proc_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	len = read(fd, comm, size);
	close(fd);
	if (len > 0 && comm[len - 1] == '\n')
		len--;
	return len > 0 ? (size_t)len : 0;
}

static uint32_t name_again(const struct env *env, const struct task *task)
{
	const struct name *n = names_get(env->names, task->id);

	return n ? names_task(env->names, task->tid, task->start, task->tgid,
			      n->text, n->len) : 0;
}

uint32_t tasks_comm(const struct env *env, struct task *task, const char *shown)
{
	char raw[80];
	uint32_t hash, id;
	size_t len = 0;

	if (!shown)
		shown = "";
	if (!strpbrk(shown, ".?"))
		return names_task(env->names, task->tid, task->start,
				  task->tgid, shown, strlen(shown));
	hash = text_hash(shown);
	id = task->id && task->comm_hash == hash ? name_again(env, task) : 0;
	if (id)
		return id;
	task->comm_hash = hash;
	len = read_raw(env, task->tid, raw, sizeof(raw));
	return names_task(env->names, task->tid, task->start, task->tgid,
			  len ? raw : shown, len ? len : strlen(shown));
}
