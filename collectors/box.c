/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does this box let us see?  Privileges and limits, one health item each;
 * no readings.  doctor prints them; a recording keeps them.
 *
 * The items "user" and "guest" are notes for the first line of doctor.
 */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "collectors.h"
#include "tracefs.h"

#define CAP_BIT(n) (1ull << (n))

/* include/uapi/linux/capability.h */
enum { CAP_OF_PTRACE = 19, CAP_OF_ADMIN = 21, CAP_OF_RESOURCE = 24,
       CAP_OF_SYSLOG = 34, CAP_OF_PERFMON = 38, CAP_OF_BPF = 39 };

enum { TEXT_MAX = 8192, UNKNOWN = -99 };

struct box {
	const struct env *env;
	unsigned long long caps;
	char status[TEXT_MAX];	/* self/status */
};

/* ---- reading ---------------------------------------------------------- */

/* The beginning of a small file; "" and -errno if it cannot be read. */
static int text_read(int dir, const char *path, char *buf, size_t n)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t len = fd < 0 ? -1 : read(fd, buf, n - 1);
	int err = len < 0 ? -errno : 0;

	buf[len > 0 ? len : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return err;
}

static long number_read(const struct box *b, const char *path)
{
	char text[32], *end;
	long v;

	text_read(b->env->proc_fd, path, text, sizeof(text));
	v = strtol(text, &end, 10);
	return end == text ? UNKNOWN : v;
}

static unsigned long long status_number(const struct box *b, const char *key,
					int base)
{
	const char *p = strstr(b->status, key);

	return p ? strtoull(p + strlen(key), NULL, base) : 0;
}

static int box_may(const struct box *b, int cap)
{
	return !!(b->caps & CAP_BIT(cap));
}

static int box_may_trace(const struct box *b)
{
	return box_may(b, CAP_OF_PERFMON) || box_may(b, CAP_OF_ADMIN);
}

#define SAY(b, part, level, remedy, ...)				\
	health_set((b)->env->health, "box", (part), 0, -1, (level), 0,	\
		   (remedy), __VA_ARGS__)

/* ---- the facts -------------------------------------------------------- */

static void say_user(struct box *b)
{
	const struct passwd *pw = getpwuid(geteuid());

	if (pw)
		SAY(b, "user", HEALTH_OK, NULL, "%s", pw->pw_name);
	else
		SAY(b, "user", HEALTH_OK, NULL, "uid %u", geteuid());
}

/* Hypervisors that offer a clock are known by its name. */
static void say_guest(struct box *b)
{
	static const char *const known[][2] = {
		{ "kvm-clock", "KVM" }, { "hyperv", "Hyper-V" },
		{ "xen", "Xen" },
	};
	char text[TEXT_MAX];
	size_t i;

	text_read(b->env->sys_fd, "devices/system/clocksource/clocksource0/"
		  "available_clocksource", text, sizeof(text));
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(text, known[i][0])) {
			SAY(b, "guest", HEALTH_OK, NULL, "guest (%s)",
			    known[i][1]);
			return;
		}
	text_read(b->env->proc_fd, "cpuinfo", text, sizeof(text));
	if (strstr(text, " hypervisor"))
		SAY(b, "guest", HEALTH_OK, NULL, "guest");
	else
		SAY(b, "guest", HEALTH_OK, NULL, "no sign of a hypervisor");
}

static void say_privileges(struct box *b)
{
	static const struct { int cap; const char *name; } wanted[] = {
		{ CAP_OF_BPF, "CAP_BPF" },
		{ CAP_OF_PERFMON, "CAP_PERFMON" },
		{ CAP_OF_SYSLOG, "CAP_SYSLOG" },
		{ CAP_OF_PTRACE, "CAP_SYS_PTRACE" },
	};
	char missing[64] = "";
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (box_may(b, wanted[i].cap) ||
		    (wanted[i].cap >= CAP_OF_PERFMON &&
		     box_may(b, CAP_OF_ADMIN)))
			continue;
		strcat(missing, " ");
		strcat(missing, wanted[i].name);
	}
	if (*missing)
		SAY(b, "privileges", HEALTH_PARTLY, "sudo stalltop",
		    "without%s: the kernel shows only part", missing);
	else
		SAY(b, "privileges", HEALTH_OK, NULL,
		    "CAP_BPF, CAP_PERFMON, CAP_SYSLOG, CAP_SYS_PTRACE");
}

static void say_engine(struct box *b)
{
	static const char *const words[] = {
		[ENGINE_PERF] = "--engine perf: nothing is loaded into the "
				"kernel",
		[ENGINE_BPF] = "--engine bpf: what cannot run in the kernel "
			       "is absent",
	};
	const char *asked = words[b->env->opt->engine];

	if (asked)
		SAY(b, "engine", HEALTH_NOTE, NULL, "%s", asked);
}

static void say_paranoid(struct box *b)
{
	long v = number_read(b, "sys/kernel/perf_event_paranoid");

	if (v == UNKNOWN)
		SAY(b, "perf_event_paranoid", HEALTH_ABSENT, NULL,
		    "cannot be read: a kernel without perf events?");
	else if (v < 0 || box_may_trace(b))
		SAY(b, "perf_event_paranoid", HEALTH_OK, NULL, "%ld%s", v,
		    v < 0 ? ": all may trace" : ", does not bind us");
	else
		SAY(b, "perf_event_paranoid", HEALTH_PARTLY,
		    "sudo sysctl kernel.perf_event_paranoid=-1",
		    "%ld: without CAP_PERFMON %s", v,
		    v > 2 ? "no event at all" :
		    v > 1 ? "only own tasks, in user mode" :
		    v > 0 ? "only own tasks" : "no raw tracepoint data");
}

/* kallsyms_show_value(), kernel/ksyms_common.c: 0 shows to all when
 * perf_event_paranoid <= 1, 1 and below to CAP_SYSLOG, 2 to nobody. */
static void say_kptr(struct box *b)
{
	long v = number_read(b, "sys/kernel/kptr_restrict");
	long paranoid = number_read(b, "sys/kernel/perf_event_paranoid");

	if (v == UNKNOWN)
		SAY(b, "kptr_restrict", HEALTH_NOTE, NULL, "cannot be read");
	else if (v > 1)
		SAY(b, "kptr_restrict", HEALTH_PARTLY,
		    "sudo sysctl kernel.kptr_restrict=1", "%ld: kernel "
		    "addresses are hidden from all, functions have no names",
		    v);
	else if (box_may(b, CAP_OF_SYSLOG) || (!v && paranoid <= 1))
		SAY(b, "kptr_restrict", HEALTH_OK, NULL,
		    "%ld, functions have names", v);
	else
		SAY(b, "kptr_restrict", HEALTH_PARTLY, "sudo stalltop",
		    "%ld: without CAP_SYSLOG functions have no names", v);
}

static void say_nofile(struct box *b)
{
	struct rlimit r;
	unsigned long want = 64 + 32ul * b->env->host->cpus;

	getrlimit(RLIMIT_NOFILE, &r);
	if (r.rlim_max >= want || box_may(b, CAP_OF_RESOURCE))
		SAY(b, "nofile", HEALTH_OK, NULL, "%llu descriptors%s",
		    (unsigned long long)r.rlim_max, r.rlim_max < want ?
		    ", raised when more are needed" : "");
	else
		SAY(b, "nofile", HEALTH_PARTLY, "ulimit -n 65536",
		    "%llu descriptors at most, %lu are wanted: one for each "
		    "event on each CPU", (unsigned long long)r.rlim_max, want);
}

static void say_mlock(struct box *b)
{
	long kb = number_read(b, "sys/kernel/perf_event_mlock_kb");

	if (kb == UNKNOWN)
		SAY(b, "perf_event_mlock_kb", HEALTH_NOTE, NULL,
		    "cannot be read");
	else if (kb >= 512 || box_may(b, CAP_OF_PERFMON))
		SAY(b, "perf_event_mlock_kb", HEALTH_OK, NULL,
		    "%ld kB for each CPU%s", kb, kb < 512 ?
		    ", does not bind us" : "");
	else
		SAY(b, "perf_event_mlock_kb", HEALTH_PARTLY,
		    "sudo sysctl kernel.perf_event_mlock_kb=516",
		    "%ld kB for each CPU: rings are smaller", kb);
}

/* What stalltop mounts for itself alone is not below env->sys_fd. */
static void say_tracefs_own(struct box *b)
{
	struct tracefs_why why;
	int fd = b->env->rooted ? -ENOENT : tracefs_open(&why);

	if (fd < 0) {
		SAY(b, "tracefs", HEALTH_ABSENT, "sudo mount -t tracefs "
		    "tracefs /sys/kernel/tracing", "not mounted");
		return;
	}
	close(fd);
	SAY(b, "tracefs", HEALTH_OK, NULL,
	    "not mounted; stalltop has mounted it for itself alone");
}

static void say_tracefs(struct box *b)
{
	static const char *const places[] = {
		"kernel/tracing/events", "kernel/debug/tracing/events",
	};
	char path[64];
	size_t i;
	int err = ENOENT;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		strcpy(path, places[i]);
		strcat(path, "/sched");
		if (!faccessat(b->env->sys_fd, path, R_OK, 0)) {
			SAY(b, "tracefs", HEALTH_OK, NULL, "readable");
			return;
		}
		err = errno == EACCES ? EACCES : err;
	}
	if (err == EACCES)
		SAY(b, "tracefs", HEALTH_PARTLY, "sudo stalltop",
		    "only root may read it");
	else
		say_tracefs_own(b);
}

/* "none [integrity] confidentiality"; absent: no lockdown in this kernel. */
static void say_lockdown(struct box *b)
{
	char text[128];

	text_read(b->env->sys_fd, "kernel/security/lockdown", text,
		  sizeof(text));
	if (strstr(text, "[confidentiality]"))
		SAY(b, "lockdown", HEALTH_PARTLY, "boot without lockdown="
		    "confidentiality", "confidentiality: no perf, no kernel "
		    "addresses");
	else if (strstr(text, "[integrity]"))
		SAY(b, "lockdown", HEALTH_OK, NULL, "integrity, which does "
		    "not bind us");
	else
		SAY(b, "lockdown", HEALTH_OK, NULL, "none");
}

static void say_seccomp(struct box *b)
{
	if (status_number(b, "Seccomp:", 10))
		SAY(b, "seccomp", HEALTH_NOTE, "docker run --security-opt "
		    "seccomp=unconfined ...", "a filter is on: it may refuse "
		    "perf_event_open and bpf as EPERM");
	else
		SAY(b, "seccomp", HEALTH_OK, NULL, "no filter");
}

/* ---- the collector ---------------------------------------------------- */

static void (*const facts[])(struct box *b) = {
	say_user, say_guest, say_engine, say_privileges, say_paranoid,
	say_kptr, say_nofile, say_mlock, say_tracefs, say_lockdown,
	say_seccomp,
};

/* Once: what changes later shows in the collectors it binds. */
static int box_open(void **state, const struct env *env)
{
	struct box b = { .env = env };
	size_t i;

	*state = NULL;
	text_read(env->proc_fd, "self/status", b.status, sizeof(b.status));
	b.caps = status_number(&b, "CapEff:", 16);
	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		facts[i](&b);
	return 0;
}

static int box_collect(void *state, struct sample *s)
{
	(void)state;
	(void)s;
	return 0;
}

static void box_close(void *state)
{
	(void)state;
}

const struct collector box_collector = {
	.name = "box",
	.needs = "privileges and limits",
	.live_only = 1,
	.open = box_open,
	.collect = box_collect,
	.close = box_close,
};
