/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which box is this?  Facts that hold for as long as it is up.
 *
 * Below --proc they are that tree's alone: what it does not say is "?" or 0,
 * never this machine's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "collector.h"

enum { CPUS_MAX = 65536 };

/* The first line of a small file below `dir`, "" if there is none. */
static void line_read(int dir, const char *path, char *buf, size_t n)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t len = fd < 0 ? -1 : read(fd, buf, n - 1);

	buf[len > 0 ? len : 0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	if (fd >= 0)
		close(fd);
}

static void text_keep(char *to, size_t n, const char *text)
{
	snprintf(to, n, "%.*s", (int)n - 1, *text ? text : "?");
}

/* "Linux version 6.1.0-57 (...": the release of a tree without sys/. */
static void release_of_version(char *buf, size_t n)
{
	char release[65] = "";

	sscanf(buf, "Linux version %64s", release);
	snprintf(buf, n, "%s", release);
}

/* MemTotal stands in the first line, in kB. */
static uint64_t memory_read(int dir)
{
	char line[128];
	unsigned long long kb;

	line_read(dir, "meminfo", line, sizeof(line));
	return sscanf(line, "MemTotal: %llu", &kb) == 1 ? kb << 10 : 0;
}

/* One more than the highest CPU with a line of its own in stat. */
static uint32_t cpus_read(int dir)
{
	FILE *f = NULL;
	char line[256];
	unsigned cpu, cpus = 0;
	int fd = openat(dir, "stat", O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		f = fdopen(fd, "r");
	if (!f && fd >= 0)
		close(fd);
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f) && !strncmp(line, "cpu", 3))
		if (line[3] != ' ' && sscanf(line, "cpu%u ", &cpu) == 1 &&
		    cpu >= cpus && cpu < CPUS_MAX)
			cpus = cpu + 1;
	fclose(f);
	return cpus;
}

static void host_of_tree(struct host *h, int dir)
{
	char line[256];

	line_read(dir, "sys/kernel/hostname", line, sizeof(line));
	text_keep(h->name, sizeof(h->name), line);
	line_read(dir, "sys/kernel/osrelease", line, sizeof(line));
	if (!*line) {
		line_read(dir, "version", line, sizeof(line));
		release_of_version(line, sizeof(line));
	}
	text_keep(h->release, sizeof(h->release), line);
	text_keep(h->machine, sizeof(h->machine), "");
	h->cpus = cpus_read(dir);
}

static void host_of_kernel(struct host *h)
{
	struct utsname u;

	uname(&u);
	text_keep(h->name, sizeof(h->name), u.nodename);
	text_keep(h->release, sizeof(h->release), u.release);
	text_keep(h->machine, sizeof(h->machine), u.machine);
	h->cpus = sysconf(_SC_NPROCESSORS_CONF);
}

void collector_host(struct host *h, const struct env *env)
{
	char line[64];

	memset(h, 0, sizeof(*h));
	if (env->rooted)
		host_of_tree(h, env->proc_fd);
	else
		host_of_kernel(h);
	line_read(env->proc_fd, "sys/kernel/random/boot_id", line,
		  sizeof(line));
	text_keep(h->boot_id, sizeof(h->boot_id), line);
	h->mem_bytes = memory_read(env->proc_fd);
	h->clk_tck = sysconf(_SC_CLK_TCK);	/* 100 on every Linux */
	h->page_size = sysconf(_SC_PAGESIZE);
}
