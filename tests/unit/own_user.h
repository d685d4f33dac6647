/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of own-user counters stand on: being a user that has no
 * process but the test's, the collector open, and processes with known needs.
 */
#ifndef OWN_USER_H
#define OWN_USER_H

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "collector.h"
#include "collectors.h"
#include "test.h"

enum { PAGES = 1000, BURN_MS = 300, USERS = 16 };

static struct options opt;
static struct names *names;
static struct health health;
static struct env env;
static struct sample sample;
static void *state;

/* ---- being that user ---------------------------------------------------- */

static unsigned user_nth;	/* another one in each test */

static uid_t user(void)
{
	static pid_t pid;

	pid = pid ? pid : getpid();
	return (1u << 30) + USERS * (uid_t)pid + user_nth;
}

static int user_become(void)
{
	uid_t uid = user();

	return setgroups(0, NULL) || setresgid(uid, uid, uid) ||
	       setresuid(uid, uid, uid) || prctl(PR_SET_DUMPABLE, 1);
}

/* Run the body as the user, in a child; its end is the test's. */
static void as_user(void (*body)(void))
{
	int status, how;
	pid_t pid;

	if (geteuid())
		SKIP("needs root, to become a user without processes");
	user();
	fflush(stdout);
	pid = fork();
	if (!pid) {
		how = setjmp(test_run.leave);
		if (!how && user_become())
			test_leave(TEST_SKIPPED, __FILE__, __LINE__,
				   "no such user here");
		if (!how)
			body();
		exit(how);	/* a leak check may stand there */
	}
	user_nth++;
	CHECK_EQ_INT(waitpid(pid, &status, 0), pid);
	CHECK(WIFEXITED(status));
	if (WEXITSTATUS(status) == TEST_SKIPPED)
		SKIP("see above");
	CHECK_EQ_INT(WEXITSTATUS(status), TEST_PASSED);
}

/* ---- the collector -------------------------------------------------------- */

static const struct health_item *item(const char *part)
{
	size_t i;

	for (i = 0; i < health.n; i++)
		if (!strcmp(health.item[i].collector, "counters") &&
		    !strcmp(health.item[i].part, part))
			return &health.item[i];
	return NULL;
}

static void start(const char *events)
{
	int err;

	names = names_new();
	CHECK(names && !sample_init(&sample));
	opt.events = events;
	env = (struct env) { .opt = &opt, .names = names, .health = &health };
	env.proc_fd = open("/proc", O_PATH | O_DIRECTORY);
	CHECK(env.proc_fd >= 0);
	err = counters_collector.open(&state, &env);
	if (err || !strstr(item("")->why, "own processes of user"))
		SKIP("%s", item("")->why);
}

static void stop(void)
{
	counters_collector.close(state);
	sample_free(&sample);
	names_free(names);
	health_free(&health);
	close(env.proc_fd);
}

static void collect(void)
{
	sample_reset(&sample);
	sample.names = names;
	CHECK_EQ_INT(counters_collector.collect(state, &sample), 0);
	sample_seal(&sample);
}

/* What an event has counted, whatever the level calls it. */
static uint64_t value(const char *event)
{
	const struct reading *r;
	char name[64];
	size_t n, len = strlen(event);
	const char *is;

	snprintf(name, sizeof(name), "%s:u", event);
	r = sample_range(&sample, PERF_VALUE, &n);
	for (; n; n--, r++) {
		is = names_str(names, r->key);
		if (strncmp(is, event, len) ||
		    (is[len] && strcmp(is, name)))
			continue;
		CHECK_EQ_U64(r->sub, PERF_OWN_USER);
		return r->value;
	}
	FAIL("no %s", event);
	return 0;
}

/* ---- the processes watched ------------------------------------------------ */

struct worker { pid_t pid; int go, said; };

static uint64_t cpu_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Takes BURN_MS of a CPU and PAGES page faults; what it took of the first. */
static uint64_t burn(clockid_t clock)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	uint64_t from = cpu_ns(clock);
	volatile char *p = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		_exit(1);
	madvise((void *)p, PAGES * page, MADV_NOHUGEPAGE);
	for (i = 0; i < PAGES; i++)
		p[i * page] = 1;
	while (cpu_ns(clock) - from < BURN_MS * 1000000ull)
		;
	return cpu_ns(clock) - from;
}

/* Burn at each byte that comes, say what it took; end at the end of file. */
static void work(int go, int said)
{
	uint64_t took;
	char c;

	while (read(go, &c, 1) == 1) {
		took = burn(CLOCK_PROCESS_CPUTIME_ID);
		if (write(said, &took, sizeof(took)) != sizeof(took))
			_exit(1);
	}
	_exit(0);
}

/* deep: that many processes between us and the worker, which end at once. */
static struct worker worker_fork(int deep)
{
	int go[2], said[2];
	struct worker w;

	CHECK(!pipe2(go, O_CLOEXEC) && !pipe2(said, O_CLOEXEC));
	w.pid = fork();
	CHECK(w.pid >= 0);
	if (!w.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);	/* not of those below */
		while (deep--)
			if (fork())
				_exit(0);
		close(go[1]);
		work(go[0], said[1]);
	}
	close(go[0]);
	close(said[1]);
	w.go = go[1];
	w.said = said[0];
	return w;
}

static uint64_t worker_burn(const struct worker *w)
{
	uint64_t took = 0;

	CHECK_EQ_INT(write(w->go, "x", 1), 1);
	CHECK_EQ_INT(read(w->said, &took, sizeof(took)), sizeof(took));
	return took;
}

static void worker_end(struct worker *w)
{
	close(w->go);
	close(w->said);
	if (w->pid > 0)
		kill(w->pid, SIGKILL);
	if (w->pid > 0)
		waitpid(w->pid, NULL, 0);
}

/* Let it burn with looks before, during its life, and after: counted once. */
static void check_counted(const struct worker *w)
{
	uint64_t took, clock, faults;

	collect();
	clock = value("task-clock");
	faults = value("page-faults");
	took = worker_burn(w);
	collect();
	CHECK_NEAR((double)(value("task-clock") - clock), (double)took,
		   .1 * (double)took);
	CHECK(value("page-faults") - faults >= PAGES);
	CHECK(value("page-faults") - faults < 2 * PAGES);
}

#endif
