// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which pipe does a task sleep in, whatever the way it came there?
 *
 *	pipeways COUNT DIR
 *
 * For each way, one task called "load-WAY" sleeps COUNT times in its pipe and
 * in nothing else, and another lets it go on once it is seen asleep.  A reader
 * finds the pipe empty, a writer finds it full.  DIR is where FIFOs are made.
 *
 * Prints for each way, with the pipe as fstat() has it and the sleeper's own
 * count of its sleeps:
 *
 *	WAY must|may|never MAJOR:MINOR INODE empty|full SLEEPS TID
 *
 * "must": each of the sleeps is to be found in that pipe; "may": in that pipe
 * or in none; "never": in anything but that pipe, as it has only taken the
 * place of the right one among the sleeper's descriptors.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include "load.h"

enum { PAGE = 4096, SLOTS = 16, POLL_NS = 50000 };
enum { EMPTY, FULL };
enum { FIFO = 1, FORK = 2, MAY = 4, REUSED = 8 };

struct turn {			/* shared by both sides of a way */
	volatile uint64_t asked, sleeps;
	volatile pid_t tid;
};

static uint64_t count;
static const char *dir;
static struct turn *turn;
/* Aligned, since vmsplice() takes a slot for each page it touches. */
static char page[PAGE] __attribute__((aligned(PAGE)));
static int null_fd, memory_fd, spare[2];

/* ---- one sleep each, of one page ---------------------------------------------- */

static ssize_t by_read(int fd)
{
	return read(fd, page, PAGE);
}

static ssize_t by_write(int fd)
{
	return write(fd, page, PAGE);
}

static ssize_t by_readv(int fd)
{
	struct iovec v[2] = { { page, 1 }, { page + 1, PAGE - 1 } };

	return readv(fd, v, 2);
}

static ssize_t by_writev(int fd)
{
	struct iovec v[2] = { { page, PAGE / 2 }, { page, PAGE / 2 } };

	return writev(fd, v, 2);
}

static ssize_t by_splice_in(int fd)
{
	return splice(fd, NULL, null_fd, NULL, PAGE, 0);
}

static ssize_t by_splice_out(int fd)
{
	loff_t at = 0;

	return splice(memory_fd, &at, fd, NULL, PAGE, 0);
}

static ssize_t drained(ssize_t n)
{
	return n == PAGE ? read(spare[0], page, PAGE) : n;
}

static ssize_t by_splice_both(int fd)
{
	return drained(splice(fd, NULL, spare[1], NULL, PAGE, 0));
}

static ssize_t by_tee(int fd)
{
	if (drained(tee(fd, spare[1], PAGE, 0)) != PAGE)
		return -1;
	return read(fd, page, PAGE);
}

static ssize_t by_sendfile(int fd)
{
	off_t at = 0;

	return sendfile(fd, memory_fd, &at, PAGE);
}

static ssize_t by_vmsplice(int fd)
{
	struct iovec v = { page, PAGE };

	return vmsplice(fd, &v, 1, 0);
}

static const struct way {
	const char *name;
	int end;
	unsigned how;
	ssize_t (*move)(int fd);
	int at;			/* descriptor it is put on, -1: as it comes */
} ways[] = {
	{ "read", EMPTY, 0, by_read, -1 },
	{ "write", FULL, 0, by_write, -1 },
	{ "fiforead", EMPTY, FIFO | FORK, by_read, -1 },
	{ "fifowrite", FULL, FIFO | FORK, by_write, -1 },
	{ "forkread", EMPTY, FORK, by_read, -1 },
	{ "forkwrite", FULL, FORK, by_write, -1 },
	{ "readv", EMPTY, 0, by_readv, -1 },
	{ "writev", FULL, 0, by_writev, -1 },
	{ "splicein", EMPTY, 0, by_splice_in, -1 },
	{ "spliceout", FULL, 0, by_splice_out, -1 },
	{ "stdin", EMPTY, FORK, by_read, 0 },
	{ "stdout", FULL, FORK, by_write, 1 },
	{ "highread", EMPTY, FORK, by_read, 200 },
	{ "highwrite", FULL, FORK, by_write, 200 },
	{ "spliceboth", EMPTY, MAY, by_splice_both, -1 },
	{ "tee", EMPTY, MAY, by_tee, -1 },
	{ "sendfile", FULL, MAY, by_sendfile, -1 },
	{ "vmsplice", FULL, MAY, by_vmsplice, -1 },
	{ "reused", FULL, REUSED, NULL, -1 },
	{ "reusedfull", FULL, REUSED, NULL, -1 },
};

/* ---- the sleeper ----------------------------------------------------------------- */

struct side {
	const struct way *way;
	int fd;
};

/* One write of many pages sleeps again after each page that is taken out. */
static void write_large(int fd)
{
	size_t bytes = (SLOTS + count) * PAGE;
	char *all = calloc(1, bytes);

	if (!all)
		die("calloc");
	turn->asked = 1;
	if (write(fd, all, bytes) != (ssize_t)bytes)
		die("large write");
	free(all);
}

static void *sleeper(void *arg)
{
	const struct side *side = arg;
	struct rusage before, after;
	int fd = side->fd;
	char comm[16];

	snprintf(comm, sizeof(comm), "load-%s", side->way->name);
	name_self(comm);
	if (side->way->at >= 0)
		fd = dup2(fd, side->way->at);
	turn->tid = gettid();
	getrusage(RUSAGE_THREAD, &before);
	if (side->way->how & REUSED)
		write_large(fd);
	for (uint64_t i = 1; !(side->way->how & REUSED) && i <= count; i++) {
		turn->asked = i;
		if (side->way->move(fd) != PAGE)
			die(side->way->name);
	}
	getrusage(RUSAGE_THREAD, &after);
	turn->sleeps = (uint64_t)(after.ru_nvcsw - before.ru_nvcsw);
	return NULL;
}

/* ---- the other side ---------------------------------------------------------------- */

static int is_asleep(pid_t tid)
{
	char path[64], text[512], *at;
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = 0;
	at = strrchr(text, ')');
	return at && at[1] && at[2] == 'S';
}

static void await_asleep(uint64_t nth)
{
	while (turn->asked < nth || !is_asleep(turn->tid))
		sleep_ns(POLL_NS);
}

static void fill(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	while (write(fd, page, PAGE) > 0)
		;
	if (errno != EAGAIN)
		die("filling of pipe");
	fcntl(fd, F_SETFL, flags);
}

/* Both ends: [0] to read from, [1] to write to. */
static void ends_open(const struct way *way, int end[2])
{
	char path[4096];

	if (!(way->how & FIFO)) {
		if (pipe(end) < 0)
			die("pipe");
		return;
	}
	snprintf(path, sizeof(path), "%s/load-%s", dir, way->name);
	if (mkfifo(path, 0600) < 0)
		die(path);
	end[0] = open(path, O_RDONLY | O_NONBLOCK);
	end[1] = open(path, O_WRONLY);
	if (end[0] < 0 || end[1] < 0 || fcntl(end[0], F_SETFL, 0) < 0)
		die(path);
	unlink(path);
}

static void say_way(const struct way *way, const char *word, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		die("fstat");
	printf("%s %s %u:%u %ju %s %" PRIu64 " %d\n", way->name, word,
	       major(st.st_dev), minor(st.st_dev), (uintmax_t)st.st_ino,
	       way->end == EMPTY ? "empty" : "full", turn->sleeps,
	       (int)turn->tid);
}

static void let_go(const struct way *way, const int end[2])
{
	ssize_t n = way->end == EMPTY ? write(end[1], page, PAGE) :
					read(end[0], page, PAGE);

	if (n != PAGE)
		die("other side");
}

/*
 * While the writer sleeps, another pipe takes the place of its own: what the
 * descriptor leads to from then on is not what it sleeps in.
 */
static void take_place(const struct way *way, int writing)
{
	int other[2];

	if (pipe(other) < 0)
		die("pipe");
	if (!strcmp(way->name, "reusedfull"))
		fill(other[1]);
	await_asleep(1);
	if (dup2(other[1], writing) < 0)
		die("dup2");
}

static void sleeper_start(const struct side *side, pthread_t *thread,
			  pid_t *pid)
{
	fflush(stdout);
	if (side->way->how & FORK) {
		*pid = fork_bound();
		if (!*pid) {
			sleeper((void *)side);
			_exit(0);
		}
		return;
	}
	errno = pthread_create(thread, NULL, sleeper, (void *)side);
	if (errno)
		die("pthread_create");
}

static void go(const struct way *way)
{
	struct side side = { way, 0 };
	pthread_t thread;
	pid_t pid = 0;
	int end[2];

	memset(turn, 0, sizeof(*turn));
	ends_open(way, end);
	side.fd = end[way->end == EMPTY ? 0 : 1];
	if (way->end == FULL && !(way->how & REUSED))
		fill(end[1]);
	sleeper_start(&side, &thread, &pid);
	if (way->how & REUSED)
		take_place(way, end[1]);
	for (uint64_t i = 1; i <= count; i++) {
		await_asleep(way->how & REUSED ? 1 : i);
		let_go(way, end);
	}
	if (pid)
		reap(pid);
	else
		pthread_join(thread, NULL);
	say_way(way, way->how & REUSED ? "never" :
		way->how & MAY ? "may" : "must", side.fd);
	close(end[0]);
	close(end[1]);
}

int main(int argc, char **argv)
{
	count = number(argc, argv, 1, 0);
	if (argc != 3 || !count)
		usage("pipeways COUNT DIR");
	dir = argv[2];
	alarm(LIMIT_S);
	signal(SIGPIPE, SIG_IGN);
	name_self("load-other");
	turn = mmap(NULL, sizeof(*turn), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	memory_fd = memfd_create("load", MFD_CLOEXEC);
	if (turn == MAP_FAILED || null_fd < 0 || pipe(spare) < 0 ||
	    memory_fd < 0 || write(memory_fd, page, PAGE) != PAGE)
		die("pipeways");
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		go(&ways[i]);
	return 0;
}
