// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many TLB shootdowns does a process cause that takes back memory while
 * its threads run elsewhere?
 *
 *	shoot CALL COUNT [PAGES [CPU]]
 *
 * The main thread, "load-shoot", on CPU (0) maps or writes PAGES (1) and takes
 * them back by CALL (munmap, mprotect, madvise) COUNT times, while on every
 * other CPU a thread of the process touches memory without rest: each call has
 * to interrupt every one of them that is on its CPU then.  Witness: COUNT
 * times the other CPUs at most, and the TLB rows of /proc/interrupts.
 */
#include <pthread.h>
#include <sys/mman.h>
#include "load.h"

enum { MAX_CPUS = 1024, TOUCHED = 64, PAGE = 4096, READY_NS = 1000000 };

static volatile char touched[TOUCHED * PAGE];
static volatile uint64_t ready;
static volatile int stop;

static void *toucher(void *arg)
{
	pin(*(unsigned *)arg);
	name_self("load-touch");
	__atomic_add_fetch(&ready, 1, __ATOMIC_RELAXED);
	while (!stop)
		for (int i = 0; i < TOUCHED; i++)
			touched[i * PAGE]++;
	return NULL;
}

static char *map(size_t bytes)
{
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die("mmap");
	return at;
}

static void write_pages(char *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += PAGE)
		at[i] = 1;
}

static void call_munmap(char *at, size_t bytes)
{
	char *mine = map(bytes);

	(void)at;
	write_pages(mine, bytes);
	if (munmap(mine, bytes) < 0)
		die("munmap");
}

/* The first takes a right away and has to flush; kernels flush for both. */
static void call_mprotect(char *at, size_t bytes)
{
	write_pages(at, bytes);
	if (mprotect(at, bytes, PROT_READ) < 0 ||
	    mprotect(at, bytes, PROT_READ | PROT_WRITE) < 0)
		die("mprotect");
}

static void call_madvise(char *at, size_t bytes)
{
	write_pages(at, bytes);
	if (madvise(at, bytes, MADV_DONTNEED) < 0)
		die("madvise");
}

static const struct call {
	const char *name;
	void (*go)(char *at, size_t bytes);
} calls[] = {
	{ "munmap", call_munmap },
	{ "mprotect", call_mprotect },
	{ "madvise", call_madvise },
};

static const struct call *call_find(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, name))
			return &calls[i];
	fprintf(stderr, "load: no such call: %s\n", name);
	exit(2);
}

/* A thread on every CPU that may be had but one; how many. */
static unsigned touchers_start(unsigned but, pthread_t *thread, unsigned *cpu)
{
	unsigned n = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		die("sched_getaffinity");
	for (unsigned i = 0; i < MAX_CPUS; i++) {
		if (!CPU_ISSET(i, &set) || i == but)
			continue;
		cpu[n] = i;
		errno = pthread_create(&thread[n], NULL, toucher, &cpu[n]);
		if (errno)
			die("pthread_create");
		n++;
	}
	while (ready != n)
		sleep_ns(READY_NS);
	return n;
}

int main(int argc, char **argv)
{
	size_t bytes = (size_t)number(argc, argv, 3, 1) * PAGE;
	uint64_t count = number(argc, argv, 2, 0), from_ns;
	unsigned home = (unsigned)number(argc, argv, 4, 0), n;
	static pthread_t thread[MAX_CPUS];
	static unsigned cpu[MAX_CPUS];
	const struct call *call;
	char *at;

	if (argc < 3 || !count || !bytes)
		usage("shoot munmap|mprotect|madvise COUNT [PAGES [CPU]]");
	call = call_find(argv[1]);
	alarm(LIMIT_S);
	name_self("load-shoot");
	n = touchers_start(home, thread, cpu);
	pin(home);
	at = map(bytes);
	from_ns = now_ns();
	for (uint64_t i = 0; i < count; i++)
		call->go(at, bytes);
	say_seconds(from_ns);
	stop = 1;
	for (unsigned i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	say("", "calls", count);
	say("", "pages", bytes / PAGE);
	say("", "tid", (uint64_t)gettid());
	say("", "touchers", n);
	return 0;
}
