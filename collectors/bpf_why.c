// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why is a BPF program refused here, in words, and what would help?
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/capability.h>
#include "bpf_why.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38		/* since 5.8 */
#define CAP_BPF 39
#endif

void bpf_why_set(struct bpf_why *why, int err, const char *remedy,
		 const char *fmt, ...)
{
	va_list ap;

	why->err = err;
	va_start(ap, fmt);
	vsnprintf(why->why, sizeof(why->why), fmt, ap);
	va_end(ap);
	snprintf(why->remedy, sizeof(why->remedy), "%s", remedy ? remedy : "");
}

int bpf_why_not_asked(struct bpf_why *why)
{
	bpf_why_set(why, -ECANCELED, NULL, "not asked for: --engine perf");
	return why->err;
}

/* A small file below a folder's descriptor; "" when it cannot be read. */
static const char *small_read(int dir, const char *path, char *buf, size_t n)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, buf, n - 1);

	if (fd >= 0)
		close(fd);
	buf[got > 0 ? got : 0] = '\0';
	return buf;
}

int bpf_why_capable(const struct env *env, unsigned cap)
{
	char text[4096];
	const char *at = strstr(small_read(env->proc_fd, "self/status", text,
					   sizeof(text)), "\nCapEff:");
	unsigned long long set = at ? strtoull(at + 8, NULL, 16) : 0;

	return set >> cap & 1;
}

static int is_locked_down(const struct env *env)
{
	char text[128];

	return strstr(small_read(env->sys_fd, "kernel/security/lockdown", text,
				 sizeof(text)), "[confidentiality]") != NULL;
}

void bpf_why_refused(struct bpf_why *why, const struct env *env, int err)
{
	char text[16];
	int admin = bpf_why_capable(env, CAP_SYS_ADMIN);

	if (err == -ENOSYS)
		bpf_why_set(why, err, "a kernel with CONFIG_BPF_SYSCALL",
			    "the kernel has no bpf(2)");
	else if (!admin && (!bpf_why_capable(env, CAP_BPF) ||
			    !bpf_why_capable(env, CAP_PERFMON)))
		bpf_why_set(why, err, "run it as root, or: setcap "
			    "cap_bpf,cap_perfmon,cap_syslog=ep stalltop",
			    "bpf(2) needs CAP_BPF and CAP_PERFMON "
			    "(kernel.unprivileged_bpf_disabled %.1s)",
			    *small_read(env->proc_fd,
					"sys/kernel/unprivileged_bpf_disabled",
					text, sizeof(text)) ? text : "?");
	else if (is_locked_down(env))
		bpf_why_set(why, err, "boot without lockdown=confidentiality",
			    "kernel lockdown (confidentiality) keeps BPF from "
			    "reading the kernel");
	else
		bpf_why_set(why, err, NULL, "bpf(2): %s", strerror(-err));
}

/* What every log ends with says nothing. */
static int line_is_dull(const char *line)
{
	static const char *const dull[] = {
		"processed ", "verification time", "stack depth", "max_states",
		"insns ",
	};
	size_t i;

	for (i = 0; i < sizeof(dull) / sizeof(dull[0]); i++)
		if (!strncmp(line, dull[i], strlen(dull[i])))
			return 1;
	return !*line;
}

const char *bpf_why_line(const char *log, char *buf, size_t n)
{
	const char *at = log, *end;
	char line[256];

	*buf = '\0';
	for (; *at; at = *end ? end + 1 : end) {
		end = strchrnul(at, '\n');
		snprintf(line, sizeof(line), "%.*s", (int)(end - at), at);
		if (!line_is_dull(line))
			snprintf(buf, n, "%s", line);
	}
	return buf;
}

void bpf_why_program(struct bpf_why *why, int err, const char *program,
		     const char *log)
{
	char line[160];

	if (*bpf_why_line(log, line, sizeof(line)))
		bpf_why_set(why, err, NULL, "program %s refused: %s: %s",
			    program, strerror(-err), line);
	else
		bpf_why_set(why, err, NULL, "program %s refused: %s", program,
			    strerror(-err));
}
