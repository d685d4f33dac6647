// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why is a BPF program refused here, in words, and what would help?
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
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

/* Capabilities count only where the machine's own ids are seen: elsewhere
 * uid_map has another line than "0 0 4294967295" (user_namespaces(7)). */
static int is_user_namespace(const struct env *env)
{
	unsigned long long inside, outside, n;
	char text[128];

	return sscanf(small_read(env->proc_fd, "self/uid_map", text,
				 sizeof(text)), "%llu %llu %llu", &inside,
		      &outside, &n) == 3 &&
	       (inside || outside || n != UINT32_MAX);
}

static int is_filtered(const struct env *env)
{
	char text[4096];
	const char *at = strstr(small_read(env->proc_fd, "self/status", text,
					   sizeof(text)), "\nSeccomp:");

	return at && strtoul(at + sizeof("\nSeccomp:") - 1, NULL, 10) == 2;
}

static void say_locked_down(struct bpf_why *why, int err)
{
	bpf_why_set(why, err, "boot without lockdown=confidentiality",
		    "kernel lockdown (confidentiality) keeps BPF from reading "
		    "the kernel");
}

static void say_old(struct bpf_why *why, const struct env *env, int err)
{
	bpf_why_set(why, err, "a kernel of 5.8 or later", "kernel %s is too "
		    "old for it: no ring buffer of BPF (5.8)",
		    env->host ? env->host->release : "?");
}

/* This program's path, if a shell would take it as it is. */
static const char *own_path(const struct env *env, char *buf, size_t n)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-";
	ssize_t len = readlinkat(env->proc_fd, "self/exe", buf, n - 1);

	buf[len > 0 ? len : 0] = '\0';
	return *buf && !buf[strspn(buf, plain)] ? buf : "stalltop";
}

static void say_uncapable(struct bpf_why *why, const struct env *env, int err)
{
	char text[16], path[128], remedy[HEALTH_WHY];

	snprintf(remedy, sizeof(remedy), "sudo setcap "
		 "cap_bpf,cap_perfmon,cap_syslog=ep %s",
		 own_path(env, path, sizeof(path)));
	small_read(env->proc_fd, "sys/kernel/unprivileged_bpf_disabled", text,
		   sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	bpf_why_set(why, err, remedy, "bpf(2) needs CAP_BPF and CAP_PERFMON "
		    "(kernel.unprivileged_bpf_disabled is %s)",
		    *text ? text : "not known");
}

static int may_all(const struct env *env)
{
	return bpf_why_capable(env, CAP_SYS_ADMIN) ||
	       (bpf_why_capable(env, CAP_BPF) &&
		bpf_why_capable(env, CAP_PERFMON));
}

void bpf_why_refused(struct bpf_why *why, const struct env *env, int err)
{
	if (err == -ENOSYS)
		bpf_why_set(why, err, "a kernel with CONFIG_BPF_SYSCALL",
			    "the kernel has no bpf(2)");
	else if (err == -EINVAL || err == -EOPNOTSUPP)
		say_old(why, env, err);
	else if (!may_all(env))
		say_uncapable(why, env, err);
	else if (is_user_namespace(env))
		bpf_why_set(why, err, "run it as the machine's root",
			    "bpf(2): %s: root of a user namespace is not the "
			    "machine's", strerror(-err));
	else if (is_filtered(env))
		bpf_why_set(why, err, "docker run --security-opt "
			    "seccomp=unconfined ...", "bpf(2): %s: a seccomp "
			    "filter is on", strerror(-err));
	else
		bpf_why_set(why, err, NULL, "bpf(2): %s", strerror(-err));
}

int bpf_why_kernel(struct bpf_why *why, const struct env *env)
{
	int err;

	if (is_locked_down(env)) {
		say_locked_down(why, -EPERM);
		return why->err;
	}
	if (!faccessat(env->sys_fd, "kernel/btf/vmlinux", R_OK, 0))
		return 0;
	err = -errno;
	bpf_why_set(why, err, "a kernel with CONFIG_DEBUG_INFO_BTF",
		    "the kernel does not describe its types: "
		    "/sys/kernel/btf/vmlinux: %s", strerror(-err));
	return err;
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

/* What an errno means when a program is loaded or attached; others as in
 * errno(3). */
static const char *program_error(int err)
{
	switch (-err) {
	case ESRCH:		/* libbpf looks it up by name */
		return "this kernel has nothing of that name to attach to";
	case 524:		/* ENOTSUPP of the kernel */
		return "this kernel cannot attach it";
	default:
		return strerror(-err);
	}
}

/* That function is in every kernel of 5.5 and later, and only lockdown hides
 * it: bpf_tracing_func_proto(), kernel/trace/bpf_trace.c.  The words before it
 * are check_helper_call()'s, until 6.8 and since.  libbpf, not finding it, has
 * put bpf_probe_read() in its place. */
static int is_hidden_function(const char *line)
{
	return (strstr(line, "unknown func ") ||
		strstr(line, "cannot use helper ")) &&
	       strstr(line, "bpf_probe_read");
}

void bpf_why_program(struct bpf_why *why, int err, const char *program,
		     const char *log)
{
	char line[160];

	bpf_why_line(log, line, sizeof(line));
	if (is_hidden_function(line))
		say_locked_down(why, err);
	else
		bpf_why_set(why, err, NULL, "program %s refused: %s%s%s",
			    program, program_error(err), *line ? ": " : "",
			    line);
}
