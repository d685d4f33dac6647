/*
 * Does the page say what box, when, how sure and at what price, at any size?
 */
#include "keys.h"
#include "out.h"
#include "page.h"
#include "present.h"
#include "scene.h"
#include "table.h"
#include "test.h"

static const struct column columns[] = {
	{ "share", "SHARE", "share of everything", 6, 0, 0, FORM_SHARE, -1 },
	{ "name", "NAME", "who did it", 12, 1, 0, FORM_TEXT, 1 },
	{ NULL }
};

static void draw(struct surface *s, const struct model *m, struct view *v)
{
	struct table t = { .columns = columns, .rows = v->scratch, .view = v,
			   .pv = &v->p[v->pane], .default_sort = "share" };
	unsigned i;

	(void)m;
	rows_reset(v->scratch);
	for (i = 0; i < 30; i++) {
		struct row *row = rows_add(v->scratch, i);

		row->v[0] = value_real((30 - i) / 100.);
		row->v[1] = value_text(i % 2 ? "odd \x1b[31m" : "even 漢字");
	}
	table_draw(s, 0, 0, s->w, s->h, &t);
}

static void draw_wild(struct surface *s, const struct model *m, struct view *v)
{
	(void)m;
	(void)v;
	surface_fill(s, -5, -5, 10000, 10000, ROLE_HOT, '#');
}

static const struct pane first = { "first", "First pane", '1', columns, NULL,
				   draw, draw, "share" };
static const struct pane wild = { "wild", "Wild", '2', NULL, NULL, draw_wild,
				  NULL, NULL };

const struct pane *const pane_table[] = { &first, &wild, NULL };

static struct scene sc;
static struct page page;
static struct out out;

static void start(void)
{
	if (sc.names)
		scene_close(&sc);
	scene_open(&sc, 24);
	sc.now.wall_ns = 1796047402123000000;
	scene_rate(&sc, STAT_SWITCHES, 0, 56283);
	scene_rate(&sc, VM_PGFAULT, 0, 12100);
	scene_put(&sc, SELF_CPU, 0, 0, 0, 70000000);
	scene_put(&sc, LOAD_READS, 0, 0, 0, 100);
	scene_put(&sc, LOAD_SUM, 0, 0, 0, 720);
	scene_gauge(&sc, LOAD_MAX, 0, 31);
	scene_seal(&sc);
	sc.m.planned_ns = sc.view.window_ns = SCENE_SPAN_NS;
	sc.view.interval_ns = 1000000000;
	sc.view.live = 1;
}

static const char *shown(int w, int h)
{
	CHECK_EQ_INT(page_draw(&page, w, h, &sc.m, &sc.view), 0);
	out_reset(&out);
	out_surface(&out, &page.s, 0, h);
	out_bytes(&out, "", 1);
	return out.buf;
}

static const char *line(int w, int h, int y)
{
	CHECK_EQ_INT(page_draw(&page, w, h, &sc.m, &sc.view), 0);
	out_reset(&out);
	out_surface(&out, &page.s, y, y + 1);
	out.buf[out.n - 1] = '\0';
	return out.buf;
}

TEST(page_status_says_box_time_and_price)
{
	start();
	CHECK_EQ_STR(line(90, 24, 0), "stalltop  web-07  6.18.44  24 cpu  "
		     "LIVE 1.0s  window 10s  own 0.7%"
		     "                14:03:22");
}

TEST(page_headline_says_whether_something_is_wrong)
{
	start();
	CHECK_EQ_STR(line(76, 24, 1), " switches 56.3k/s  run queue 7.2 max 31"
		     "      faults 12.1k/s  tlb ipi -");
}

TEST(page_status_drops_whole_parts)
{
	static const char *const words[] = { "stalltop", "web-07", "6.18.44",
		"24 cpu", "LIVE 1.0s", "window 10s", "own 0.7%", "14:03:22" };
	const char *text, *word;
	size_t i;
	int w;

	start();
	for (w = 40; w < 120; w++) {
		text = line(w, 24, 0);
		while (*text) {
			text += strspn(text, " ");
			for (i = 0; i < 8; i++) {
				word = words[i];
				if (!strncmp(text, word, strlen(word)))
					break;
			}
			CHECK(i < 8);
			text += strlen(words[i]);
		}
		CHECK(strstr(out.buf, "LIVE 1.0s"));
		CHECK(strstr(out.buf, "web-07"));
	}
}

TEST(page_paused_shows_how_old_it_is)
{
	start();
	sc.view.paused = 1;
	sc.view.behind_ns = 12000000000ull;
	CHECK(strstr(line(90, 24, 0), "  PAUSED -12s  "));
	CHECK(!strstr(out.buf, "LIVE"));
	sc.view.behind_ns = 0;
	CHECK(strstr(line(90, 24, 0), "  PAUSED  "));
}

/* An interval of hours after a suspend must not look like ten seconds. */
TEST(page_c56_a_span_far_from_the_plan_is_flagged)
{
	int x;

	start();
	sc.m.span_ns = 2 * 3600000000000ull;
	CHECK(strstr(line(110, 24, 0), "window 10s but spans 2.0h"));
	for (x = 0; page.s.cell[x].role != ROLE_WARN; x++)
		CHECK(x < 110);
	sc.m.span_ns = SCENE_SPAN_NS * 3;
	CHECK(!strstr(line(110, 24, 0), "spans"));
	sc.m.span_ns = 2500000000ull;		/* at the beginning */
	CHECK(strstr(line(110, 24, 0), "window 10s: 2.5s"));
	sc.view.window_ns = 0;
	CHECK(strstr(line(110, 24, 0), "window all: 2.5s"));
}

TEST(page_without_a_sample)
{
	start();
	sc.m = (struct model){ 0 };
	CHECK(strstr(shown(90, 24), "switches -"));
	CHECK(strstr(out.buf, "run queue -"));
}

TEST(page_numbers_are_never_cut)
{
	const char *text;
	int w;

	start();
	for (w = 1; w < 80; w++) {
		text = line(w, 24, w < 40 ? 0 : 1);
		CHECK(!strstr(text, "56.3k") || strstr(text, "56.3k/s"));
		CHECK(!strstr(text, "5") || strstr(text, "56.3k/s"));
		CHECK(!strstr(text, "12.") || strstr(text, "12.1k/s"));
		CHECK(!strstr(text, "max") || strstr(text, "max 31"));
	}
}

TEST(page_tabs_and_rules)
{
	start();
	CHECK_EQ_STR(line(60, 24, 2), " 1 First pane  2 Wild");
	CHECK_EQ_INT(page.s.cell[2 * 60 + 1].role, ROLE_TAB_ON);
	CHECK(strstr(line(60, 24, 3), "────────"));
	sc.view.ascii = 1;
	CHECK(strstr(line(60, 24, 3), "--------"));
}

TEST(page_hints_are_the_keys_that_work)
{
	start();
	CHECK(strstr(line(200, 24, 23), "Enter open"));
	CHECK(!strstr(out.buf, "t by"));
	CHECK(!strstr(out.buf, "Esc"));
	sc.view.p[0].opened = 1;
	CHECK(strstr(line(200, 24, 23), "Esc back"));
	CHECK(!strstr(out.buf, "Enter open"));
	sc.view.p[0].opened = 0;
	sc.view.pane = 1;
	CHECK(!strstr(line(200, 24, 23), "filter"));
	CHECK(strstr(line(40, 24, 23), "? help"));
	CHECK(strstr(out.buf, "q quit"));
}

TEST(page_message_answers_in_the_hint_line)
{
	start();
	strcpy(sc.view.message, "nothing older is kept");
	CHECK_EQ_STR(line(80, 24, 23), " nothing older is kept");
}

TEST(page_filter_counts_its_rows)
{
	start();
	view_key(&sc.view, &sc.m, '/');
	view_key(&sc.view, &sc.m, 'O');
	view_key(&sc.view, &sc.m, 'D');
	CHECK_EQ_STR(line(80, 24, 23),
		     " /OD_  15 of 30 rows match  Enter keep  Esc clear");
	view_key(&sc.view, &sc.m, PRESS_ENTER);
	CHECK(strstr(line(80, 24, 23), " \"OD\": 15 of 30 rows match  "));
	view_key(&sc.view, &sc.m, '/');
	CHECK(strstr(shown(20, 5), "/OD_"));
}

/* Every key and column of the tables is in the help, at some scroll. */
TEST(page_help_is_made_of_the_tables)
{
	const struct key *k;

	start();
	view_key(&sc.view, &sc.m, '?');
	shown(100, 80);
	for (k = key_table; k->label; k++)
		if (k->help)
			CHECK(strstr(out.buf, k->help));
	CHECK(strstr(out.buf, "Columns of First pane"));
	CHECK(strstr(out.buf, "share of everything"));
	CHECK(strstr(out.buf, "who did it"));
	view_key(&sc.view, &sc.m, 'G');
	CHECK(strstr(shown(100, 20), "0 is a measured zero"));
	CHECK(!strstr(out.buf, " Keys\n"));
}

TEST(page_sort_picker_lies_over_the_table)
{
	start();
	view_key(&sc.view, &sc.m, 's');
	CHECK(strstr(shown(80, 24), " sort by"));
	CHECK(strstr(out.buf, " NAME         who did it"));
}

TEST(page_ascii_has_only_ascii)
{
	int w, i;

	start();
	sc.view.ascii = 1;
	for (w = 1; w < 130; w += 7) {
		shown(w, 24);
		for (i = 0; i < page.s.w * page.s.h; i++)
			CHECK(page.s.cell[i].ch >= 0x20 &&
			      page.s.cell[i].ch < 0x7f);
	}
}

TEST(page_a_wild_pane_stays_in_its_place)
{
	start();
	sc.view.pane = 1;
	CHECK(strstr(line(90, 24, 0), "web-07"));
	CHECK(strstr(line(90, 24, 23), "q quit"));
	CHECK(strstr(line(90, 24, 4), "####"));
}

static void check_overlays(int w, int h)
{
	enum view_overlay o;

	for (o = OVERLAY_NONE; o <= OVERLAY_SORT; o++) {
		sc.view.overlay = o;
		CHECK_EQ_INT(page_draw(&page, w, h, &sc.m, &sc.view), 0);
		CHECK_EQ_INT(page.s.w * page.s.h, w * h);
	}
	sc.view.overlay = OVERLAY_NONE;
}

TEST(page_c68_every_size)
{
	static const int odd[][2] = { { 1, 1 }, { 2, 1 }, { 1, 200 },
		{ 38, 10 }, { 500, 200 }, { 0, 0 }, { 0, 9 }, { 9, 0 } };
	size_t i;
	int w, h;

	start();
	strcpy(sc.view.input, "typed");
	for (w = 1; w <= 100; w++)
		for (h = 1; h <= 30; h++)
			check_overlays(w, h);
	for (i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		check_overlays(odd[i][0], odd[i][1]);
	strcpy(sc.view.input, "");
}

TEST(page_grows_without_allocating_again)
{
	const struct cell *cells;

	start();
	shown(120, 40);
	cells = page.s.cell;
	shown(10, 3);
	shown(120, 40);
	CHECK(page.s.cell == cells);
	page_free(&page);
	out_free(&out);
	scene_close(&sc);
}

TEST_MAIN
