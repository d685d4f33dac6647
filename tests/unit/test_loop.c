/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the loop show the right two samples, as often as it should, and end as
 * it should?  A source and a presenter of our own, on real timers; only order
 * and counts are checked, never how long something took.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "loop.h"
#include "test.h"

#define MS 1000000ull

enum { SHOWS = 64 };

struct shown {
	uint64_t newer, older, span_ns, planned_ns;
	int paused;
};

static struct {
	struct source src;
	struct names *names;
	struct host host;
	uint64_t seq, last;		/* last: the end, 0 = none */
	int fail;
} from;

static struct {
	struct shown shown[SHOWS];
	size_t n;
	int opened, closed, suspended, resumed, inputs;
	char said[160];			/* to the last key */
	int show_err, open_status;
	int keys[2];			/* a pipe; each byte is one input() */
	void (*on_show)(void);
} to;

static uint64_t mono_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static int from_next(struct source *src, struct sample *s)
{
	(void)src;
	if (from.fail)
		return from.fail;
	if (from.last && from.seq == from.last)
		return 0;
	sample_reset(s);
	s->seq = ++from.seq;
	s->mono_ns = s->boot_ns = mono_ns();
	s->names = from.names;
	s->host = &from.host;
	sample_add(s, VM_PGFAULT, 0, 0, s->seq * 10);
	sample_seal(s);
	return 1;
}

static int to_open(const struct options *opt, struct view *v)
{
	(void)opt;
	(void)v;
	to.opened++;
	return to.open_status;
}

static int to_fd(void)
{
	return to.keys[0];
}

/* q quits, a space pauses, [ steps back, w looks at all. */
static int to_input(struct view *v, const struct model *m)
{
	char c;

	CHECK(m->newer != NULL);
	to.inputs++;
	if (read(to.keys[0], &c, 1) != 1)
		return 0;
	switch (c) {
	case 'q':
		return PRESENT_QUIT;
	case ' ':
		v->paused = !v->paused;
		return PRESENT_SEEK | PRESENT_REDRAW;
	case '[':
		v->step = -1;
		return PRESENT_SEEK;
	case 'w':
		v->window_ns = 0;
		return PRESENT_WINDOW;
	case 'B':
		v->ask_pipe_bytes = 1;
		return PRESENT_REDRAW;
	}
	return 0;
}

static int to_show(const struct model *m, struct view *v)
{
	struct shown *s = &to.shown[to.n];

	CHECK(to.n < SHOWS);
	CHECK(m->older && m->newer);
	/* what is shown is what was read */
	CHECK_EQ_U64(sample_find(m->newer, VM_PGFAULT, 0, 0)->value,
		     m->newer->seq * 10);
	CHECK_EQ_U64(sample_find(m->older, VM_PGFAULT, 0, 0)->value,
		     m->older->seq * 10);
	*s = (struct shown){ m->newer->seq, m->older->seq, m->span_ns,
			     m->planned_ns, v->paused };
	memcpy(to.said, v->message, sizeof(to.said));
	to.n++;
	if (to.on_show)
		to.on_show();
	return to.show_err;
}

static void to_suspend(void) { to.suspended++; }
static void to_resume(void) { to.resumed++; }
static void to_close(void) { to.closed++; }

static const struct presenter presenter = {
	.open = to_open, .fd = to_fd, .input = to_input, .show = to_show,
	.suspend = to_suspend, .resume = to_resume, .close = to_close,
};

static void press(char c)
{
	CHECK(write(to.keys[1], &c, 1) == 1);
}

/* Run with these; the exit status. */
static int run(struct options *opt, uint64_t interval_ns, uint64_t window_ns)
{
	struct view v = { 0 };
	int status;

	opt->interval_ns = v.interval_ns = interval_ns;
	opt->window_ns = v.window_ns = window_ns;
	opt->history_ns = 60000 * MS;
	from.src = (struct source){ .next = from_next };
	from.seq = 0;
	if (!from.names)
		from.names = names_new();
	status = loop_run(opt, &from.src, &presenter, &v);
	if (to.keys[0]) {
		close(to.keys[0]);
		close(to.keys[1]);
	}
	return status;
}

static void begin(void)
{
	memset(&to, 0, sizeof(to));
	from.last = 0;
	from.fail = 0;
	CHECK(!pipe2(to.keys, O_NONBLOCK));
}

/* Batch: each frame against exactly the one before. */
TEST(loop_batch_frames_join)
{
	struct options opt = { .batch = 1, .count = 4 };
	size_t i;

	begin();
	CHECK_EQ_INT(run(&opt, 20 * MS, 20 * MS), 0);
	CHECK_EQ_INT(to.n, 4);
	for (i = 0; i < to.n; i++) {
		CHECK_EQ_U64(to.shown[i].newer, i + 2);
		CHECK_EQ_U64(to.shown[i].older, i + 1);
		CHECK_EQ_U64(to.shown[i].planned_ns, 20 * MS);
	}
	CHECK_EQ_INT(to.opened, 1);
	CHECK_EQ_INT(to.closed, 1);
	CHECK_EQ_U64(from.seq, 5);
}

/* Batch with a longer window: the older one trails it. */
TEST(loop_batch_window)
{
	struct options opt = { .batch = 1, .count = 12 };
	size_t i;

	begin();
	CHECK_EQ_INT(run(&opt, 20 * MS, 80 * MS), 0);
	CHECK_EQ_INT(to.n, 12);
	CHECK_EQ_U64(to.shown[0].older, 1);
	for (i = 0; i < to.n; i++) {
		CHECK(to.shown[i].older < to.shown[i].newer);
		if (to.shown[i].older > 1)	/* as old as it should be */
			CHECK(to.shown[i].span_ns >= 75 * MS);
	}
	CHECK(to.shown[11].older > 1);
}

TEST(loop_ends_with_its_source)
{
	struct options opt = { .batch = 1 };

	begin();
	from.last = 3;
	CHECK_EQ_INT(run(&opt, 10 * MS, 10 * MS), 0);
	CHECK_EQ_INT(to.n, 2);
	CHECK_EQ_INT(to.closed, 1);
}

TEST(loop_fails_with_its_source)
{
	struct options opt = { .batch = 1 };

	begin();
	from.fail = -EIO;
	CHECK_EQ_INT(run(&opt, 10 * MS, 10 * MS), 1);
	CHECK_EQ_INT(to.opened, 0);
}

TEST(loop_ends_quietly_when_the_reader_has_gone)
{
	struct options opt = { .batch = 1 };

	begin();
	to.show_err = -EPIPE;
	CHECK_EQ_INT(run(&opt, 10 * MS, 10 * MS), 0);
	CHECK_EQ_INT(to.n, 1);
	CHECK_EQ_INT(to.closed, 1);
}

TEST(loop_fails_when_nothing_can_be_written)
{
	struct options opt = { .batch = 1 };

	begin();
	to.show_err = -ENOSPC;
	CHECK_EQ_INT(run(&opt, 10 * MS, 10 * MS), 1);
	CHECK_EQ_INT(to.n, 1);
}

TEST(loop_takes_the_presenters_status)
{
	struct options opt = { 0 };

	begin();
	to.open_status = 4;
	CHECK_EQ_INT(run(&opt, 10 * MS, 10 * MS), 4);
	CHECK_EQ_INT(to.n, 0);
}

static int to_raise;
static void raise_it(void) { raise(to_raise); }

TEST(loop_ends_with_128_and_the_signal)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct options opt = { .batch = 1 };
	size_t i;
	int screen;

	for (screen = 0; screen < 2; screen++)
		for (i = 0; i < 3; i++) {
			begin();
			opt.batch = !screen;
			to.on_show = raise_it;
			to_raise = signals[i];
			CHECK_EQ_INT(run(&opt, 10 * MS, 10 * MS),
				     128 + signals[i]);
			CHECK_EQ_INT(to.n, 1);
			CHECK_EQ_INT(to.closed, 1);
		}
}

/* All mask and dispositions are as they were before. */
TEST(loop_gives_the_signals_back)
{
	struct options opt = { .batch = 1, .count = 1 };
	struct sigaction before, after;
	sigset_t was, is;
	int i;

	begin();
	sigaction(SIGPIPE, NULL, &before);
	sigprocmask(SIG_SETMASK, NULL, &was);
	CHECK_EQ_INT(run(&opt, 10 * MS, 10 * MS), 0);
	sigaction(SIGPIPE, NULL, &after);
	sigprocmask(SIG_SETMASK, NULL, &is);
	CHECK(before.sa_handler == after.sa_handler);
	for (i = 1; i < SIGRTMIN; i++)
		CHECK_EQ_INT(sigismember(&is, i), sigismember(&was, i));
}

/* ---- the screen ---------------------------------------------------------- */

static void quit_at_4(void)
{
	if (to.n == 4)
		press('q');
}

TEST(loop_quits_by_key)
{
	struct options opt = { 0 };

	begin();
	to.on_show = quit_at_4;
	CHECK_EQ_INT(run(&opt, 20 * MS, 20 * MS), 0);
	CHECK_EQ_INT(to.n, 4);
}

static void ask(void)
{
	if (to.n == 1)
		press('B');
	else if (to.said[0])
		press('q');
}

/* This source cannot be asked for anything: the answer says so, once. */
TEST(loop_answers_a_key_that_asks)
{
	struct options opt = { 0 };

	begin();
	to.on_show = ask;
	CHECK_EQ_INT(run(&opt, 20 * MS, 20 * MS), 0);
	CHECK_EQ_STR(to.said, "pipe bytes: only of the running kernel");
}

/* The keyboard has gone: end, do not spin. */
static void hang_up(void)
{
	if (to.keys[1] >= 0)
		close(to.keys[1]);
	to.keys[1] = -1;
}

TEST(loop_ends_when_the_terminal_has_gone)
{
	struct options opt = { 0 };

	begin();
	to.on_show = hang_up;
	CHECK_EQ_INT(run(&opt, 20 * MS, 20 * MS), 128 + SIGHUP);
}

static void resize(void)
{
	if (to.n == 1)
		raise(SIGWINCH);
	if (to.n == 3)
		press('q');
}

TEST(loop_asks_the_presenter_about_a_resize)
{
	struct options opt = { 0 };

	begin();
	to.on_show = resize;
	CHECK_EQ_INT(run(&opt, 200 * MS, 200 * MS), 0);
	CHECK(to.inputs >= 2);
}

/* A window shorter than the interval is no reason to call a frame late. */
TEST(loop_plans_at_least_one_interval)
{
	struct options opt = { .batch = 1, .count = 1 };

	begin();
	CHECK_EQ_INT(run(&opt, 40 * MS, 10 * MS), 0);
	CHECK_EQ_U64(to.shown[0].planned_ns, 40 * MS);
	CHECK_EQ_U64(to.shown[0].older, 1);
}

/* Pause at 6, three steps back, look at all, go on. */
static void walk(void)
{
	static const char keys[] = " [[[w q";

	if (to.n >= 5 && to.n - 5 < sizeof(keys) - 1)
		press(keys[to.n - 5]);
}

TEST(loop_steps_back_in_a_pause)
{
	struct options opt = { 0 };
	const struct shown *s = to.shown;
	size_t i, at = 0;

	begin();
	to.on_show = walk;
	CHECK_EQ_INT(run(&opt, 200 * MS, 200 * MS), 0);
	for (i = 1; i < to.n && !at; i++)
		if (s[i].paused)
			at = i;
	CHECK(at > 0);
	for (i = at + 1; i < to.n && s[i].paused; i++) {
		CHECK(s[i].newer <= s[i - 1].newer);
		CHECK(s[i].newer + 1 >= s[i - 1].newer);
	}
	CHECK_EQ_U64(s[at].newer - s[i - 1].newer, 3);
	CHECK_EQ_U64(s[i - 1].older, 1);	/* window: all */
	CHECK_EQ_U64(s[i - 1].planned_ns, 0);
	CHECK(i < to.n);			/* back at the newest */
	CHECK_EQ_INT(s[i].paused, 0);
	CHECK(s[i].newer >= s[at].newer);
}

/* ---- stop and go ----------------------------------------------------------- */

static void stop_at_2(void)
{
	if (to.n == 2)
		raise(SIGTSTP);
	if (to.n == 5)
		press('q');
}

/* In a child: it really stops, and we let it go on. */
TEST(loop_gives_the_terminal_back_while_stopped)
{
	struct options opt = { 0 };
	int status, ok;
	pid_t pid;

	begin();
	fflush(stdout);
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		to.on_show = stop_at_2;
		ok = run(&opt, 20 * MS, 20 * MS) == 0 && to.suspended == 1 &&
		     to.resumed >= 1 && to.closed == 1;
		_exit(ok ? 42 : 1);
	}
	CHECK(pid > 0);
	CHECK(waitpid(pid, &status, WUNTRACED) == pid);
	CHECK(WIFSTOPPED(status));
	CHECK_EQ_INT(WSTOPSIG(status), SIGSTOP);
	kill(pid, SIGCONT);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status));
	CHECK_EQ_INT(WEXITSTATUS(status), 42);
}

TEST_MAIN
