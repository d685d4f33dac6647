// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a pair that hands a token to and fro through futexes seen as that?
 *
 *	futexpair CPU SECONDS
 *
 * Two tasks on one CPU, each asleep in FUTEX_WAIT while the other has the
 * token.  Witness: getrusage of both.
 */
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include "load.h"

enum { STOP = 2 };		/* instead of a side's number */

static volatile uint32_t *whose;	/* the side that has the token */

static void await(uint32_t side)
{
	uint32_t now;

	while ((now = *whose) != side && now != STOP)
		syscall(SYS_futex, whose, FUTEX_WAIT, now, NULL, NULL, 0);
}

static void hand(uint32_t to)
{
	*whose = to;
	syscall(SYS_futex, whose, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void second(void)
{
	name_self("load-second");
	for (;;) {
		await(1);
		if (*whose == STOP)
			_exit(0);
		hand(0);
	}
}

static uint64_t first(uint64_t until_ns)
{
	uint64_t turns = 0;

	name_self("load-first");
	do {
		hand(1);
		await(0);
		turns++;
	} while (turns % 64 || now_ns() < until_ns);
	hand(STOP);
	return turns;
}

int main(int argc, char **argv)
{
	uint64_t span_s = number(argc, argv, 2, 0), from_ns, turns;
	struct rusage a, b;
	pid_t pid;

	if (argc != 3 || !span_s || span_s >= LIMIT_S)
		usage("futexpair CPU SECONDS");
	alarm(LIMIT_S);
	pin((unsigned)number(argc, argv, 1, 0));
	be_patient();
	whose = mmap(NULL, sizeof(*whose), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (whose == MAP_FAILED)
		die("mmap");
	from_ns = now_ns();
	pid = fork_bound();
	if (!pid)
		second();
	turns = first(from_ns + span_s * 1000000000);
	b = reap(pid);
	getrusage(RUSAGE_SELF, &a);
	say("", "turns", turns);
	say_switches("first_", &a);
	say_switches("second_", &b);
	say_seconds(from_ns);
	return 0;
}
