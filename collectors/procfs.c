// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How is a small text file of /proc or /sys read whole, again and again, and
 * cut into lines, words and numbers?  A failed read leaves no text behind, so
 * an old value can never pass for a new one.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "procfs.h"

enum { FIRST_CAP = 16384 };

static const struct {
	int err;
	const char *why, *remedy;
} reasons[] = {
	{ EACCES, "may not be read", "run as root" },
	{ EPERM, "may not be read", "run as root" },
	{ ENOENT, "does not exist", NULL },
	{ ENODATA, "is empty", NULL },
	{ EISDIR, "is a directory", NULL },
	{ ENOTDIR, "is not below a directory", NULL },
	{ EFBIG, "is larger than 64 MiB", NULL },
	{ EINVAL, "is not a file of the kernel's format", NULL },
	{ ENXIO, "is not a regular file", NULL },
	{ EOPNOTSUPP, "is switched off in this kernel", NULL },
	{ EMFILE, "no descriptor is left", "ulimit -n 65536" },
};

static const char *root_name(const struct procfs_file *f)
{
	const struct options *opt = f->env->opt;

	if (f->in_sys)
		return opt && opt->sys ? opt->sys : "/sys";
	return opt && opt->proc ? opt->proc : "/proc";
}

static int file_root(const struct procfs_file *f)
{
	return f->in_sys ? f->env->sys_fd : f->env->proc_fd;
}

/* Only the running kernel's own files may keep their descriptor. */
static int is_live(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return 0;
	return fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC;
}

static int file_open(struct procfs_file *f)
{
	struct stat st;
	int err = 0;

	if (f->open)
		return 0;
	/* O_NONBLOCK: the open of a FIFO does not wait for its writer */
	f->fd = openat(file_root(f), f->path,
		       O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (f->fd < 0)
		return -errno;
	f->open = 1;
	if (fstat(f->fd, &st))
		err = -errno;
	else if (S_ISDIR(st.st_mode))
		err = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		err = -ENXIO;
	f->live = is_live(f->fd);
	return err;
}

static void file_close(struct procfs_file *f)
{
	if (f->open)
		close(f->fd);
	f->open = 0;
}

/* Room for at least one byte more and the NUL. */
static int file_grow(struct procfs_file *f)
{
	size_t cap = f->cap ? f->cap * 2 : FIRST_CAP;
	char *buf;

	if (f->len + 1 < f->cap)
		return 0;
	if (f->len >= PROCFS_MAX)
		return -EFBIG;
	buf = realloc(f->buf, cap);
	if (!buf)
		return -ENOMEM;
	f->buf = buf;
	f->cap = cap;
	return 0;
}

static int file_fill(struct procfs_file *f)
{
	ssize_t n;
	int err;

	f->len = 0;
	do {
		err = file_grow(f);
		if (err)
			return err;
		n = pread(f->fd, f->buf + f->len, f->cap - f->len - 1,
			  (off_t)f->len);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			f->len += (size_t)n;
	} while (n);
	f->buf[f->len] = '\0';
	return f->len ? 0 : -ENODATA;
}

void procfs_report(const struct procfs_file *f, int err)
{
	const char *why = strerror(err < 0 ? -err : err), *remedy = NULL;
	size_t i;

	err = err < 0 ? -err : err;
	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].err == err) {
			why = reasons[i].why;
			remedy = reasons[i].remedy;
		}
	}
	if (err == ENOENT && f->missing) {
		why = f->missing;
		remedy = f->remedy;
	}
	for (i = 0; i < 2; i++)
		if (!i || f->about[i])
			health_set(f->env->health, f->collector, f->part,
				   f->about[i], -1, HEALTH_ABSENT, err, remedy,
				   "%s/%s: %s", root_name(f), f->path, why);
}

void procfs_clear(const struct procfs_file *f)
{
	size_t i;

	for (i = 0; i < 2; i++)
		health_clear(f->env->health, f->collector, f->part,
			     f->about[i], -1);
}

ssize_t procfs_read(struct procfs_file *f)
{
	int err = file_open(f);

	if (!err)
		err = file_fill(f);
	if (err || f->env->rooted || !f->live)
		file_close(f);
	if (!err)
		return (ssize_t)f->len;
	f->len = 0;
	procfs_report(f, err);
	return err;
}

void procfs_free(struct procfs_file *f)
{
	file_close(f);
	free(f->buf);
	f->buf = NULL;
	f->len = f->cap = 0;
}

int procfs_exists(const struct env *env, const char *path)
{
	struct stat st;

	return !fstatat(env->proc_fd, path, &st, 0);
}

int procfs_next_line(const char **at, const char *end, struct procfs_line *l)
{
	const char *nl;

	if (*at >= end)
		return 0;
	nl = memchr(*at, '\n', (size_t)(end - *at));
	if (!nl)
		return 0;
	l->p = *at;
	l->end = nl;
	*at = nl + 1;
	return 1;
}

static const char *skip_blanks(const struct procfs_line *l)
{
	const char *p = l->p;

	while (p < l->end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

int procfs_take_u64(struct procfs_line *l, uint64_t *v)
{
	const char *start = skip_blanks(l), *p = start;
	uint64_t n = 0;
	unsigned digit;

	for (; p < l->end && *p >= '0' && *p <= '9'; p++) {
		digit = (unsigned)(*p - '0');
		if (n > UINT64_MAX / 10 ||
		    (n == UINT64_MAX / 10 && digit > UINT64_MAX % 10))
			return 0;
		n = n * 10 + digit;
	}
	if (p == start || (p < l->end && *p != ' ' && *p != '\t'))
		return 0;
	*v = n;
	l->p = p;
	return 1;
}

size_t procfs_take_word(struct procfs_line *l, const char **word)
{
	const char *p = skip_blanks(l);

	*word = p;
	while (p < l->end && *p != ' ' && *p != '\t')
		p++;
	l->p = p;
	return (size_t)(p - *word);
}

int procfs_cpu_number(const char *word, size_t len, const char *prefix)
{
	size_t skip = strlen(prefix);
	int n = 0;

	if (len <= skip || memcmp(word, prefix, skip))
		return -1;
	for (; skip < len; skip++) {
		if (word[skip] < '0' || word[skip] > '9')
			return -1;
		n = n * 10 + (word[skip] - '0');
		if (n >= PROCFS_CPUS)
			return -1;
	}
	return n;
}
