// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How deep is the run queue of a CPU that N tasks want?
 *
 *	spin CPU N SECONDS
 *
 * N threads burn user time on one CPU and never sleep; the main thread sleeps
 * until they are through.  Witness: the CPU time they got, and N itself.
 */
#include <pthread.h>
#include "load.h"

enum { MAX_SPINNERS = 1024 };

struct order {
	unsigned cpu;
	uint64_t until_ns;
};

static void *spin(void *arg)
{
	const struct order *order = arg;

	pin(order->cpu);
	name_self("load-spin");
	while (now_ns() < order->until_ns)
		;
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 2, 0), span_s;
	uint64_t from_ns = now_ns();
	pthread_t thread[MAX_SPINNERS];
	struct order order;
	struct rusage use;

	span_s = number(argc, argv, 3, 0);
	if (argc != 4 || !n || n > MAX_SPINNERS || !span_s || span_s >= LIMIT_S)
		usage("spin CPU N SECONDS");
	alarm(LIMIT_S);
	order.cpu = (unsigned)number(argc, argv, 1, 0);
	order.until_ns = from_ns + span_s * 1000000000;
	for (uint64_t i = 0; i < n; i++) {
		errno = pthread_create(&thread[i], NULL, spin, &order);
		if (errno)
			die("pthread_create");
	}
	for (uint64_t i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	getrusage(RUSAGE_SELF, &use);
	say("", "spinners", n);
	printf("cpu_seconds %.3f\n",
	       (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6);
	say_seconds(from_ns);
	return 0;
}
