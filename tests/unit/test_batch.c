/*
 * Is batch text plain, exact, whole and as long as was asked?
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "present.h"
#include "out.h"
#include "scene.h"
#include "table.h"
#include "test.h"

static const struct column columns[] = {
	{ "share", "SHARE", "", 6, 0, 0, FORM_SHARE, -1 },
	{ "n", "N", "", 4, 0, 0, FORM_COUNT, -1 },
	{ "name", "NAME", "", 8, 1, 0, FORM_TEXT, 1 },
	{ "alias", "ALIAS", "", 0, 0, 0, FORM_TEXT, 1 },
	{ NULL }
};

static const char *first_name;
static int thread;		/* its task.delay is read, 0 none */
static unsigned nrows;

static int fill(const struct model *m, const struct view *v, struct rows *r)
{
	unsigned i;

	(void)m;
	(void)v;
	for (i = 0; i < nrows; i++) {
		struct row *row = rows_add(r, i);

		row->v[0] = value_real(.5 - i / 1000.);
		row->v[1] = value_u64(12345678 + i);
		row->v[2] = value_text(i ? "other" : first_name);
		row->v[3] = value_text("hidden");
	}
	return 0;
}

static void draw(struct surface *s, const struct model *m, struct view *v)
{
	(void)m;
	(void)v;
	surface_text(s, 1, 0, s->w, ROLE_NORMAL, "totals");
	surface_text(s, s->w - 1, s->h - 1, 1, ROLE_NORMAL, "#");
}

static const struct pane pane = { "test", "Test", '1', columns, fill, draw,
				  NULL, "share" };
const struct pane *const pane_table[] = { &pane, NULL };

static struct scene sc;
static char text[1 << 20];

/* What `frames` frames write. */
static const char *run(const struct options *opt, int frames)
{
	const struct presenter *p = &batch_presenter;
	FILE *f = tmpfile();
	int keep = dup(STDOUT_FILENO), i, status;
	size_t n;

	CHECK(f && keep >= 0);
	scene_open(&sc, 24);
	sc.now.wall_ns = 1796047402123000000;
	scene_rate(&sc, STAT_SWITCHES, 0, 56283);
	if (thread)
		scene_gauge(&sc, TASK_DELAY,
			    scene_task(&sc, thread, "a\nb"), 5);
	scene_seal(&sc);
	view_init(&sc.view, opt);
	sc.view.ascii = opt->ascii;
	fflush(stdout);
	dup2(fileno(f), STDOUT_FILENO);
	status = p->open(opt, &sc.view);
	for (i = 0; i < frames && !status; i++)
		status = p->show(&sc.m, &sc.view);
	p->close();
	dup2(keep, STDOUT_FILENO);
	close(keep);
	rewind(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	view_free(&sc.view);
	scene_close(&sc);
	CHECK_EQ_INT(status, 0);
	return text;
}

static void check_plain(int ascii)
{
	const char *c;

	for (c = text; *c; c++) {
		CHECK(*c == '\n' || (unsigned char)*c >= 0x20);
		CHECK(*c != 0x7f && (!ascii || !(*c & 0x80)));
		CHECK(*c != '\n' || c == text || c[-1] != ' ');
	}
	CHECK(c == text || c[-1] == '\n');
}

TEST(batch_text_is_exact_and_plain)
{
	struct options o = { .batch = 1, .rows = 20, .window_ns = 1000000000 };

	first_name = "a name longer than its column";
	nrows = 2;
	CHECK_EQ_STR(run(&o, 1),
		"2026-11-30T14:03:22.123+00:00  web-07  6.18.44  24 cpu"
		"  window 1.0s  span 10.000s\n"
		"switches 56,283/s   run queue -   faults -   tlb ipi -\n"
		" totals" "                                             "
		"                                               #\n"
		" SHARE▾          N  NAME\n"
		"50.00%  12,345,678  a name longer than its column\n"
		"49.90%  12,345,679  other\n");
	check_plain(0);
}

TEST(batch_c5_hostile_names_are_cleaned)
{
	struct options o = { .batch = 1, .rows = 20 };

	first_name = "\x1b]0;x\a\r\n\t\x7f\xff漢";
	nrows = 1;
	CHECK(strstr(run(&o, 1), "\ufffd]0;x\ufffd\ufffd\ufffd\ufffd"
		     "\ufffd\ufffd漢\n"));
	check_plain(0);
	o.ascii = 1;
	CHECK(strstr(run(&o, 1), "?]0;x???????\n"));
	check_plain(1);
}

TEST(batch_rows_are_limited_and_said)
{
	struct options o = { .batch = 1, .rows = 3 };

	first_name = "x";
	nrows = 30;
	CHECK(strstr(run(&o, 1), "\n(3 of 30 rows; --rows 0 for all)\n"));
	CHECK(strstr(text, "12,345,680") && !strstr(text, "12,345,681"));
	o.rows = 0;
	CHECK(strstr(run(&o, 1), "12,345,707"));
	CHECK(!strstr(text, "--rows"));
}

TEST(batch_frames_are_apart_by_one_line)
{
	struct options o = { .batch = 1, .rows = 1 };
	char *blank;

	nrows = 1;
	run(&o, 3);
	blank = strstr(text, "\n\n2026-");
	CHECK(blank);
	blank = strstr(blank + 2, "\n\n2026-");
	CHECK(blank);
	CHECK(!strstr(blank + 2, "\n\n"));
}

TEST(batch_size_is_that_of_the_pane)
{
	struct options o = { .batch = 1, .width = 30, .height = 5 };

	run(&o, 1);
	CHECK(strstr(text, "\n totals\n\n\n\n"
		     "                             #\n"));
	check_plain(0);
}

TEST(batch_empty_pane_shows_what_it_draws)
{
	struct options o = { .batch = 1 };

	nrows = 0;
	CHECK(strstr(run(&o, 1), "\n totals\n"));
	CHECK(!strstr(text, "SHARE"));
}

/* Threads share their names: the number tells them apart. */
TEST(batch_raw_tells_threads_apart)
{
	struct options o = { .batch = 1, .pane = "raw" };

	thread = 812;
	CHECK(strstr(run(&o, 1), "\ntask.delay \"a\ufffdb (812)\" 5\n"));
	thread = 0;
}

TEST(batch_raw_is_one_reading_a_line)
{
	struct options o = { .batch = 1, .pane = "raw" };

	CHECK(strstr(run(&o, 1), "\nstat.switches 1562830\n"));
	o.json = 1;
	CHECK(strstr(run(&o, 1), "{\"metric\":\"stat.switches\","
		     "\"value\":1562830}"));
}

/* C73: a reader that went away is no error, but it is an end. */
TEST(batch_c73_tells_that_the_reader_has_gone)
{
	struct out out = { 0 };
	int fd[2];

	signal(SIGPIPE, SIG_IGN);
	CHECK_EQ_INT(pipe(fd), 0);
	close(fd[0]);
	out_text(&out, "frame\n");
	CHECK_EQ_INT(out_write(&out, fd[1]), -EPIPE);
	CHECK_EQ_U64(out.n, 0);
	out_free(&out);
	close(fd[1]);
}

/* A pipe that is full for a while gets all of it all the same. */
TEST(batch_waits_for_a_slow_reader)
{
	static char big[200000];
	struct out out = { 0 };
	size_t got = 0;
	ssize_t n;
	int fd[2];
	pid_t pid;

	CHECK_EQ_INT(pipe2(fd, O_NONBLOCK), 0);
	memset(big, 'x', sizeof(big));
	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		close(fd[0]);
		out_bytes(&out, big, sizeof(big));
		_exit(out_write(&out, fd[1]) != 0);
	}
	close(fd[1]);
	fcntl(fd[0], F_SETFL, 0);
	while ((n = read(fd[0], big, 1000)) > 0)
		got += (size_t)n;
	CHECK_EQ_U64(got, sizeof(big));
	close(fd[0]);
}

TEST_MAIN
