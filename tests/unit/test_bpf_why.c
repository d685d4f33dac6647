/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a refusal of the in-kernel engine name its true cause?  The box is a
 * folder with the few files that decide.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bpf_why.h"
#include "test.h"

static const char ALL[] = "000001ffffffffff", NONE[] = "0000000000000000";
static const char ADMIN[] = "0000000000200000";		/* 21 */
static const char BPF_ONLY[] = "0000008000000000";	/* 39 */
static const char BPF_PERFMON[] = "000000c000000000";	/* 38, 39 */
static const char OWN_IDS[] = "         0          0 4294967295\n";

static char dir[] = "/tmp/stalltop-why.XXXXXX";
static struct options opt;
static struct host host = { .release = "5.4.0-test" };
static struct env env = { .opt = &opt, .host = &host };
static struct bpf_why why;

static void put(const char *path, const char *text)
{
	char full[128], *slash;
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	for (slash = strchr(full + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	f = fopen(full, "w");
	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

static void drop(const char *path)
{
	char full[128];

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	unlink(full);
}

static void box_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command))
		puts("the folder of the test is left behind");
}

/* A box of one folder that may do so much, under such a filter. */
static void box(const char *caps, int seccomp)
{
	char status[256];

	if (strstr(dir, "XXXXXX")) {
		CHECK(mkdtemp(dir) && !atexit(box_remove));
		env.proc_fd = open(dir, O_PATH | O_DIRECTORY);
		env.sys_fd = env.proc_fd;
	}
	snprintf(status, sizeof(status), "Name:\tx\nCapPrm:\t%s\nCapEff:\t%s\n"
		 "NoNewPrivs:\t0\nSeccomp:\t%d\n", NONE, caps, seccomp);
	put("self/status", status);
	put("self/uid_map", OWN_IDS);
	put("sys/kernel/unprivileged_bpf_disabled", "2\n");
	put("kernel/btf/vmlinux", "x");
	put("kernel/security/lockdown",
	    "[none] integrity confidentiality\n");
	memset(&why, 0, sizeof(why));
}

static void said(const char *words, const char *remedy)
{
	if (!strstr(why.why, words))
		FAIL("says \"%s\", not \"%s\"", why.why, words);
	if (remedy ? !strstr(why.remedy, remedy) : *why.remedy)
		FAIL("\"%s\": remedy is \"%s\"", why.why, why.remedy);
}

TEST(why_capabilities_are_the_effective_ones)
{
	box(BPF_PERFMON, 0);
	CHECK(bpf_why_capable(&env, 38) && bpf_why_capable(&env, 39));
	CHECK(!bpf_why_capable(&env, 21));
	box(NONE, 0);
	CHECK(!bpf_why_capable(&env, 39));
	drop("self/status");
	CHECK(!bpf_why_capable(&env, 39));
}

TEST(why_without_privilege)
{
	static const char *const caps[] = { NONE, BPF_ONLY };
	size_t i;

	for (i = 0; i < 2; i++) {
		box(caps[i], 2);	/* the filter is not to blame */
		bpf_why_refused(&why, &env, -EPERM);
		CHECK_EQ_INT(why.err, -EPERM);
		said("needs CAP_BPF and CAP_PERFMON "
		     "(kernel.unprivileged_bpf_disabled is 2)", "setcap");
	}
	put("sys/kernel/unprivileged_bpf_disabled", "0\n");
	bpf_why_refused(&why, &env, -EPERM);
	said("unprivileged_bpf_disabled is 0)", "setcap");
	drop("sys/kernel/unprivileged_bpf_disabled");
	bpf_why_refused(&why, &env, -EPERM);
	said("unprivileged_bpf_disabled is not known)", "setcap");
}

TEST(why_the_remedy_names_this_program)
{
	char full[128];

	box(NONE, 0);
	bpf_why_refused(&why, &env, -EPERM);
	said("needs CAP_BPF", "=ep stalltop");
	snprintf(full, sizeof(full), "%s/self/exe", dir);
	CHECK(!symlink("/opt/bin/stalltop-0.1", full));
	bpf_why_refused(&why, &env, -EPERM);
	said("needs CAP_BPF", "=ep /opt/bin/stalltop-0.1");
	unlink(full);
	CHECK(!symlink("/opt/all of it/stalltop", full));
	bpf_why_refused(&why, &env, -EPERM);
	said("needs CAP_BPF", "=ep stalltop");
	unlink(full);
}

TEST(why_with_privilege)
{
	static const char *const caps[] = { ALL, ADMIN, BPF_PERFMON };
	size_t i;

	for (i = 0; i < 3; i++) {
		box(caps[i], 0);
		bpf_why_refused(&why, &env, -EPERM);
		said("bpf(2): Operation not permitted", NULL);
		box(caps[i], 2);
		bpf_why_refused(&why, &env, -EPERM);
		said("a seccomp filter is on", "seccomp=unconfined");
		put("self/uid_map", "         0       1000          1\n");
		bpf_why_refused(&why, &env, -EPERM);
		said("user namespace", "the machine's root");
	}
}

TEST(why_an_old_kernel)
{
	box(ALL, 0);
	bpf_why_refused(&why, &env, -ENOSYS);
	said("no bpf(2)", "CONFIG_BPF_SYSCALL");
	bpf_why_refused(&why, &env, -EOPNOTSUPP);
	said("kernel 5.4.0-test is too old", "5.8 or later");
	bpf_why_refused(&why, &env, -EINVAL);
	said("too old", "5.8 or later");
}

TEST(why_a_kernel_without_types_or_locked_down)
{
	box(ALL, 0);
	CHECK_EQ_INT(bpf_why_kernel(&why, &env), 0);
	drop("kernel/btf/vmlinux");
	CHECK_EQ_INT(bpf_why_kernel(&why, &env), -ENOENT);
	said("/sys/kernel/btf/vmlinux: No such file", "CONFIG_DEBUG_INFO_BTF");
	box(ALL, 0);
	put("kernel/security/lockdown",
	    "none [integrity] confidentiality\n");
	CHECK_EQ_INT(bpf_why_kernel(&why, &env), 0);
	put("kernel/security/lockdown",
	    "none integrity [confidentiality]\n");
	CHECK_EQ_INT(bpf_why_kernel(&why, &env), -EPERM);
	said("lockdown (confidentiality)", "boot without lockdown");
	drop("kernel/security/lockdown");	/* securityfs is not mounted */
	CHECK_EQ_INT(bpf_why_kernel(&why, &env), 0);
}

/* Each as a kernel wrote it, between what it always writes. */
static const struct {
	const char *log, *line;
} logs[] = {
	{ "0: R1=ctx() R10=fp0\n0: (79) r0 = *(u64 *)(r2 +0)\nR2 !read_ok\n"
	  "processed 1 insns (limit 1000000) max_states_per_insn 0 "
	  "total_states 0 peak_states 0 mark_read 0\n", "R2 !read_ok" },
	{ "0: (b7) r1 = 0                        ; R1=0\n"
	  "R1 invalid mem access 'scalar'\nverification time 43 usec\n"
	  "stack depth 0\nprocessed 2 insns (limit 1000000) "
	  "max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0\n",
	  "R1 invalid mem access 'scalar'" },
	{ "R0 unbounded memory access, make sure to bounds check any such "
	  "access", "R0 unbounded memory access, make sure to bounds check "
	  "any such access" },
	{ "processed 0 insns (limit 1000000)\n", "" },
	{ "\n\n", "" }, { "", "" },
};

TEST(why_line_is_the_last_that_says_something)
{
	char line[160];
	size_t i;

	for (i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		CHECK_EQ_STR(bpf_why_line(logs[i].log, line, sizeof(line)),
			     logs[i].line);
	CHECK_EQ_STR(bpf_why_line(logs[0].log, line, 4), "R2 ");
}

TEST(why_a_program)
{
	bpf_why_program(&why, -EACCES, "sched_switch", logs[1].log);
	CHECK_EQ_INT(why.err, -EACCES);
	said("program sched_switch refused: Permission denied: R1 invalid mem "
	     "access 'scalar'", NULL);
	bpf_why_program(&why, -EPERM, "flush", "");
	CHECK_EQ_STR(why.why, "program flush refused: Operation not permitted");
	bpf_why_program(&why, -ESRCH, "flush", "");
	said("nothing of that name", NULL);
	bpf_why_program(&why, -524, "pipe_read", "");
	said("refused: this kernel cannot attach it", NULL);
}

TEST(why_a_program_under_lockdown)
{
	static const char *const log[] = {
		"3: (85) call bpf_probe_read_kernel#113\n"
		"unknown func bpf_probe_read_kernel#113\n",
		"program of this type cannot use helper "
		"bpf_probe_read_kernel#113\nprocessed 4 insns\n",
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		bpf_why_program(&why, -EINVAL, "sched_switch", log[i]);
		said("lockdown (confidentiality)", "boot without");
	}
	bpf_why_program(&why, -EINVAL, "sched_switch",
			"unknown func bpf_ktime_get_boot_ns#125\n");
	said("unknown func bpf_ktime_get_boot_ns#125", NULL);
}

TEST(why_it_was_not_asked_for)
{
	box(ALL, 0);
	opt.engine = ENGINE_PERF;
	CHECK_EQ_INT(bpf_possible(&env, &why), -ECANCELED);
	said("--engine perf", NULL);
	opt.engine = ENGINE_AUTO;
}

TEST_MAIN
