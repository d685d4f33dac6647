/*
 * What does a terminal get to see, and does it get back what it had?
 *
 * Each test is a child on a pseudo terminal of its own; the parent reads what
 * it wrote. A check that fails in the child ends it with the line's number.
 */
#include <errno.h>
#include <locale.h>
#include <malloc.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include "keys.h"
#include "present.h"
#include "rows.h"
#include "table.h"
#include "test.h"

#define WANT(cond)	do { if (!(cond)) child_fail(__LINE__, #cond); } while (0)
#define MARK		"\001MARK\001"

static const struct column columns[] = {
	{ "share", "SHARE", "", 6, 0, 0, FORM_SHARE, -1 },
	{ "name", "NAME", "", 12, 1, 0, FORM_TEXT, 1 },
	{ NULL }
};

static double add;		/* to the first share: something that changes */

static void draw(struct surface *s, const struct model *m, struct view *v)
{
	static const char *const names[] = { "漢字漢字", "\x1b]0;x\a\x1b[31m",
		"a\nb\xff", "plain", "hot" };
	struct table t = { .columns = columns, .rows = v->scratch, .view = v,
			   .pv = &v->p[v->pane], .default_sort = "share" };
	unsigned i;

	(void)m;
	rows_reset(v->scratch);
	for (i = 0; i < 5; i++) {
		struct row *row = rows_add(v->scratch, i);

		row->v[0] = value_real(.5 - i / 100. + (i ? 0 : add));
		row->v[1] = value_text(names[i]);
		row->role = i == 4 ? ROLE_HOT : ROLE_NORMAL;
	}
	table_draw(s, 0, 0, s->w, s->h, &t);
}

static const struct pane pane = { "test", "Test", '1', columns, NULL, draw,
				  NULL, "share" };
const struct pane *const pane_table[] = { &pane, NULL };

static const struct presenter *const p = &curses_presenter;
static struct options opt = { .interval_ns = 1000000000 };
static struct view v;
static struct model m;
static struct termios before;

static __attribute__((noreturn)) void child_fail(int line, const char *what)
{
	dprintf(STDOUT_FILENO, "\n@%d: %s\n", line, what);
	_exit(99);
}

static void mark(void)
{
	WANT(write(STDOUT_FILENO, MARK, strlen(MARK)) > 0);
}

static void child_open(void)
{
	sigset_t set;

	sigemptyset(&set);		/* as the loop does */
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	WANT(!tcgetattr(0, &before));
	view_init(&v, &opt);
	v.live = 1;
	WANT(p->open(&opt, &v) == 0);
}

static void child_close(void)
{
	struct termios after;

	p->close();
	p->close();
	WANT(!tcgetattr(0, &after));
	WANT(after.c_lflag == before.c_lflag);
	WANT(after.c_iflag == before.c_iflag);
	WANT(after.c_oflag == before.c_oflag);
	view_free(&v);
}

static void size_set(int w, int h)
{
	struct winsize size = { .ws_row = (unsigned short)h,
				.ws_col = (unsigned short)w };

	WANT(!ioctl(STDOUT_FILENO, TIOCSWINSZ, &size));
}

static struct {
	char out[1 << 22];
	size_t n;
	int status;		/* of waitpid */
} seen;

/* Is it in what was seen, from `from` on?  Its place + 1, or 0. */
static size_t find(const char *text, size_t from)
{
	char *at = memmem(seen.out + from, seen.n - from, text, strlen(text));

	return at ? (size_t)(at - seen.out) + 1 : 0;
}

static void read_all(int master, const char *keys)
{
	struct pollfd pfd = { .fd = master, .events = POLLIN };
	ssize_t n;

	for (seen.n = 0; seen.n < sizeof(seen.out);) {
		if (poll(&pfd, 1, 20000) <= 0)
			break;
		n = read(master, seen.out + seen.n, sizeof(seen.out) - seen.n);
		if (n <= 0)
			break;
		seen.n += (size_t)n;
		if (keys && find(MARK, 0)) {
			CHECK(write(master, keys, strlen(keys)) > 0);
			keys = NULL;
		}
	}
}

/* Run it on a terminal of this kind; keys are typed at its first mark. */
static void run(const char *term, const char *keys, void (*child)(void))
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	int master;
	pid_t pid;

	fflush(stdout);
	pid = forkpty(&master, NULL, NULL, &size);
	CHECK(pid >= 0);
	if (!pid) {
		setlocale(LC_ALL, "C.UTF-8");
		if (term)
			setenv("TERM", term, 1);
		else
			unsetenv("TERM");
		unsetenv("NO_COLOR");
		child();
		fflush(stdout);
		tcdrain(STDOUT_FILENO);
		_exit(0);
	}
	read_all(master, keys);
	kill(pid, SIGKILL);
	close(master);
	CHECK_EQ_INT(waitpid(pid, &seen.status, 0), pid);
	if (find("\n@", 0))
		printf("  in the child: %.60s\n", seen.out + find("\n@", 0));
	CHECK(!find("\n@", 0));
}

static void child_frame(void)
{
	child_open();
	WANT(p->show(&m, &v) == 0);
	child_close();
}

TEST(curses_draws_and_gives_back)
{
	run("xterm-256color", NULL, child_frame);
	CHECK_EQ_INT(find("\x1b[?1049h", 0), 1);
	CHECK(find("50.0%", 0));
	CHECK(find("漢字漢字", 0));
	CHECK(find("\x1b[?1049l", find("50.0%", 0)));
	CHECK(find("\x1b[?25h", 0) || find("\x1b[?12l\x1b[?25h", 0));
}

TEST(curses_c5_no_control_of_a_name_reaches_the_terminal)
{
	run("xterm-256color", NULL, child_frame);
	CHECK(find("\ufffd]0;x\ufffd\ufffd[31m", 0));
	CHECK(!find("\x1b]0", 0));
	CHECK(!find("\a", 0));
}

TEST(curses_plain_terminals)
{
	static const char *const terms[] = { "vt100", "linux", "screen",
		"xterm-nobody-has-heard-of" };
	size_t i;

	for (i = 0; i < 4; i++) {
		run(terms[i], NULL, child_frame);
		CHECK(find("50.0%", 0));
	}
}

static void child_refused(void)
{
	view_init(&v, &opt);
	WANT(p->open(&opt, &v) == 4);
	p->close();
	view_free(&v);
}

TEST(curses_c70_refuses_in_one_line)
{
	static const char *const terms[] = { NULL, "", "dumb", "unknown" };
	size_t i;

	for (i = 0; i < 4; i++) {
		run(terms[i], NULL, child_refused);
		CHECK_EQ_INT(find("stalltop: terminal: ", 0), 1);
		CHECK(find("TERM", 0) && find("--batch", 0));
		CHECK_EQ_U64(find("\n", 0), seen.n);
	}
}

static void child_changes(void)
{
	child_open();
	WANT(p->show(&m, &v) == 0);
	mark();
	WANT(p->show(&m, &v) == 0);
	mark();
	add = .001;
	WANT(p->show(&m, &v) == 0);
	mark();
	child_close();
}

TEST(curses_writes_only_what_changed)
{
	size_t first, second, third;

	run("xterm-256color", NULL, child_changes);
	first = find(MARK, 0);
	second = find(MARK, first);
	third = find(MARK, second);
	CHECK(first && second && third);
	CHECK_EQ_U64(second - first, strlen(MARK));
	CHECK(third - second > strlen(MARK));
	CHECK(third - second < strlen(MARK) + 80);
}

static void child_resizes(void)
{
	unsigned seed = 3;
	int i;

	child_open();
	for (i = 0; i < 1000; i++) {
		size_set((int)(rand_r(&seed) % 120), (int)(rand_r(&seed) % 40));
		p->input(&v, &m);
		WANT(p->show(&m, &v) == 0);
	}
	size_set(500, 200);
	WANT(p->input(&v, &m) & PRESENT_REDRAW);
	WANT(p->show(&m, &v) == 0);
	size_set(1, 1);
	WANT(p->show(&m, &v) == 0);
	size_set(0, 0);
	WANT(p->show(&m, &v) == 0);
	size_set(80, 24);
	mark();
	WANT(p->show(&m, &v) == 0);
	child_close();
}

TEST(curses_c68_resized_a_thousand_times)
{
	run("xterm-256color", NULL, child_resizes);
	CHECK_EQ_INT(seen.status, 0);
	CHECK(find("50.0%", find(MARK, 0)));
}

/* Reads until q; letters, Home, Down and UTF-8 come. */
static void child_keys(void)
{
	struct pollfd pfd = { .events = POLLIN };
	int result = 0;

	child_open();
	pfd.fd = p->fd();
	WANT(p->show(&m, &v) == 0);
	mark();
	while (!(result & PRESENT_QUIT)) {
		WANT(poll(&pfd, 1, 20000) == 1);
		result = p->input(&v, &m);
		WANT(p->show(&m, &v) == 0);
	}
	WANT(v.p[0].position == 2);
	WANT(!strcmp(v.p[0].filter, "é"));
	WANT(v.window_ns == 1000000000);
	child_close();
}

TEST(curses_keys_arrive)
{
	run("xterm-256color", "jG\x1bOH\x1bOB\x1bOBw/é\x7fé\rq", child_keys);
	CHECK_EQ_INT(seen.status, 0);
}

static void child_emergency(void)
{
	struct termios after;
	size_t len;

	curses_emergency();		/* no screen yet: nothing */
	curses_restore_bytes(&len);
	WANT(len == 0);
	child_open();
	WANT(p->show(&m, &v) == 0);
	curses_restore_bytes(&len);
	WANT(len > 0);
	mark();
	errno = 7;
	curses_emergency();
	WANT(errno == 7);
	curses_emergency();
	WANT(!tcgetattr(0, &after));
	WANT(after.c_lflag == before.c_lflag);
	mark();
	_exit(0);
}

TEST(curses_emergency_restores)
{
	size_t from;

	run("xterm-256color", NULL, child_emergency);
	from = find(MARK, 0);
	CHECK(find("\x1b[?1049l", from));
	CHECK(find("\x1b[?1049l", from) < find(MARK, from));
	CHECK(!find("\x1b[?1049l", find("\x1b[?1049l", from)));
}

static void child_crash(void)
{
	child_open();
	WANT(p->show(&m, &v) == 0);
	mark();
	raise(SIGSEGV);
}

TEST(curses_crash_restores)
{
#ifdef __SANITIZE_ADDRESS__
	SKIP("the sanitizer's own handler is kept");
#endif
	run("xterm-256color", NULL, child_crash);
	CHECK(WIFSIGNALED(seen.status));
	CHECK_EQ_INT(WTERMSIG(seen.status), SIGSEGV);
	CHECK(find("\x1b[?1049l", find(MARK, 0)));
}

static void child_suspend(void)
{
	struct termios during;

	child_open();
	WANT(p->show(&m, &v) == 0);
	p->suspend();
	p->suspend();
	WANT(!tcgetattr(0, &during));
	WANT(during.c_lflag == before.c_lflag);
	WANT(p->show(&m, &v) == 0);	/* nothing while it is not ours */
	mark();
	p->resume();
	p->resume();
	WANT(p->show(&m, &v) == 0);
	child_close();
}

TEST(curses_c74_suspends_and_comes_back)
{
	size_t at;

	run("xterm-256color", NULL, child_suspend);
	at = find(MARK, 0);
	CHECK(find("\x1b[?1049l", 0) < at);
	CHECK(find("50.0%", at));
	CHECK(find("\x1b[?1049h", at));
}

static void child_no_colour(void)
{
	setenv("NO_COLOR", "1", 1);
	child_frame();
}

static void child_mono(void)
{
	opt.theme = "mono";
	child_frame();
}

TEST(curses_no_colour_when_asked)
{
	static void (*const child[])(void) = { child_no_colour, child_mono };
	size_t i;

	run("xterm-256color", NULL, child_frame);
	CHECK(find("\x1b[31m", 0) || find("\x1b[1;31m", 0) ||
	      find("\x1b[31;1m", 0) || find("[31m", 0));
	for (i = 0; i < 2; i++) {
		char code[] = "\x1b[30m";
		int c;

		run("xterm-256color", NULL, child[i]);
		CHECK(find("50.0%", 0));
		for (c = '0'; c < '8'; c++) {
			code[3] = (char)c;
			CHECK(!find(code, 0));
		}
	}
}

static void child_steady(void)
{
	size_t used = 0;
	int i;

	child_open();
	for (i = 0; i < 200; i++) {
		add = i % 7 / 1000.;
		WANT(p->show(&m, &v) == 0);
		if (i == 50)
			used = mallinfo2().uordblks;
	}
	WANT(mallinfo2().uordblks == used);
	child_close();
}

TEST(curses_allocates_nothing_in_the_long_run)
{
#ifdef __SANITIZE_ADDRESS__
	SKIP("the sanitizer's allocator keeps no such account");
#endif
	run("xterm-256color", NULL, child_steady);
}

TEST_MAIN
