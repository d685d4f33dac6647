/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does the program say where the kernel refuses its programs?
 *
 * Preloaded, it stands between libbpf and bpf(2) and refuses as the kernel that
 * REFUSE names would: "enosys" has no bpf(2), "eperm" lets nobody call it,
 * "old" has no ring buffer (before 5.8), "untyped" no BTF, "verifier" refuses
 * tracing programs with a log, "locked" and "locked612" with the logs of a
 * kernel that is locked down, until 6.8 and since.  "seccomp" is the kernel's
 * own refusal, by a filter.
 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define END "processed 2 insns (limit 1000000) max_states_per_insn 0 " \
	    "total_states 0 peak_states 0 mark_read 0\n"

static const struct {
	const char *name, *log;
	int err;
} logs[] = {
	{ "verifier", "0: R1=ctx() R10=fp0\n1: (79) r0 = *(u64 *)(r1 +8)\n"
	  "R1 invalid mem access 'scalar'\n" END, EACCES },
	{ "locked", "3: (85) call bpf_probe_read_kernel#113\n"
	  "unknown func bpf_probe_read_kernel#113\n" END, EINVAL },
	{ "locked612", "3: (85) call bpf_probe_read_kernel#113\nprogram of "
	  "this type cannot use helper bpf_probe_read_kernel#113\n" END,
	  EINVAL },
};

static int is(const char *name)
{
	const char *refuse = getenv("REFUSE");

	return refuse && !strcmp(refuse, name);
}

__attribute__((constructor)) static void filter_set(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog all = { 4, filter };

	if (is("seccomp") && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
			      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all)))
		_exit(99);
}

static int load_refuse(union bpf_attr *attr)
{
	size_t i;

	if (attr->prog_type != BPF_PROG_TYPE_TRACING ||
	    attr->expected_attach_type != BPF_TRACE_RAW_TP)
		return 0;
	for (i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		if (!is(logs[i].name))
			continue;
		if (attr->log_level && attr->log_size > strlen(logs[i].log))
			strcpy((char *)(uintptr_t)attr->log_buf, logs[i].log);
		return logs[i].err;
	}
	return 0;
}

static int bpf_refuse(long cmd, union bpf_attr *attr)
{
	if (is("enosys"))
		return ENOSYS;
	if (is("eperm"))
		return EPERM;
	if (is("old") && cmd == BPF_MAP_CREATE &&
	    attr->map_type == BPF_MAP_TYPE_RINGBUF)
		return EINVAL;
	return cmd == BPF_PROG_LOAD ? load_refuse(attr) : 0;
}

long syscall(long number, ...)
{
	long (*next)(long, ...) = (long (*)(long, ...))
				  dlsym(RTLD_NEXT, "syscall");
	long arg[6];
	va_list ap;
	size_t i;
	int err;

	va_start(ap, number);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(ap, long);
	va_end(ap);
	err = number == SYS_bpf ? bpf_refuse(arg[0], (void *)arg[1]) : 0;
	if (err) {
		errno = err;
		return -1;
	}
	return next(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

int faccessat(int dir, const char *path, int mode, int flags)
{
	int (*next)(int, const char *, int, int) =
		(int (*)(int, const char *, int, int))
		dlsym(RTLD_NEXT, "faccessat");

	if (is("untyped") && !strcmp(path, "kernel/btf/vmlinux")) {
		errno = ENOENT;
		return -1;
	}
	return next(dir, path, mode, flags);
}
