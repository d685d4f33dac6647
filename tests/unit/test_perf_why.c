/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a refusal name its true cause?  A child gives up what it has, and tells
 * what it is told.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "perf.h"
#include "perf_wants.h"
#include "test.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

enum { NOBODY = 65534 };

struct refusal {
	int err;
	unsigned pages;
	char why[240], remedy[240];
};

static void try_open(const struct perf_want *want, struct refusal *r)
{
	struct perf_group *g;

	memset(r, 0, sizeof(*r));
	r->err = perf_open(&g, want);
	if (r->err)
		perf_why(-r->err, &want->code, r->why, sizeof(r->why),
			 r->remedy, sizeof(r->remedy));
	else
		r->pages = perf_pages(g);
}

static void in_child(int (*give_up)(void), const struct perf_want *want,
		     struct refusal *r, size_t n)
{
	int fd[2];
	size_t i;
	pid_t pid;
	ssize_t got;

	CHECK(!pipe(fd));
	pid = fork();
	if (!pid) {
		if (give_up())
			_exit(1);
		for (i = 0; i < n; i++) {
			try_open(want, &r[i]);
			if (write(fd[1], &r[i], sizeof(*r)) != sizeof(*r))
				break;
		}
		_exit(0);
	}
	close(fd[1]);
	for (i = 0; i < n; i++) {
		got = read(fd[0], &r[i], sizeof(*r));
		if (got != sizeof(*r))
			break;
	}
	close(fd[0]);
	waitpid(pid, NULL, 0);
	if (i < n)
		SKIP("privileges cannot be given up here");
}

static int become_nobody(void)
{
	return setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY);
}

static int few_descriptors(void)
{
	int fd = dup(1);
	struct rlimit r = { .rlim_cur = (rlim_t)fd + 2,
			    .rlim_max = (rlim_t)fd + 2 };

	close(fd);
	return setrlimit(RLIMIT_NOFILE, &r);
}

static int soft_descriptors(void)
{
	struct rlimit r;
	int fd = dup(1);

	getrlimit(RLIMIT_NOFILE, &r);
	r.rlim_cur = (rlim_t)fd + 1;
	close(fd);
	return setrlimit(RLIMIT_NOFILE, &r);
}

static int no_locked_memory(void)
{
	struct rlimit r = { 0, 0 };

	return setrlimit(RLIMIT_MEMLOCK, &r) || become_nobody();
}

static int filtered(void)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { sizeof(f) / sizeof(*f), f };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p);
}

static int own_users(void)
{
	return unshare(CLONE_NEWUSER);
}

static int paranoid_set(int level)
{
	FILE *f = fopen(PARANOID, "we");
	int err;

	if (!f)
		return -1;
	fprintf(f, "%d\n", level);
	err = fclose(f);
	return err;
}

/* The level is the box's: put back before anything is checked. */
static void as_nobody(int level, int (*give_up)(void),
		      const struct perf_want *want, struct refusal *r, size_t n)
{
	int was = perf_paranoid();

	if (geteuid())
		SKIP("needs root: to become nobody");
	if (was == -99 || paranoid_set(level))
		SKIP("needs " PARANOID);
	in_child(give_up, want, r, n);
	paranoid_set(was);
}

static void check_why(const struct refusal *r, const char *why,
		      const char *remedy)
{
	if (!strstr(r->why, why) || !strstr(r->remedy, remedy))
		FAIL("error %d says \"%s; %s\"", r->err, r->why, r->remedy);
}

TEST(paranoid_levels_are_named)
{
	struct refusal r;

	as_nobody(4, become_nobody, &switches, &r, 1);
	CHECK_EQ_INT(r.err, -EACCES);
	check_why(&r, "perf_event_paranoid is 4", "perf_event_paranoid=0");
	as_nobody(2, become_nobody, &switches, &r, 1);
	CHECK_EQ_INT(r.err, -EACCES);
	check_why(&r, "perf_event_paranoid is 2", "perf_event_paranoid=0");
	as_nobody(-1, become_nobody, &switches, &r, 1);
	CHECK_EQ_INT(r.err, 0);
}

TEST(raw_tracepoints_need_less_paranoia)
{
	struct perf_want want = { .every = 61, .raw = 1, .pages = 1 };
	struct refusal r;

	want.code.type = PERF_TYPE_TRACEPOINT;
	want.code.config = sched_switch_or_skip();
	as_nobody(2, become_nobody, &want, &r, 1);
	CHECK_EQ_INT(r.err, -EACCES);
	check_why(&r, "at most -1", "perf_event_paranoid=-1");
	as_nobody(-1, become_nobody, &want, &r, 1);
	CHECK_EQ_INT(r.err, 0);
}

/* The first rings take perf_event_mlock_kb, which holds above level -1. */
TEST(rings_shrink_until_they_fit)
{
	struct perf_want want = switches;
	struct refusal r[4];
	size_t i;

	want.every = 1000000;
	want.pages = 64;
	as_nobody(0, no_locked_memory, &want, r, 4);
	for (i = 0; i < 4 && !r[i].err; i++)
		CHECK(r[i].pages > 0 && r[i].pages <= 64);
	if (i == 4)
		CHECK(r[3].pages < 64);
	else
		check_why(&r[i], "kernel.perf_event_mlock_kb is",
			  "sysctl kernel.perf_event_mlock_kb=");
	CHECK(i > 0 || r[0].err == -ENOBUFS);
}

TEST(descriptors_run_out_and_are_named)
{
	struct refusal r[8];
	size_t i;

	in_child(few_descriptors, &switches, r, 8);
	for (i = 0; i < 8 && !r[i].err; i++)
		;
	if (!i && r[0].err != -EMFILE)
		SKIP("cannot count");
	CHECK(i < 8);
	CHECK_EQ_INT(r[i].err, -EMFILE);
	check_why(&r[i], "no file descriptor left", "ulimit -n");
}

TEST(a_soft_limit_of_descriptors_is_raised)
{
	struct refusal r[8];

	in_child(soft_descriptors, &switches, r, 8);
	if (r[0].err && r[0].err != -EMFILE)
		SKIP("cannot count");
	CHECK_EQ_INT(r[7].err, 0);
}

TEST(a_seccomp_filter_is_named)
{
	struct refusal r;

	in_child(filtered, &switches, &r, 1);
	CHECK_EQ_INT(r.err, -EPERM);
	check_why(&r, "seccomp filter", "seccomp=unconfined");
}

TEST(root_of_a_user_namespace_is_told_so)
{
	struct refusal r;

	if (perf_paranoid() < 0)
		SKIP("kernel.perf_event_paranoid lets everybody");
	in_child(own_users, &switches, &r, 1);
	CHECK_EQ_INT(r.err, -EACCES);
	check_why(&r, "user namespace", "host");
}

TEST(a_missing_pmu_is_named)
{
	struct perf_group *g = open_or_skip(&switches);
	struct refusal r;

	perf_close(g);
	try_open(&cycles, &r);
	if (!r.err)
		SKIP("this box has a PMU");
	CHECK_EQ_INT(r.err, -ENOENT);
	check_why(&r, "no hardware PMU", "-cpu host,pmu=on");
}

TEST(a_missing_tracepoint_is_named)
{
	struct perf_want want = { .code = { .type = PERF_TYPE_TRACEPOINT,
					    .config = 999999 } };
	struct perf_group *g = open_or_skip(&switches);
	struct refusal r;

	perf_close(g);
	try_open(&want, &r);
	CHECK(r.err < 0);
	check_why(&r, "no such tracepoint", "");
}

TEST_MAIN
