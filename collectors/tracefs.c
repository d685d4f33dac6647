/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where are the kernel's trace events described?
 *
 * tracefs stands at /sys/kernel/tracing (4.1 and later) or is mounted by the
 * kernel itself when <debugfs>/tracing is entered; either directory exists
 * and is empty when nothing is mounted there, and is 0700 root by default.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mount.h>
#include "tracefs.h"

#define USUAL "/sys/kernel/tracing"

enum { MOUNTINFO_MAX = 1 << 22, PATH_ROOM = 4096 };

/* Which words for which -errno; the last one is for all others. */
static const struct {
	int err;
	struct tracefs_why w;
} reasons[] = {
	{ EACCES, { "tracefs is readable by root only", "run as root" } },
	{ ENOENT, { "tracefs is not mounted and is not ours to mount",
		    "mount -t tracefs tracefs " USUAL } },
	{ ENODEV, { "this kernel has no tracefs (CONFIG_TRACING)", "" } },
	{ EOPNOTSUPP, { "kernel lockdown (confidentiality) leaves tracefs empty",
			"boot with lockdown=integrity" } },
	{ ENODATA, { "tracefs is mounted and empty: kernel lockdown",
		     "cat /sys/kernel/security/lockdown" } },
	{ EPERM, { "tracefs may not be mounted: CAP_SYS_ADMIN is missing or"
		   " a seccomp filter or lockdown forbids it",
		   "mount -t tracefs tracefs " USUAL } },
	{ 0, { "tracefs cannot be opened", "mount -t tracefs tracefs "
	       USUAL } },
};

static int tracefs_refuse(int err, struct tracefs_why *w)
{
	size_t i = 0;

	while (reasons[i].err && reasons[i].err != err)
		i++;
	*w = reasons[i].w;
	return -err;
}

/* mountinfo writes blanks and backslashes as \NNN. */
static void unescape(char *path)
{
	char *to = path;
	unsigned c;

	while (*path) {
		if (*path == '\\' && sscanf(path + 1, "%3o", &c) == 1 && c) {
			*to++ = (char)c;
			path += 4;
		} else {
			*to++ = *path++;
		}
	}
	*to = '\0';
}

/* "id parent dev root point options [optional...] - type source super" */
static int line_names(const char *line, size_t len, const char *fs, char *path,
		      size_t n)
{
	const char *dash = memmem(line, len, " - ", 3), *p = line, *end;
	size_t type = strlen(fs);
	int field;

	if (!dash || (size_t)(line + len - dash - 3) <= type ||
	    memcmp(dash + 3, fs, type) || dash[3 + type] != ' ')
		return -ENOENT;
	for (field = 0; field < 3; field++) {
		p = memchr(p, ' ', (size_t)(dash - p));
		if (!p++)
			return -ENOENT;
	}
	if (strncmp(p, "/ ", 2))	/* a part of it, bound elsewhere */
		return -ENOENT;
	p += 2;
	end = memchr(p, ' ', (size_t)(dash - p));
	if (!end)
		return -ENOENT;
	if ((size_t)(end - p) >= n)
		return -ENAMETOOLONG;
	memcpy(path, p, (size_t)(end - p));
	path[end - p] = '\0';
	unescape(path);
	return 0;
}

int tracefs_find(const char *mountinfo, const char *fs, char *path, size_t n)
{
	int err = -ENOENT;
	size_t len;

	while (*mountinfo && err == -ENOENT) {
		len = strcspn(mountinfo, "\n");
		err = line_names(mountinfo, len, fs, path, n);
		mountinfo += len + (mountinfo[len] == '\n');
	}
	return err;
}

static char *mountinfo_read(void)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *text = malloc(MOUNTINFO_MAX);
	size_t n = 0;

	if (f && text)
		n = fread(text, 1, MOUNTINFO_MAX - 1, f);
	if (f)
		fclose(f);
	if (text)
		text[n] = '\0';
	return text;
}

/* The directory if it holds events, else -errno; -ENODATA: it is empty. */
static int open_full(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	if (!faccessat(fd, "events", R_OK | X_OK, 0))
		return fd;
	err = errno == ENOENT ? -ENODATA : -errno;
	close(fd);
	return err;
}

/* Among the mounts there are: descriptor, -ENOENT when there is none. */
static int open_mounted(void)
{
	char path[PATH_ROOM], below[PATH_ROOM + 16];
	char *text = mountinfo_read();
	int fd = -ENOENT;

	if (!text)
		return -ENOMEM;
	if (!tracefs_find(text, "tracefs", path, sizeof(path))) {
		fd = open_full(path);
	} else if (!tracefs_find(text, "debugfs", path, sizeof(path))) {
		snprintf(below, sizeof(below), "%s/tracing", path);
		fd = open_full(below);
		if (fd == -ENODATA)	/* no automount here */
			fd = -ENOENT;
	}
	free(text);
	return fd;
}

static int file_has(const char *path, const char *word)
{
	char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return !!strstr(text, word);
}

/*
 * Then tracefs has nothing in it, and kernels die of its unmount, which our
 * exit is: "list_del corruption" in tracefs_destroy_inode(), seen in 6.12 and
 * 7.3.  securityfs may not be mounted, so what was booted with counts too.
 */
static int is_locked_down(void)
{
	return file_has("/sys/kernel/security/lockdown", "[confidentiality]") ||
	       file_has("/proc/cmdline", "lockdown=confidentiality");
}

/*
 * A mount only we see.  Slave, not private: what the box mounts later still
 * reaches us, and nothing of ours reaches the box.
 */
static int open_own(void)
{
	if (is_locked_down())
		return -EOPNOTSUPP;
	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL))
		return -errno;
	if (mount("tracefs", USUAL, "tracefs",
		  MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return errno == ENOENT ? -ENODEV : -errno;
	return open_full(USUAL);
}

static int is_plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') &&
	       strlen(name) < 128;
}

int tracefs_event_id(int tracefs_fd, const char *system, const char *event,
		     uint64_t *id)
{
	char path[300], text[32];
	ssize_t n;
	int fd;

	if (!is_plain(system) || !is_plain(event))
		return -EINVAL;
	snprintf(path, sizeof(path), "events/%s/%s/id", system, event);
	fd = openat(tracefs_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return -ENODATA;
	text[n] = '\0';
	return sscanf(text, "%" SCNu64, id) == 1 ? 0 : -ENODATA;
}

int tracefs_open(struct tracefs_why *w)
{
	int fd = open_mounted();

	if (fd == -ENOENT && !geteuid())
		fd = open_own();
	return fd < 0 ? tracefs_refuse(-fd, w) : fd;
}
