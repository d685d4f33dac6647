/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is every process of a user without privileges counted, and counted once?
 *
 * Each test runs as a user that has no process but the test's, so that the
 * totals are known.
 */
#include <pthread.h>
#include <sys/resource.h>
#include "own_user.h"
#include "perf.h"

enum { CROWD = 300 };

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

static void crowd_fork(pid_t *pid, int n)
{
	while (n--) {
		*pid = fork();
		CHECK(*pid >= 0);
		if (!*pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
		pid++;
	}
}

/* As many end as are wanted room for: the events of each of them go. */
static void crowd(void)
{
	struct worker w = worker_fork(0);
	static pid_t pid[CROWD];
	uint64_t last;
	int i;

	crowd_fork(pid, CROWD);
	start("task-clock,page-faults");
	/* the test and the worker are two of them; who sleeps keeps its room */
	for (i = 0; i < 3; i++)
		collect();
	CHECK(item("uncounted") != NULL);
	CHECK(strstr(item("uncounted")->why, "46 with 46 threads: only 256 "
		     "threads are") != NULL);
	last = worker_burn(&w);
	worker_end(&w);
	for (i = 0; i < 45; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	last -= last / 10;
	for (i = 0; i < 4; i++) {
		collect();
		CHECK(value("task-clock") >= last);
		last = value("task-clock");
	}
	CHECK(item("uncounted") == NULL);
	for (i = 45; i < CROWD; i++)
		kill(pid[i], SIGKILL);
	stop();
}

TEST(a_crowd_is_counted_as_far_as_there_is_room)
{
	as_user(crowd);
}

/* The other collectors open files at each sample. */
static void few_descriptors(void)
{
	struct rlimit few = { 64, 64 };
	pid_t pid[40];
	int fd, i;

	CHECK(!setrlimit(RLIMIT_NOFILE, &few));
	crowd_fork(pid, 40);
	start("task-clock,page-faults");
	collect();
	CHECK(item("uncounted") != NULL);
	CHECK(strstr(item("uncounted")->why, "25 with 25 threads: only 16 "
		     "threads are") != NULL);
	fd = dup(0);
	CHECK(fd >= 0 && fd < 60);
	close(fd);
	for (i = 0; i < 40; i++)
		kill(pid[i], SIGKILL);
	stop();
}

TEST(descriptors_are_left_for_others)
{
	as_user(few_descriptors);
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

/* ---- threads ------------------------------------------------------------------ */

static int thread_go[2], thread_done[2];

static void *thread_burn(void *arg)
{
	pthread_t later;
	uint64_t took;
	char c;

	if (read(thread_go[0], &c, 1) != 1)
		return arg;
	took = burn(CLOCK_THREAD_CPUTIME_ID);
	/* one more after the first look, of a thread that is no leader */
	if (c == 'f' && !pthread_create(&later, NULL, thread_burn, NULL))
		pthread_join(later, NULL);
	if (write(thread_done[1], &took, sizeof(took)) != sizeof(took))
		_exit(1);
	return arg;
}

static uint64_t threads_run(const char *what, int n)
{
	uint64_t took, all = 0;

	CHECK_EQ_INT(write(thread_go[1], what, strlen(what)), strlen(what));
	while (n--) {
		CHECK_EQ_INT(read(thread_done[0], &took, sizeof(took)),
			     sizeof(took));
		all += took;
	}
	return all;
}

static void threads(void)
{
	uint64_t clock, faults, took;
	pthread_t t;
	pid_t pid;
	int i;

	CHECK(!pipe(thread_go) && !pipe(thread_done));
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (i = 0; i < 2; i++)
			pthread_create(&t, NULL, thread_burn, NULL);
		if (write(thread_done[1], &(uint64_t) { 0 }, 8) != 8)
			_exit(1);
		pause();
	}
	threads_run("", 1);
	start("task-clock,page-faults");
	collect();
	clock = value("task-clock");
	faults = value("page-faults");
	took = threads_run("fxx", 3);
	collect();
	CHECK_NEAR((double)(value("task-clock") - clock), (double)took,
		   .1 * (double)took);
	CHECK(value("page-faults") - faults >= 3 * PAGES);
	CHECK(value("page-faults") - faults < 4 * PAGES);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	stop();
}

TEST(every_thread_counts_once)
{
	as_user(threads);
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
