// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does a sleep of a known kind land in its class?
 *
 *	sleepers KIND COUNT [DIR]
 *
 * One task, named "load-KIND", sleeps COUNT times in the kernel in that way
 * and in no other; where it takes two, the other holds what it wants.  What
 * it does between its sleeps it does spinning.  Witness: its own getrusage.
 * DIR (default .) is where files are made, on a disk.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <poll.h>
#include "load.h"

enum { FILE_BYTES = 32 << 20, READ_BYTES = 1 << 20, HOLD_NS = 200000,
       LEAD_NS = 20000 };

/* Shared by the task that waits and the one that makes it wait. */
struct turn {
	volatile uint64_t asked, answered;
};

static uint64_t count;
static const char *dir = ".";
static struct turn *turn;

static void spin_ns(uint64_t ns)
{
	uint64_t until_ns = now_ns() + ns;

	while (now_ns() < until_ns)
		;
}

/* ---- kinds that need nobody else ------------------------------------------- */

static void wait_futex(void)
{
	struct timespec t = { 0, HOLD_NS };
	uint32_t word = 0;

	for (uint64_t i = 0; i < count; i++)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0);
}

static void wait_nanosleep(void)
{
	for (uint64_t i = 0; i < count; i++)
		sleep_ns(HOLD_NS);
}

static void wait_epoll(void)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event;

	if (fd < 0)
		die("epoll_create1");
	for (uint64_t i = 0; i < count; i++)
		if (epoll_wait(fd, &event, 1, 1))
			die("epoll_wait");
}

static void wait_poll(void)
{
	for (uint64_t i = 0; i < count; i++)
		if (poll(NULL, 0, 1))
			die("poll");
}

static void wait_wait4(void)
{
	for (uint64_t i = 0; i < count; i++) {
		pid_t pid = fork_bound();

		if (!pid) {
			name_self("load-child");
			sleep_ns(HOLD_NS);
			_exit(0);
		}
		reap(pid);
	}
}

/* ---- files on a disk -------------------------------------------------------- */

static int file_open(int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/load-%d", dir, (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0600);
	if (fd < 0)
		die(path);
	unlink(path);
	return fd;
}

/* Written, so that a read finds blocks of the disk and no hole. */
static int file_on_disk(void **buf)
{
	int fd = file_open(O_DIRECT);

	if (posix_memalign(buf, 4096, READ_BYTES))
		die("posix_memalign");
	memset(*buf, 'x', READ_BYTES);
	for (int at = 0; at < FILE_BYTES; at += READ_BYTES)
		if (pwrite(fd, *buf, READ_BYTES, at) != READ_BYTES)
			die("write of file");
	if (fsync(fd) < 0)
		die("fsync");
	return fd;
}

static int disk_fd;
static void *disk_buf;

static void before_directread(void)
{
	disk_fd = file_on_disk(&disk_buf);
}

static void wait_directread(void)
{
	for (uint64_t i = 0; i < count; i++) {
		off_t at = (off_t)(i * 7919 % (FILE_BYTES / 4096)) * 4096;

		if (pread(disk_fd, disk_buf, 4096, at) != 4096)
			die("direct read");
	}
}

/* ---- kinds where another task holds it -------------------------------------- */

/* The waiter's end of a turn: spins until the other holds what it wants. */
static void turn_await(uint64_t i)
{
	while (turn->asked != i)
		;
	spin_ns(LEAD_NS);
}

static void turn_ask(uint64_t i)
{
	turn->asked = i;
}

static void turn_done(uint64_t i)
{
	while (turn->answered != i)
		sleep_ns(LEAD_NS);
}

static int lock_fd[2];

/* flock belongs to the open file description: one for each side. */
static void before_flock(void)
{
	char path[64];

	lock_fd[0] = file_open(0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", lock_fd[0]);
	lock_fd[1] = open(path, O_RDWR | O_CLOEXEC);
	if (lock_fd[1] < 0)
		die("open of lock file");
}

static void wait_flock(void)
{
	for (uint64_t i = 1; i <= count; i++) {
		turn_await(i);
		if (flock(lock_fd[1], LOCK_EX) < 0 ||
		    flock(lock_fd[1], LOCK_UN) < 0)
			die("flock");
		turn->answered = i;
	}
}

static void hold_flock(void)
{
	for (uint64_t i = 1; i <= count; i++) {
		if (flock(lock_fd[0], LOCK_EX) < 0)
			die("flock");
		turn_ask(i);
		sleep_ns(HOLD_NS);
		flock(lock_fd[0], LOCK_UN);
		turn_done(i);
	}
}

static int socket_fd[2];

static void before_socket(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, socket_fd) < 0)
		die("socketpair");
}

static void wait_socket(void)
{
	char byte;

	for (uint64_t i = 1; i <= count; i++) {
		if (recv(socket_fd[1], &byte, 1, 0) != 1)
			die("recv");
		turn->answered = i;
	}
}

static void hold_socket(void)
{
	for (uint64_t i = 1; i <= count; i++) {
		sleep_ns(HOLD_NS);
		if (send(socket_fd[0], "", 1, 0) != 1)
			die("send");
		turn_done(i);
	}
}

/*
 * The position of a regular file is guarded by a mutex of its open file
 * (f_pos_lock, fs/file.c), which read() holds while it sleeps for the disk.
 */
static void wait_mutex(void)
{
	for (uint64_t i = 1; i <= count; i++) {
		turn_await(i);
		if (lseek(disk_fd, 0, SEEK_CUR) < 0)
			die("lseek");
		turn->answered = i;
	}
}

static void hold_mutex(void)
{
	for (uint64_t i = 1; i <= count; i++) {
		if (lseek(disk_fd, 0, SEEK_SET) < 0)
			die("lseek");
		turn_ask(i);
		if (read(disk_fd, disk_buf, READ_BYTES) != READ_BYTES)
			die("direct read");
		turn_done(i);
	}
}

/* ---- all of them ------------------------------------------------------------- */

static const struct kind {
	const char *name;
	void (*before)(void);	/* what both sides share */
	void (*wait)(void);
	void (*hold)(void);	/* by another task, or NULL */
} kinds[] = {
	{ "futex", NULL, wait_futex, NULL },
	{ "nanosleep", NULL, wait_nanosleep, NULL },
	{ "epoll", NULL, wait_epoll, NULL },
	{ "poll", NULL, wait_poll, NULL },
	{ "wait4", NULL, wait_wait4, NULL },
	{ "directread", before_directread, wait_directread, NULL },
	{ "flock", before_flock, wait_flock, hold_flock },
	{ "socket", before_socket, wait_socket, hold_socket },
	{ "mutex", before_directread, wait_mutex, hold_mutex },
};

static const struct kind *kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	fprintf(stderr, "load: no such kind of sleep: %s\n", name);
	exit(2);
}

static void sleeper(const struct kind *kind)
{
	char comm[16];
	struct rusage use;
	uint64_t from_ns;

	snprintf(comm, sizeof(comm), "load-%s", kind->name);
	name_self(comm);
	if (kind->hold)
		pin(1);
	from_ns = now_ns();
	kind->wait();
	getrusage(RUSAGE_SELF, &use);
	say("", "waits", count);
	say_switches("", &use);
	say_seconds(from_ns);
	fflush(stdout);
	_exit(0);
}

int main(int argc, char **argv)
{
	const struct kind *kind;
	pid_t pid;

	if (argc < 3)
		usage("sleepers KIND COUNT [DIR]");
	kind = kind_find(argv[1]);
	count = number(argc, argv, 2, 0);
	if (argc > 3)
		dir = argv[3];
	alarm(LIMIT_S);
	turn = mmap(NULL, sizeof(*turn), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (turn == MAP_FAILED)
		die("mmap");
	if (kind->before)
		kind->before();
	pid = fork_bound();
	if (!pid)
		sleeper(kind);
	name_self("load-holder");
	if (kind->hold) {
		pin(0);
		kind->hold();
	}
	reap(pid);
	return 0;
}
