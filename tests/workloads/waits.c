// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long do sleeps of a known kind last, by the sleeper's own clock?
 *
 *	waits KIND COUNT
 *
 * One thread, named "load-KIND", sleeps COUNT times in that way; another makes
 * it wait: "nanosleep" 10 ms each, by itself; "feed", a pipe that gets a byte
 * 1 ms after it asked for one; "lock", a mutex that was taken 5 ms before it is
 * let go.  The clock is read right before and after each call that sleeps.
 */
#include <pthread.h>
#include "load.h"

enum { NAP_NS = 10000000, FEED_NS = 1000000, HOLD_NS = 5000000,
       POLL_NS = 20000 };

static uint64_t count, *took_ns;
static volatile uint64_t asked, answered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd[2];

/* Until the waiter is through with its turn, seldom looked at. */
static void turn_done(uint64_t turn)
{
	while (answered != turn)
		sleep_ns(POLL_NS);
}

static void nap(uint64_t turn)
{
	(void)turn;
	sleep_ns(NAP_NS);
}

static void eat(uint64_t turn)
{
	char byte;

	(void)turn;
	if (read(fd[0], &byte, 1) != 1)
		die("read of pipe");
}

static void feed(uint64_t turn)
{
	(void)turn;
	sleep_ns(FEED_NS);
	if (write(fd[1], "", 1) != 1)
		die("write to pipe");
}

/* The clock starts at the call, so the turn is awaited before it. */
static void want(uint64_t turn)
{
	while (asked != turn)
		;
}

static void take(uint64_t turn)
{
	(void)turn;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void hold(uint64_t turn)
{
	pthread_mutex_lock(&lock);
	asked = turn;
	sleep_ns(HOLD_NS);
	pthread_mutex_unlock(&lock);
}

static const struct kind {
	const char *name;
	void (*before)(uint64_t turn);	/* not timed, or NULL */
	void (*wait)(uint64_t turn);
	void (*other)(uint64_t turn);	/* by the main thread, or NULL */
	unsigned cpu;			/* of the waiter */
} kinds[] = {
	{ "nanosleep", NULL, nap, NULL, 0 },
	{ "feed", NULL, eat, feed, 1 },
	{ "lock", want, take, hold, 1 },
};

static const struct kind *kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	fprintf(stderr, "load: no such kind of wait: %s\n", name);
	exit(2);
}

static int by_length(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void report(uint64_t from_ns)
{
	uint64_t sum_ns = 0;

	for (uint64_t i = 0; i < count; i++)
		sum_ns += took_ns[i];
	qsort(took_ns, count, sizeof(*took_ns), by_length);
	say("", "waits", count);
	say("", "sum_ns", sum_ns);
	say("", "median_ns", took_ns[count / 2]);
	say("", "longest_ns", took_ns[count - 1]);
	say_seconds(from_ns);
}

static void *waiter(void *arg)
{
	const struct kind *kind = arg;
	struct rusage before, after;
	char comm[16];

	snprintf(comm, sizeof(comm), "load-%s", kind->name);
	name_self(comm);
	pin(kind->cpu);
	say("", "tid", (uint64_t)gettid());
	getrusage(RUSAGE_THREAD, &before);
	for (uint64_t turn = 1; turn <= count; turn++) {
		uint64_t from_ns;

		if (kind->before)
			kind->before(turn);
		from_ns = now_ns();
		kind->wait(turn);
		took_ns[turn - 1] = now_ns() - from_ns;
		answered = turn;
	}
	getrusage(RUSAGE_THREAD, &after);
	after.ru_nvcsw -= before.ru_nvcsw;
	after.ru_nivcsw -= before.ru_nivcsw;
	say_switches("", &after);
	return NULL;
}

int main(int argc, char **argv)
{
	const struct kind *kind;
	uint64_t from_ns = now_ns();
	pthread_t thread;

	if (argc != 3)
		usage("waits nanosleep|feed|lock COUNT");
	kind = kind_find(argv[1]);
	count = number(argc, argv, 2, 0);
	took_ns = calloc(count, sizeof(*took_ns));
	if (!count || !took_ns || pipe(fd) < 0)
		die("waits");
	alarm(LIMIT_S);
	name_self("load-holder");
	pin(0);
	errno = pthread_create(&thread, NULL, waiter, (void *)kind);
	if (errno)
		die("pthread_create");
	for (uint64_t turn = 1; kind->other && turn <= count; turn++) {
		kind->other(turn);
		turn_done(turn);
	}
	pthread_join(thread, NULL);
	report(from_ns);
	return 0;
}
