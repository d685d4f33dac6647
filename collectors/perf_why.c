/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why did the kernel refuse an event, and what would change its mind?
 *
 * perf_event_open(2) says EACCES for the paranoid level, EPERM for seccomp or
 * lockdown or a PMU that cannot exclude, ENOENT for an event no PMU has; so
 * the facts are gathered once and a table of rules, first match first, turns
 * (errno, facts) into words.  perf_event_paranoid: above -1 raw tracepoints,
 * above 0 whole CPUs, above 1 the kernel, above 2 (Debian's own) everything
 * needs CAP_PERFMON (5.8), before that CAP_SYS_ADMIN.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>
#include <linux/perf_event.h>
#include "perf.h"

#define SYSCTL "/proc/sys/kernel/"
#define CAP_BIT(n) (1ULL << (n))

enum { CAP_OF_ADMIN = 21, CAP_OF_PERFMON = 38, PARANOID_UNKNOWN = -99 };

struct facts {
	int paranoid;
	int may;		/* has CAP_PERFMON or CAP_SYS_ADMIN */
	int userns;		/* not the first user namespace */
	int seccomp;
	int lockdown;		/* confidentiality */
	int pmu;		/* the CPUs' own counters are there */
	int hardware;		/* the event asked for is one of these */
	int tracepoint;
	unsigned long nofile, mlock_kb, memlock_kb;
};

/* First line of a small file; "" if there is none. */
static void line_of(const char *path, char *buf, size_t n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, buf, n - 1);

	if (fd >= 0)
		close(fd);
	buf[len > 0 ? len : 0] = '\0';
}

/* The number after "key:" in /proc/self/status, or `without`. */
static unsigned long long status_of(const char *status, const char *key,
				    int base, unsigned long long without)
{
	const char *p = strstr(status, key);

	return p ? strtoull(p + strlen(key), NULL, base) : without;
}

int perf_paranoid(void)
{
	char text[32], *end;
	long level;

	line_of(SYSCTL "perf_event_paranoid", text, sizeof(text));
	level = strtol(text, &end, 10);
	return end == text ? PARANOID_UNKNOWN : (int)level;
}

/* arm64 calls its PMUs armv8_*, hybrid x86 cpu_core and cpu_atom. */
static int pmu_is_there(void)
{
	static const char *const name[] = { "cpu", "cpu_*", "arm*" };
	char path[64];
	glob_t g;
	size_t i;
	int found = 0;

	for (i = 0; !found && i < sizeof(name) / sizeof(*name); i++) {
		snprintf(path, sizeof(path),
			 "/sys/bus/event_source/devices/%s", name[i]);
		found = !glob(path, GLOB_NOSORT, NULL, &g);
		globfree(&g);
	}
	return found;
}

static int is_hardware(const struct perf_code *c)
{
	return c->type == PERF_TYPE_HARDWARE || c->type == PERF_TYPE_RAW ||
	       c->type == PERF_TYPE_HW_CACHE;
}

/* Only the first one maps all ids to themselves; a new one maps none. */
static int is_first_userns(void)
{
	unsigned long long inside, outside, count;
	char text[256];

	if (access("/proc/self/uid_map", F_OK))
		return 1;		/* a kernel without them */
	line_of("/proc/self/uid_map", text, sizeof(text));
	return sscanf(text, "%llu %llu %llu", &inside, &outside, &count) == 3 &&
	       !inside && !outside && count == UINT32_MAX;
}

static void facts_gather(struct facts *f, const struct perf_code *code)
{
	unsigned long long caps;
	char text[4096];
	struct rlimit r;

	memset(f, 0, sizeof(*f));
	f->paranoid = perf_paranoid();
	line_of("/proc/self/status", text, sizeof(text));
	caps = status_of(text, "CapEff:", 16, 0);
	f->may = !!(caps & (CAP_BIT(CAP_OF_ADMIN) | CAP_BIT(CAP_OF_PERFMON)));
	f->userns = !is_first_userns();
	f->seccomp = status_of(text, "Seccomp:", 10, 0) == 2;
	line_of("/sys/kernel/security/lockdown", text, sizeof(text));
	f->lockdown = !!strstr(text, "[confidentiality]");
	f->pmu = pmu_is_there();
	f->hardware = is_hardware(code);
	f->tracepoint = code->type == PERF_TYPE_TRACEPOINT;
	if (!getrlimit(RLIMIT_NOFILE, &r))
		f->nofile = r.rlim_cur;
	if (!getrlimit(RLIMIT_MEMLOCK, &r))
		f->memlock_kb = r.rlim_cur / 1024;
	line_of(SYSCTL "perf_event_mlock_kb", text, sizeof(text));
	f->mlock_kb = strtoul(text, NULL, 10);
}

static void say_paranoid(const struct facts *f, char *why, size_t n)
{
	int most = f->tracepoint ? -1 : 0;

	if (f->paranoid > 2)
		snprintf(why, n, "kernel.perf_event_paranoid is %d (no use "
			 "without CAP_PERFMON), needed: CAP_PERFMON or at most "
			 "%d", f->paranoid, most);
	else
		snprintf(why, n, "kernel.perf_event_paranoid is %d, needed: "
			 "CAP_PERFMON or at most %d", f->paranoid, most);
}

static void say_nofile(const struct facts *f, char *why, size_t n)
{
	snprintf(why, n, "no file descriptor left, the limit is %lu and each "
		 "event needs one per CPU", f->nofile);
}

static void say_mlock(const struct facts *f, char *why, size_t n)
{
	snprintf(why, n, "no memory for a ring buffer of even one page: "
		 "kernel.perf_event_mlock_kb is %lu for all perf users of this "
		 "uid, ulimit -l is %lu kB", f->mlock_kb, f->memlock_kb);
}

static int is_paranoid(const struct facts *f)
{
	return !f->may && f->paranoid > -1;
}

static int is_paranoid_raw(const struct facts *f)
{
	return f->tracepoint && is_paranoid(f);
}

/* Root there has every capability in name, and none that counts here. */
static int is_in_userns(const struct facts *f)
{
	return f->userns && f->may && f->paranoid > -1;
}

static int is_seccomp(const struct facts *f)
{
	return f->seccomp;
}

static int is_lockdown(const struct facts *f)
{
	return f->lockdown;
}

static int is_without_pmu(const struct facts *f)
{
	return f->hardware && !f->pmu;
}

static int is_tracepoint(const struct facts *f)
{
	return f->tracepoint;
}

static const char no_tracepoint[] = "this kernel has no such tracepoint";
static const char no_pmu[] = "no hardware PMU here, as in most virtual "
	"machines";
static const char virtual_pmu[] = "give this guest a virtual PMU (KVM: -cpu "
	"host,pmu=on); software events and tracepoints work without";

static const char in_userns[] = "root of a user namespace (a container) may "
	"not: kernel.perf_event_paranoid asks for CAP_PERFMON of the host";
static const char outside[] = "run it on the host, or there: sysctl "
	"kernel.perf_event_paranoid=-1";

/* is NULL: always.  say() makes the words of `why` if there are none. */
static const struct {
	int err;
	int (*is)(const struct facts *f);
	void (*say)(const struct facts *f, char *why, size_t n);
	const char *why, *remedy;
} rules[] = {
	{ EMFILE, NULL, say_nofile, NULL, "ulimit -n 65536" },
	{ ENFILE, NULL, NULL, "the system's file table is full",
	  "sysctl fs.file-max=1048576" },
	{ ENOBUFS, NULL, say_mlock, NULL,
	  "sysctl kernel.perf_event_mlock_kb=4096" },
	{ ENOSYS, is_seccomp, NULL, "a seccomp filter forbids perf_event_open",
	  "docker run --security-opt seccomp=unconfined --cap-add PERFMON" },
	{ ENOSYS, NULL, NULL, "this kernel has no perf events "
	  "(CONFIG_PERF_EVENTS)", "" },
	{ ENOENT, is_without_pmu, NULL, no_pmu, virtual_pmu },
	{ ENODEV, is_without_pmu, NULL, no_pmu, virtual_pmu },
	{ EOPNOTSUPP, is_without_pmu, NULL, no_pmu, virtual_pmu },
	{ EACCES, is_in_userns, NULL, in_userns, outside },
	{ EPERM, is_in_userns, NULL, in_userns, outside },
	{ EACCES, is_paranoid_raw, say_paranoid, NULL,
	  "run as root, or: sysctl kernel.perf_event_paranoid=-1" },
	{ EACCES, is_paranoid, say_paranoid, NULL,
	  "run as root, or: sysctl kernel.perf_event_paranoid=0" },
	{ EPERM, is_lockdown, NULL, "kernel lockdown (confidentiality) forbids "
	  "perf events", "boot with lockdown=integrity" },
	{ EPERM, is_seccomp, NULL, "a seccomp filter forbids perf_event_open",
	  "docker run --security-opt seccomp=unconfined --cap-add PERFMON" },
	{ EPERM, is_paranoid_raw, say_paranoid, NULL,
	  "run as root, or: sysctl kernel.perf_event_paranoid=-1" },
	{ EPERM, is_paranoid, say_paranoid, NULL,
	  "run as root, or: sysctl kernel.perf_event_paranoid=0" },
	{ ENOENT, is_tracepoint, NULL, no_tracepoint, "" },
	{ EINVAL, is_tracepoint, NULL, no_tracepoint, "" },
	{ ENOENT, NULL, NULL, "this CPU's PMU does not have the event", "" },
	{ EOPNOTSUPP, NULL, NULL, "this PMU cannot count or sample the event",
	  "" },
	{ EINVAL, NULL, NULL, "this kernel or PMU does not take the event's "
	  "description", "" },
	{ EBUSY, NULL, NULL, "another user holds the counters alone", "" },
	{ ENODEV, NULL, NULL, "no CPU online takes the event", "" },
};

void perf_why(int err, const struct perf_code *code, char *why, size_t nwhy,
	      char *remedy, size_t nremedy)
{
	struct facts f;
	size_t i;

	err = err < 0 ? -err : err;
	facts_gather(&f, code);
	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].err == err && (!rules[i].is || rules[i].is(&f)))
			break;
	if (i == sizeof(rules) / sizeof(*rules)) {
		snprintf(why, nwhy, "perf_event_open: %s", strerror(err));
		snprintf(remedy, nremedy, "%s", "");
		return;
	}
	if (rules[i].say)
		rules[i].say(&f, why, nwhy);
	else
		snprintf(why, nwhy, "%s", rules[i].why);
	snprintf(remedy, nremedy, "%s", rules[i].remedy);
}
