/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do cells reach a terminal, and how do keys come back?  The only file
 * that knows curses.
 *
 * Invariants: whoever ends the program, the terminal is given back: close()
 * always, curses_emergency() at a fatal signal.  Other signals the loop reads
 * from a file, and calls input().  Cells that did not change are not touched.
 */
#define _XOPEN_SOURCE_EXTENDED 1
#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include "keys.h"
#include "page.h"
#include "present.h"
#include "theme.h"
#include "view_check.h"

enum { NO_TERMINAL = 4, ESC_MS = 25, KEYS_AT_ONCE = 256 };

static struct {
	SCREEN *screen;
	FILE *in;		/* stdin, or /dev/tty opened by us */
	int suspended;
	struct page page;
	struct surface last;	/* what the terminal shows */
	attr_t attributes[ROLE_COUNT];
	short pair[ROLE_COUNT];
	volatile sig_atomic_t taken;
	struct termios saved;
	char restore[128];
	size_t restore_len;
} tty;

/* ---- when all goes wrong ---------------------------------------------- */

const char *curses_restore_bytes(size_t *len)
{
	*len = tty.taken ? tty.restore_len : 0;
	return tty.restore;
}

/* write() and tcsetattr() alone: safe in a signal handler. */
void curses_emergency(void)
{
	int saved_errno = errno;

	if (!tty.taken)
		return;
	tty.taken = 0;
	if (write(STDOUT_FILENO, tty.restore, tty.restore_len) >= 0)
		tcsetattr(STDOUT_FILENO, TCSANOW, &tty.saved);
	errno = saved_errno;
}

static void fatal_signal(int number)
{
	curses_emergency();
	raise(number);		/* by default: SA_RESETHAND */
}

/* Whoever has a handler of his own (a sanitizer) keeps it. */
static void fatal_take(void)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
	struct sigaction sa = { .sa_handler = fatal_signal,
				.sa_flags = SA_RESETHAND }, before;
	size_t i;

	for (i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		if (!sigaction(fatal[i], NULL, &before) &&
		    before.sa_handler == SIG_DFL)
			sigaction(fatal[i], &sa, NULL);
}

/* ---- open ------------------------------------------------------------- */

static int is_powerless(const char *term)
{
	return !term || !*term || !strcmp(term, "dumb") ||
	       !strcmp(term, "unknown");
}

/* A terminal without an entry here is most likely newer than the entries. */
static SCREEN *screen_new(FILE *in)
{
	static const char *const likely[] = { "xterm-256color", "vt100" };
	const char *term = getenv("TERM");
	SCREEN *screen;
	size_t i;

	if (is_powerless(term))
		return NULL;
	screen = newterm(term, stdout, in);
	for (i = 0; !screen && i < 2; i++)
		screen = newterm(likely[i], stdout, in);
	return screen;
}

/* A terminfo string without its padding, "$<5>". */
static void restore_add(const char *name)
{
	const char *s = tigetstr(name), *end;

	if (!s || s == (char *)-1)
		return;
	while (*s && tty.restore_len < sizeof(tty.restore)) {
		end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;
		if (end)
			s = end + 1;
		else
			tty.restore[tty.restore_len++] = *s++;
	}
}

static void restore_make(void)
{
	static const char *const names[] = { "sgr0", "cnorm", "rmkx", "rmcup" };
	size_t i;

	tty.restore_len = 0;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		restore_add(names[i]);
}

static attr_t attributes_of(unsigned look)
{
	return (look & LOOK_BOLD ? A_BOLD : 0) |
	       (look & LOOK_REVERSE ? A_REVERSE : 0) |
	       (look & LOOK_UNDERLINE ? A_UNDERLINE : 0);
}

/* no-color.org: NO_COLOR set to anything but nothing. */
static void looks_take(const struct theme *theme)
{
	const char *no = getenv("NO_COLOR");
	int colours = theme->colours && !(no && *no) && has_colors() &&
		      start_color() == OK && use_default_colors() == OK;
	int i;

	for (i = 0; i < ROLE_COUNT; i++) {
		const struct look *look = &theme->look[i];

		tty.attributes[i] = attributes_of(look->attributes);
		tty.pair[i] = 0;
		if (colours && (look->fg >= 0 || look->bg >= 0) &&
		    init_pair((short)(i + 1), look->fg, look->bg) == OK)
			tty.pair[i] = (short)(i + 1);
	}
}

static void modes_take(void)
{
	set_escdelay(ESC_MS);
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	typeahead(-1);
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	scrollok(stdscr, FALSE);
	leaveok(stdscr, TRUE);
}

static int curses_refuse(const char *why)
{
	const char *term = getenv("TERM");

	fprintf(stderr, "stalltop: terminal: %s (TERM is %s%s%s); "
		"set TERM, or use --batch\n", why, term ? "\"" : "",
		term ? term : "not set", term ? "\"" : "");
	return NO_TERMINAL;
}

static int curses_open(const struct options *opt, struct view *v)
{
	int status = view_check(opt);

	if (status)
		return status;
	v->ascii = opt->ascii || strcmp(nl_langinfo(CODESET), "UTF-8");
	tty.in = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "re");
	if (!tty.in || !isatty(STDOUT_FILENO) || tcgetattr(fileno(tty.in), &tty.saved))
		return curses_refuse("no terminal to draw on");
	tty.screen = screen_new(tty.in);
	if (!tty.screen)
		return curses_refuse("cannot be drawn on");
	restore_make();
	tty.taken = 1;
	fatal_take();
	modes_take();
	looks_take(theme_find(opt->theme));
	return 0;
}

/* ---- size ------------------------------------------------------------- */

/*
 * -EIO when the terminal has gone.  A size of 0 means that nobody set one:
 * what curses has serves on.
 */
static int size_follow(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return -EIO;
	if (!size.ws_row || !size.ws_col ||
	    (size.ws_row == LINES && size.ws_col == COLS))
		return 0;
	if (resizeterm(size.ws_row, size.ws_col) == OK) {
		tty.last.w = tty.last.h = 0;
		clearok(curscr, TRUE);
	}
	return 0;
}

/* ---- show ------------------------------------------------------------- */

static void put_cell(int y, int x, const struct cell *c)
{
	wchar_t text[2] = { (wchar_t)c->ch, 0 };
	unsigned role = c->role < ROLE_COUNT ? c->role : ROLE_NORMAL;
	cchar_t cc;

	setcchar(&cc, text, tty.attributes[role], tty.pair[role], NULL);
	mvadd_wch(y, x, &cc);
}

/* last becomes s, of the same size; all is new if its size was another. */
static int put_changes(const struct surface *s)
{
	int all = tty.last.w != s->w || tty.last.h != s->h;
	struct cell *old;
	const struct cell *c = s->cell;
	int x, y;

	if (all) {
		if (surface_resize(&tty.last, s->w, s->h))
			return -ENOMEM;
		erase();
	}
	old = tty.last.cell;
	for (y = 0; y < s->h; y++)
		for (x = 0; x < s->w; x++, c++, old++) {
			if (!all && c->ch == old->ch && c->role == old->role)
				continue;
			if (c->ch != CELL_REST)
				put_cell(y, x, c);
			*old = *c;
		}
	return 0;
}

static uint64_t age_ns(const struct model *m)
{
	struct timespec t;
	uint64_t now;

	clock_gettime(CLOCK_MONOTONIC, &t);
	now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	return m->newer ? now - m->newer->mono_ns : 0;
}

static int curses_show(const struct model *m, struct view *v)
{
	int err;

	if (!tty.screen || tty.suspended)
		return 0;
	err = size_follow();
	if (err)
		return err;
	v->behind_ns = v->paused && v->live ? age_ns(m) : 0;
	err = page_draw(&tty.page, COLS, LINES, m, v);
	if (!err)
		err = put_changes(&tty.page.s);
	if (!err)
		refresh();
	return err;
}

/* ---- keys ------------------------------------------------------------- */

static int curses_fd(void)
{
	return tty.in ? fileno(tty.in) : -1;
}

/* enum press of a curses key code; 0 for those of no use here. */
static int press_of(wint_t code)
{
	static const struct {
		wint_t code;
		int press;
	} codes[] = {
		{ KEY_UP, PRESS_UP }, { KEY_DOWN, PRESS_DOWN },
		{ KEY_LEFT, PRESS_LEFT }, { KEY_RIGHT, PRESS_RIGHT },
		{ KEY_PPAGE, PRESS_PGUP }, { KEY_NPAGE, PRESS_PGDN },
		{ KEY_HOME, PRESS_HOME }, { KEY_END, PRESS_END },
		{ KEY_BTAB, PRESS_BACKTAB }, { KEY_F(1), PRESS_F1 },
		{ KEY_BACKSPACE, PRESS_BACKSPACE }, { KEY_ENTER, PRESS_ENTER },
	};
	size_t i;

	for (i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (codes[i].code == code)
			return codes[i].press;
	return 0;
}

/* At most so many keys at once: a pasted file must not stop the samples. */
static int curses_input(struct view *v, const struct model *m)
{
	int result = 0, i, key, got = OK;
	wint_t wc;

	if (!tty.screen || tty.suspended)
		return 0;
	if (size_follow())
		return PRESENT_QUIT;
	if (tty.last.w != COLS || tty.last.h != LINES)
		result = PRESENT_REDRAW;
	for (i = 0; i < KEYS_AT_ONCE && !(result & PRESENT_QUIT); i++) {
		got = get_wch(&wc);
		if (got == ERR)
			break;
		key = got == KEY_CODE_YES ? press_of(wc) : (int)wc;
		if (key == PRESS_CTRL_L)
			clearok(curscr, TRUE);
		if (key)
			result |= view_key(v, m, key);
	}
	return result;
}

/* ---- giving the terminal back ------------------------------------------ */

static void curses_suspend(void)
{
	if (!tty.screen || tty.suspended)
		return;
	endwin();
	tty.suspended = 1;
	tty.taken = 0;
}

/* Also after a stop that nobody announced: then the shell has changed the
 * modes, so all is set anew. */
static void curses_resume(void)
{
	if (!tty.screen)
		return;
	if (!tty.suspended)
		endwin();
	tty.suspended = 0;
	tty.taken = 1;
	clearok(curscr, TRUE);
	refresh();
	size_follow();
}

static void curses_close(void)
{
	if (tty.screen) {
		endwin();
		delscreen(tty.screen);
		tcsetattr(fileno(tty.in), TCSADRAIN, &tty.saved);
	}
	tty.taken = 0;
	tty.screen = NULL;
	if (tty.in && tty.in != stdin)
		fclose(tty.in);
	tty.in = NULL;
	tty.suspended = 0;
	page_free(&tty.page);
	surface_free(&tty.last);
}

const struct presenter curses_presenter = {
	.open = curses_open,
	.fd = curses_fd,
	.input = curses_input,
	.show = curses_show,
	.suspend = curses_suspend,
	.resume = curses_resume,
	.close = curses_close,
};
