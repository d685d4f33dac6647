/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is every process of a user without privileges counted, and counted once?
 *
 * Each test runs as a user that has no process but the test's, so that the
 * totals are known.
 */
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
#include "perf.h"
#include "test.h"

enum { PAGES = 1000, BURN_MS = 300, CROWD = 300 };

static struct options opt;
static struct names *names;
static struct health health;
static struct env env;
static struct sample sample;
static void *state;

/* ---- being that user ---------------------------------------------------- */

static uid_t user(void)
{
	static pid_t pid;

	pid = pid ? pid : getpid();
	return (1u << 30) + (uid_t)pid;
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

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Takes BURN_MS of a CPU and PAGES page faults; what it took of the first. */
static uint64_t burn(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	uint64_t from = cpu_ns();
	volatile char *p = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		_exit(1);
	madvise((void *)p, PAGES * page, MADV_NOHUGEPAGE);
	for (i = 0; i < PAGES; i++)
		p[i * page] = 1;
	while (cpu_ns() - from < BURN_MS * 1000000ull)
		;
	return cpu_ns() - from;
}

/* Burn at each byte that comes, say what it took; end at the end of file. */
static void work(int go, int said)
{
	uint64_t took;
	char c;

	while (read(go, &c, 1) == 1) {
		took = burn();
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

/* ---- tests ------------------------------------------------------------------ */

static void before_and_after(void)
{
	struct worker before = worker_fork(0), after;

	start("task-clock,page-faults");
	check_counted(&before);
	after = worker_fork(0);
	check_counted(&after);
	check_counted(&after);
	worker_end(&before);
	worker_end(&after);
	CHECK(item("uncounted") == NULL);
	stop();
}

TEST(who_was_there_and_who_is_forked_later_count_once)
{
	as_user(before_and_after);
}

static void ended(void)
{
	struct worker w = worker_fork(0), short_lived;
	uint64_t clock, faults, took, last;
	int i;

	start("task-clock,page-faults");
	collect();
	clock = value("task-clock");
	faults = value("page-faults");
	took = worker_burn(&w);
	worker_end(&w);
	short_lived = worker_fork(0);	/* between two looks */
	took += worker_burn(&short_lived);
	worker_end(&short_lived);
	for (i = 0, last = 0; i < 5; i++) {
		collect();
		CHECK(value("task-clock") >= last);
		last = value("task-clock");
		CHECK(value("page-faults") - faults >= 2 * PAGES);
	}
	CHECK_NEAR((double)(last - clock), (double)took, .1 * (double)took);
	stop();
}

TEST(who_ended_keeps_its_count)
{
	as_user(ended);
}

static void orphan(void)
{
	struct worker w;

	start("task-clock,page-faults");
	collect();
	w = worker_fork(2);
	waitpid(w.pid, NULL, 0);
	w.pid = 0;
	usleep(20000);
	check_counted(&w);
	CHECK(item("uncounted") != NULL);
	CHECK(strstr(item("uncounted")->why, "1 perhaps") != NULL);
	worker_end(&w);
	stop();
}

TEST(an_orphan_counts_once_and_is_told)
{
	as_user(orphan);
}

static void crowd(void)
{
	static pid_t pid[CROWD];
	uint64_t last;
	int i;

	for (i = 0; i < CROWD; i++) {
		pid[i] = fork();
		CHECK(pid[i] >= 0);
		if (!pid[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
	}
	start("task-clock,page-faults");
	collect();
	last = value("task-clock");
	CHECK(item("uncounted") != NULL);
	/* the test itself is one of them */
	CHECK(strstr(item("uncounted")->why, "45 with 45 threads: only 256 "
		     "threads are") != NULL);
	for (i = 0; i < CROWD / 2; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	for (i = 0; i < 3; i++) {
		collect();
		CHECK(value("task-clock") >= last);
		last = value("task-clock");
	}
	CHECK(item("uncounted") == NULL);
	for (i = CROWD / 2; i < CROWD; i++)
		kill(pid[i], SIGKILL);
	stop();
}

TEST(a_crowd_is_counted_as_far_as_there_is_room)
{
	as_user(crowd);
}

static void kernel_side(void)
{
	start("context-switches,task-clock,cycles:k,page-faults");
	collect();
	value("task-clock");
	if (perf_paranoid() < 2) {
		value("context-switches");
		stop();
		return;
	}
	CHECK(item("context-switches") != NULL);
	CHECK_EQ_INT(item("context-switches")->level, HEALTH_ABSENT);
	CHECK(strstr(item("context-switches")->why, "in the kernel") != NULL);
	CHECK_EQ_INT(item("cycles:k")->level, HEALTH_ABSENT);
	CHECK_EQ_INT(item("")->level, HEALTH_PARTLY);
	CHECK(strstr(item("")->why, "2 of 4 events") != NULL);
	CHECK(strstr(item("")->why, "perf_event_paranoid is") != NULL);
	stop();
}

TEST(what_would_be_zero_for_ever_is_absent)
{
	as_user(kernel_side);
}

/* ---- one that comes from another user ---------------------------------------- */

static int opened[2], arrived[2];
static struct worker guest;

static void host(void)
{
	char c = 0;

	start("task-clock,page-faults");
	collect();
	CHECK_EQ_INT(write(opened[1], &c, 1), 1);
	CHECK_EQ_INT(read(arrived[0], &c, 1), 1);
	check_counted(&guest);
	CHECK(item("uncounted") == NULL);
	stop();
}

/* Still root: become the user once the counters are open. */
static void guest_fork(void)
{
	int go[2], said[2];
	char c = 0;

	CHECK(!pipe(opened) && !pipe(arrived) && !pipe(go) && !pipe(said));
	guest = (struct worker) { fork(), go[1], said[0] };
	if (!guest.pid) {
		close(go[1]);
		close(opened[1]);
		if (read(opened[0], &c, 1) != 1 || user_become() ||
		    prctl(PR_SET_PDEATHSIG, SIGKILL) ||
		    write(arrived[1], &c, 1) != 1)
			_exit(1);
		work(go[0], said[1]);
	}
	close(go[0]);
	close(said[1]);
	close(arrived[1]);
}

TEST(who_logs_in_later_is_counted)
{
	user();
	if (!geteuid())
		guest_fork();
	as_user(host);
	worker_end(&guest);
}

TEST_MAIN
