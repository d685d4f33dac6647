// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does a monitor pay for N threads that do nothing?
 *
 *	sleepthreads N SECONDS
 *
 * Prints "threads N" once all are asleep, then sleeps.
 */
#include <pthread.h>
#include "load.h"

enum { STACK_BYTES = 64 << 10 };

static void *sleeper(void *arg)
{
	sleep_ns(*(uint64_t *)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 0), span_ns;
	pthread_attr_t attr;
	pthread_t thread;

	span_ns = number(argc, argv, 2, 0) * 1000000000;
	if (argc != 3 || !n || !span_ns)
		usage("sleepthreads N SECONDS");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	name_self("load-sleep");
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (uint64_t i = 0; i < n; i++) {
		errno = pthread_create(&thread, &attr, sleeper, &span_ns);
		if (errno)
			die("pthread_create");
	}
	say("", "threads", n);
	fflush(stdout);
	sleep_ns(span_ns);
	return 0;
}
