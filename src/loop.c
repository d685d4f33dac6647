/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens when?  One thread, one poll: timers for samples and drains, a
 * signalfd, the presenter's keys.
 *
 * Samples are due on an absolute grid, so a slow frame does not move the next;
 * after a stop there is one late sample, not a burst.  No rate is ever taken
 * since boot: the first sample is only the start of the second.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include "lens.h"
#include "loop.h"

#define MS	1000000ull
#define SECOND	1000000000ull

enum { FAILED = 1, SIGNALLED = 128 };

enum loop_fd { FD_SAMPLE, FD_DRAIN, FD_SIGNAL, FD_OUTSIDE, FD_COUNT };

struct loop {
	const struct options *opt;
	struct source *src;
	const struct presenter *p;
	struct view *v;
	struct lens lens;
	struct pollfd fd[FD_COUNT];
	sigset_t old_mask;
	void (*old_pipe)(int);
	uint64_t start_ns;	/* CLOCK_MONOTONIC of the first sample */
	uint64_t armed_ns;	/* interval the sample timer runs at */
	uint64_t random;	/* state of the drain's jitter */
	uint64_t frames;
	int done, status;
};

static void loop_end(struct loop *l, int status)
{
	l->done = 1;
	l->status = status;
}

static void loop_fail(struct loop *l, const char *what, int err)
{
	fprintf(stderr, "stalltop: %s: %s; nothing more is shown\n", what,
		strerror(-err));
	loop_end(l, FAILED);
}

/* ---- timers ----------------------------------------------------------- */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ .tv_sec = ns / SECOND,
				  .tv_nsec = ns % SECOND };
}

/* at_ns absolute, every_ns 0 = once. */
static void timer_set(int fd, uint64_t at_ns, uint64_t every_ns)
{
	struct itimerspec it = { .it_value = timespec_of(at_ns),
				 .it_interval = timespec_of(every_ns) };

	timerfd_settime(fd, TFD_TIMER_ABSTIME, &it, NULL);
}

static int timer_fired(int fd)
{
	uint64_t times;

	return read(fd, &times, sizeof(times)) == sizeof(times);
}

/* 10 Hz with 20 % jitter: never in step with what it watches. */
static void drain_arm(struct loop *l)
{
	uint64_t x = l->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	l->random = x;
	timer_set(l->fd[FD_DRAIN].fd, now_ns() + 80 * MS + x % (40 * MS), 0);
}

/*
 * A screen gets its first frame soon: one short step, then the grid.  Batch
 * frames all span one interval.
 */
static void sample_arm(struct loop *l)
{
	uint64_t every = l->v->interval_ns, first = every;

	if (!l->opt->batch && l->lens.count == 1 && every > 300 * MS)
		first = 150 * MS;
	l->armed_ns = every;
	timer_set(l->fd[FD_SAMPLE].fd, l->start_ns + first, every);
}

/* After the short first step, or when a key changed the interval. */
static void sample_rearm(struct loop *l)
{
	uint64_t every = l->v->interval_ns;

	if (l->armed_ns != every)
		l->start_ns = now_ns();
	else if (l->opt->batch || l->lens.count != 2)
		return;
	l->armed_ns = every;
	timer_set(l->fd[FD_SAMPLE].fd, l->start_ns + every, every);
}

/* ---- samples and frames ----------------------------------------------- */

/* Waits while the reader of batch text is slow, but not for a signal. */
static int output_ready(struct loop *l)
{
	struct pollfd fd[] = {
		{ .fd = STDOUT_FILENO, .events = POLLOUT },
		{ .fd = l->fd[FD_SIGNAL].fd, .events = POLLIN },
	};

	if (!l->opt->batch)
		return 1;
	while (poll(fd, 2, -1) < 0 && errno == EINTR)
		;
	return fd[0].revents != 0;
}

/* 1 if it was shown; not while a signal comes first. */
static int loop_show(struct loop *l)
{
	int err;

	if (l->done || !l->lens.model.older || !output_ready(l))
		return 0;
	err = l->p->show(&l->lens.model, l->v);
	if (err == -EPIPE)
		loop_end(l, 0);
	else if (err == -EIO && !l->opt->batch)
		loop_end(l, SIGNALLED + SIGHUP);
	else if (err && err != -EINTR)
		loop_fail(l, l->opt->batch ? "stdout" : "screen", err);
	return !err;
}

static void loop_sample(struct loop *l)
{
	int got = l->src->next(l->src, lens_room(&l->lens));

	if (got == 1)
		got = lens_add(&l->lens, l->v);
	else if (!got)
		loop_end(l, 0);
	if (got < 0)
		loop_fail(l, "sample", got);
	if (l->done || l->lens.count < 2)
		return;
	if (loop_show(l) && ++l->frames == l->opt->count)
		loop_end(l, 0);
}

/* ---- what comes from outside ------------------------------------------ */

/* A key turns the count of pipes' bytes on or off. */
static void loop_ask(struct loop *l)
{
	char why[sizeof(l->v->message) - 16] = "only of the running kernel";
	int on = -ENOTSUP;

	if (l->v->live)
		on = live_ask_pipe_bytes(l->src, why, sizeof(why));
	snprintf(l->v->message, sizeof(l->v->message), "pipe bytes: %s",
		 on < 0 ? why : on ? "on" : "off");
	l->v->ask_pipe_bytes = 0;
}

static void loop_input(struct loop *l)
{
	int what = l->p->input(l->v, &l->lens.model);

	if (what & PRESENT_QUIT) {
		loop_end(l, 0);
		return;
	}
	if (what & (PRESENT_SEEK | PRESENT_WINDOW))
		lens_move(&l->lens, l->v);
	if (l->v->ask_pipe_bytes)
		loop_ask(l);
	if (l->armed_ns != l->v->interval_ns)
		sample_rearm(l);
	if (what)
		loop_show(l);
}

static void loop_stop(struct loop *l)
{
	l->p->suspend();
	kill(getpid(), SIGSTOP);	/* returns when continued */
	l->p->resume();
	loop_show(l);
}

static void loop_signal(struct loop *l)
{
	struct signalfd_siginfo si;

	if (read(l->fd[FD_SIGNAL].fd, &si, sizeof(si)) != sizeof(si))
		return;
	switch (si.ssi_signo) {
	case SIGWINCH:
		loop_input(l);
		break;
	case SIGTSTP:
		loop_stop(l);
		break;
	case SIGCONT:
		l->p->resume();
		loop_show(l);
		break;
	default:
		loop_end(l, SIGNALLED + si.ssi_signo);
	}
}

/* Keys; or, in batch, nothing but news that the reader has gone. */
static void loop_outside(struct loop *l, int revents)
{
	if (l->opt->batch)
		loop_end(l, 0);
	else if (revents & POLLIN)
		loop_input(l);
	else
		loop_end(l, SIGNALLED + SIGHUP);
}

static void loop_drain(struct loop *l)
{
	live_drain(l->src);
	drain_arm(l);
}

/* Signals first: what ends the loop needs no further sample. */
static void loop_turn(struct loop *l)
{
	if (poll(l->fd, FD_COUNT, -1) < 0) {
		if (errno != EINTR)
			loop_fail(l, "poll", -errno);
		return;
	}
	if (l->fd[FD_SIGNAL].revents)
		loop_signal(l);
	if (!l->done && l->fd[FD_OUTSIDE].revents)
		loop_outside(l, l->fd[FD_OUTSIDE].revents);
	if (!l->done && l->fd[FD_DRAIN].revents &&
	    timer_fired(l->fd[FD_DRAIN].fd))
		loop_drain(l);
	if (!l->done && l->fd[FD_SAMPLE].revents &&
	    timer_fired(l->fd[FD_SAMPLE].fd)) {
		loop_sample(l);
		sample_rearm(l);
	}
}

/* ---- beginning and end ------------------------------------------------ */

/* In batch the shell's own job control serves; a screen must let go first. */
static int signals_take(struct loop *l)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	if (!l->opt->batch) {
		sigaddset(&set, SIGQUIT);
		sigaddset(&set, SIGWINCH);
		sigaddset(&set, SIGTSTP);
		sigaddset(&set, SIGCONT);
	}
	l->old_pipe = signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, &l->old_mask);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int fds_open(struct loop *l)
{
	int flags = TFD_CLOEXEC | TFD_NONBLOCK, i;

	l->fd[FD_SIGNAL].fd = signals_take(l);
	l->fd[FD_SAMPLE].fd = timerfd_create(CLOCK_MONOTONIC, flags);
	l->fd[FD_DRAIN].fd = timerfd_create(CLOCK_MONOTONIC, flags);
	for (i = 0; i < FD_OUTSIDE; i++) {
		if (l->fd[i].fd < 0)
			return -errno;
		l->fd[i].events = POLLIN;
	}
	return 0;
}

static void fds_close(struct loop *l)
{
	int i;

	for (i = 0; i < FD_OUTSIDE; i++)
		if (l->fd[i].fd >= 0)
			close(l->fd[i].fd);
	sigprocmask(SIG_SETMASK, &l->old_mask, NULL);
	signal(SIGPIPE, l->old_pipe);
}

/* The first sample, while the terminal is still as it was. */
static int loop_begin(struct loop *l)
{
	l->start_ns = now_ns();
	l->random = l->start_ns | 1;
	loop_sample(l);
	if (l->done)
		return l->status;
	sample_arm(l);
	if (l->v->live)
		drain_arm(l);
	return l->p->open(l->opt, l->v);
}

int loop_run(const struct options *opt, struct source *src,
	     const struct presenter *p, struct view *v)
{
	struct loop l = { .opt = opt, .src = src, .p = p, .v = v };
	int keep = !opt->batch || v->window_ns > v->interval_ns;
	int err;

	err = fds_open(&l);
	if (!err)
		err = lens_open(&l.lens, opt, keep);
	if (err) {
		loop_fail(&l, "start", err);
		goto out;
	}
	l.status = loop_begin(&l);
	if (l.status || l.done)
		goto out;
	l.fd[FD_OUTSIDE].fd = opt->batch ? STDOUT_FILENO : p->fd();
	l.fd[FD_OUTSIDE].events = opt->batch ? 0 : POLLIN;
	while (!l.done)
		loop_turn(&l);
	p->close();
out:
	lens_close(&l.lens);
	fds_close(&l);
	return l.status;
}
