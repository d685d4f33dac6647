// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does it cost to move P MB through a pipe of S bytes on one CPU?
 *
 *	pipe CPU MB PIPE_BYTES [WRITE_BYTES [eager]]
 *
 * Witness: getrusage of both ends, from the first byte to their exit.  With a
 * pipe of one page and writes of one page each page costs two switches: 512
 * per MiB.  Both are sleeps in the pipe, unless "eager": then, under the usual
 * policy, the one that wakes is often preempted before it sleeps.
 */
#include <fcntl.h>
#include "load.h"

static void writer(int fd, size_t total, size_t chunk)
{
	char *buf = calloc(1, chunk);

	if (!buf)
		die("calloc");
	name_self("load-writer");
	while (total) {
		ssize_t n = write(fd, buf, total < chunk ? total : chunk);

		if (n < 0)
			die("write");
		total -= (size_t)n;
	}
	_exit(0);
}

static uint64_t reader(int fd, size_t chunk)
{
	char *buf = malloc(chunk);
	uint64_t total = 0;
	ssize_t n;

	if (!buf)
		die("malloc");
	name_self("load-reader");
	while ((n = read(fd, buf, chunk)) > 0)
		total += (uint64_t)n;
	if (n < 0)
		die("read");
	free(buf);
	return total;
}

static void report(uint64_t bytes, uint64_t from_ns, const struct rusage *r,
		   const struct rusage *w)
{
	uint64_t all = (uint64_t)(r->ru_nvcsw + r->ru_nivcsw + w->ru_nvcsw +
				  w->ru_nivcsw);

	say_switches("reader_", r);
	say_switches("writer_", w);
	say("", "bytes", bytes);
	say("", "switches", all);
	printf("switches_per_mb %.1f\n",
	       (double)all / ((double)bytes / (1 << 20)));
	say_seconds(from_ns);
}

int main(int argc, char **argv)
{
	size_t total = (size_t)number(argc, argv, 2, 0) << 20;
	int size = (int)number(argc, argv, 3, 0), fd[2];
	size_t chunk = (size_t)number(argc, argv, 4, 4096);
	struct rusage r, w, before;
	uint64_t from_ns, bytes;
	pid_t pid;

	if (argc < 4 || !total || !size || !chunk)
		usage("pipe CPU MB PIPE_BYTES [WRITE_BYTES [eager]]");
	alarm(LIMIT_S);
	pin((unsigned)number(argc, argv, 1, 0));
	if (argc < 6 || strcmp(argv[5], "eager"))
		be_patient();
	if (pipe2(fd, O_CLOEXEC) < 0 || fcntl(fd[1], F_SETPIPE_SZ, size) < 0)
		die("pipe");
	say("", "pipe_bytes", (uint64_t)fcntl(fd[1], F_GETPIPE_SZ));
	fflush(stdout);
	getrusage(RUSAGE_SELF, &before);
	from_ns = now_ns();
	pid = fork_bound();
	if (!pid) {
		close(fd[0]);
		writer(fd[1], total, chunk);
	}
	close(fd[1]);
	bytes = reader(fd[0], chunk);
	w = reap(pid);
	getrusage(RUSAGE_SELF, &r);
	r.ru_nvcsw -= before.ru_nvcsw;
	r.ru_nivcsw -= before.ru_nivcsw;
	report(bytes, from_ns, &r, &w);
	return bytes == total ? 0 : 1;
}
