/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every workload needs: a CPU to stay on, an end that comes even if all
 * goes wrong, and a witness of what it did, from the kernel's own accounts.
 *
 * A workload prints "key value" lines and exits 0, or says on stderr what
 * failed and exits 1.  Nothing of stalltop is inside.
 */
#ifndef LOAD_H
#define LOAD_H

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_S = 110 };		/* SIGALRM ends whatever hangs */

static inline void die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static inline void usage(const char *how)
{
	fprintf(stderr, "usage: %s\n", how);
	exit(2);
}

/* Argument i as a number, or the default when there is none. */
static inline uint64_t number(int argc, char **argv, int i, uint64_t otherwise)
{
	char *end;
	uint64_t n;

	if (i >= argc)
		return otherwise;
	n = strtoull(argv[i], &end, 10);
	if (!*argv[i] || *end) {
		fprintf(stderr, "load: not a number: %s\n", argv[i]);
		exit(2);
	}
	return n;
}

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static inline void sleep_ns(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000),
			      (long)(ns % 1000000000) };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}

/* The calling thread alone. */
static inline void pin(unsigned cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		die("sched_setaffinity");
}

/*
 * A task of this policy does not preempt the one that wakes it (sched(7)), so
 * two that hand work to and fro switch only where they sleep.
 */
static inline void be_patient(void)
{
	struct sched_param param = { 0 };

	if (sched_setscheduler(0, SCHED_BATCH, &param) < 0)
		die("sched_setscheduler");
}

static inline void name_self(const char *comm)
{
	prctl(PR_SET_NAME, comm);
}

/* fork() whose child does not outlive its parent. */
static inline pid_t fork_bound(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		alarm(LIMIT_S);
	}
	return pid;
}

/* Waits for a child; its accounts. */
static inline struct rusage reap(pid_t pid)
{
	struct rusage use;
	int status;

	if (wait4(pid, &status, 0, &use) != pid)
		die("wait4");
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "load: a child failed\n");
		_exit(1);
	}
	return use;
}

static inline void say(const char *who, const char *what, uint64_t value)
{
	printf("%s%s %" PRIu64 "\n", who, what, value);
}

static inline void say_switches(const char *who, const struct rusage *use)
{
	say(who, "nvcsw", (uint64_t)use->ru_nvcsw);
	say(who, "nivcsw", (uint64_t)use->ru_nivcsw);
}

/* So that a watcher can bracket the work by the clock it reads itself. */
static inline void say_seconds(uint64_t from_ns)
{
	printf("seconds %.6f\n", (double)(now_ns() - from_ns) / 1e9);
}

#endif
