// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a strictly alternating pair seen as one half and one half?
 *
 *	pair CPU SECONDS
 *
 * Two tasks on one CPU hand a token to and fro as fast as they can.  One
 * sleeps for it in a pipe read, the other in an eventfd read, so that every
 * switch of the one has another source than every switch of the other.
 * Witness: getrusage of both.
 */
#include <fcntl.h>
#include <sys/eventfd.h>
#include "load.h"

static void event_side(int event, int to)
{
	uint64_t count;

	name_self("load-event");
	while (read(event, &count, sizeof(count)) == sizeof(count) &&
	       write(to, "", 1) == 1)
		;
	_exit(0);
}

/* Ends the other side by closing its pipe after one last token. */
static uint64_t pipe_side(int from, int event, uint64_t until_ns)
{
	uint64_t one = 1, turns = 0;
	char token;

	name_self("load-pipe");
	do {
		if (write(event, &one, sizeof(one)) != sizeof(one))
			die("write to eventfd");
		if (read(from, &token, 1) != 1)
			die("read of pipe");
		turns++;
	} while (turns % 64 || now_ns() < until_ns);
	close(from);
	if (write(event, &one, sizeof(one)) != sizeof(one))
		die("write to eventfd");
	return turns;
}

int main(int argc, char **argv)
{
	uint64_t span_s = number(argc, argv, 2, 0), from_ns, turns;
	int fd[2], event = eventfd(0, EFD_CLOEXEC);
	struct rusage a, b;
	pid_t pid;

	if (argc != 3 || !span_s || span_s >= LIMIT_S)
		usage("pair CPU SECONDS");
	alarm(LIMIT_S);
	pin((unsigned)number(argc, argv, 1, 0));
	be_patient();
	if (event < 0 || pipe2(fd, O_CLOEXEC) < 0)
		die("pipe");
	from_ns = now_ns();
	pid = fork_bound();
	if (!pid) {
		close(fd[0]);
		signal(SIGPIPE, SIG_IGN);
		event_side(event, fd[1]);
	}
	close(fd[1]);
	turns = pipe_side(fd[0], event, from_ns + span_s * 1000000000);
	b = reap(pid);
	getrusage(RUSAGE_SELF, &a);
	say("", "turns", turns);
	say_switches("pipe_", &a);
	say_switches("event_", &b);
	say_seconds(from_ns);
	return 0;
}
