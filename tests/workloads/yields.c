// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two tasks on one CPU that give way to each other.
 *
 *	yields CPU TIMES
 *
 * By a call of 64 bits ("load-yield64") and, where the kernel takes them from a
 * program of 64 bits, by one of 32 ("load-yield32").  Witness: how often each
 * pair called.
 */
#include "load.h"

static void yield_wide(void)
{
	sched_yield();
}

#if defined(__x86_64__)

static void yield_narrow(void)
{
	long result;

	__asm__ volatile ("int $0x80" : "=a" (result) : "a" (158L)
			  : "memory", "r8", "r9", "r10", "r11");
	if (result)
		_exit(1);
}

#else

static void yield_narrow(void)
{
	_exit(1);
}

#endif

static void give_way(const char *name, void (*yield)(void), uint64_t times)
{
	name_self(name);
	while (times--)
		yield();
	_exit(0);
}

/* How often both called; 0: they cannot. */
static uint64_t pair(const char *name, void (*yield)(void), uint64_t times)
{
	pid_t task[2];
	int i, status, failed = 0;

	for (i = 0; i < 2; i++) {
		task[i] = fork();
		if (task[i] < 0)
			die("fork");
		if (!task[i])
			give_way(name, yield, times);
	}
	for (i = 0; i < 2; i++)
		if (waitpid(task[i], &status, 0) < 0 || status)
			failed = 1;
	return failed ? 0 : 2 * times;
}

int main(int argc, char **argv)
{
	uint64_t cpu = number(argc, argv, 1, 0);
	uint64_t times = number(argc, argv, 2, 20000);

	if (argc > 3)
		usage("yields CPU TIMES");
	alarm(LIMIT_S);
	pin((unsigned)cpu);
	say("", "yields64", pair("load-yield64", yield_wide, times));
	say("", "yields32", pair("load-yield32", yield_narrow, times));
	return 0;
}
