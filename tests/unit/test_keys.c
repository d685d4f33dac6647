/*
 * Does each key do what the table says, where it says, and nothing elsewhere?
 */
#include <locale.h>
#include "keys.h"
#include "page.h"
#include "present.h"
#include "rows.h"
#include "table.h"
#include "test.h"

/* Panes of our own, so that scripts do not depend on the real ones. */
static const struct column columns[] = {
	{ "share", "SHARE", "", 6, 0, 0, FORM_SHARE, -1 },
	{ "name", "NAME", "", 12, 1, 0, FORM_TEXT, 1 },
	{ "trend", "TREND", "", 8, 0, 3, FORM_TREND, -1 },
	{ "n", "N", "", 6, 0, 1, FORM_COUNT, -1 },
	{ NULL }
};

enum { ROWS = 100 };

static int fill(const struct model *m, const struct view *v, struct rows *r)
{
	unsigned i;

	(void)m;
	(void)v;
	for (i = 0; i < ROWS; i++) {
		struct row *row = rows_add(r, 1000 + i);

		row->v[0] = value_real((ROWS - i) / 1000.);
		row->v[1] = value_text(rows_printf(r, "name%02u", i));
		row->v[3] = value_u64(i);
	}
	return 0;
}

static void draw(struct surface *s, const struct model *m, struct view *v)
{
	struct table t = { .columns = columns, .rows = v->scratch, .view = v,
			   .pv = &v->p[v->pane], .default_sort = "share" };

	rows_reset(v->scratch);
	fill(m, v, v->scratch);
	table_draw(s, 0, 0, s->w, s->h, &t);
}

static void draw_text(struct surface *s, const struct model *m, struct view *v)
{
	(void)m;
	(void)v;
	surface_text(s, 0, 0, s->w, ROLE_NORMAL, "no table");
}

static const struct pane plain = { "plain", "Plain", '1', NULL, NULL,
				   draw_text, NULL, NULL };
static const struct pane schedule = { "schedule", "Schedule", '2', columns,
				      fill, draw, draw_text, "share" };
static const struct pane closed = { "closed", "Closed", '7', columns, fill,
				    draw, NULL, "share" };

const struct pane *const pane_table[] = { &plain, &schedule, &closed, NULL };

static struct view v;
static struct pane_view *pv;
static struct model m;
static struct page page;

static void start(const char *pane)
{
	static const struct options opt = { .interval_ns = 1000000000,
					    .window_ns = 10000000000ull };
	struct options o = opt;

	setlocale(LC_ALL, "C.UTF-8");
	o.pane = pane;
	view_free(&v);
	view_init(&v, &o);
	pv = &v.p[v.pane];
	CHECK_EQ_INT(page_draw(&page, 80, 24, &m, &v), 0);
}

/* One key after the other, drawn in between as the loop does; all results. */
static int press(const char *keys)
{
	int result = 0;

	for (; *keys; keys++) {
		result |= view_key(&v, &m, *keys);
		CHECK_EQ_INT(page_draw(&page, 80, 24, &m, &v), 0);
	}
	return result;
}

static int press_code(int key)
{
	int result = view_key(&v, &m, key);

	CHECK_EQ_INT(page_draw(&page, 80, 24, &m, &v), 0);
	return result;
}

TEST(keys_quit)
{
	start(NULL);
	CHECK_EQ_INT(press("q"), PRESENT_QUIT);
}

TEST(keys_help_opens_scrolls_and_closes)
{
	static const int keys[] = { '?', 'h', PRESS_F1 };
	size_t i;

	for (i = 0; i < 3; i++) {
		start("schedule");
		CHECK_EQ_INT(press_code(keys[i]), PRESENT_REDRAW);
		CHECK_EQ_INT(v.overlay, OVERLAY_HELP);
		press("jjj");
		CHECK_EQ_U64(v.help_top, 3);
		press("G");
		CHECK(v.help_top > 3 && v.help_top < 60);
		press("k");
		CHECK_EQ_INT(press("q"), PRESENT_REDRAW);
		CHECK_EQ_INT(v.overlay, OVERLAY_NONE);
	}
}

TEST(keys_panes_by_number_and_tab)
{
	start(NULL);
	CHECK_EQ_INT(press("2"), PRESENT_REDRAW);
	CHECK_EQ_INT(v.pane, 1);
	press("7");
	CHECK_EQ_INT(v.pane, 2);
	CHECK_EQ_INT(press("9"), 0);
	CHECK_EQ_INT(v.pane, 2);
	press("\t");
	CHECK_EQ_INT(v.pane, 0);
	press_code(PRESS_BACKTAB);
	CHECK_EQ_INT(v.pane, 2);
	press_code(PRESS_LEFT);
	CHECK_EQ_INT(v.pane, 1);
	press_code(PRESS_RIGHT);
	CHECK_EQ_INT(v.pane, 2);
}

TEST(keys_walk_through_the_rows)
{
	start("schedule");
	CHECK_EQ_U64(pv->nrows, ROWS);
	press("jj");
	CHECK_EQ_U64(pv->selected, 1002);
	press_code(PRESS_DOWN);
	press_code(PRESS_UP);
	CHECK_EQ_U64(pv->selected, 1002);
	press_code(PRESS_PGDN);
	CHECK_EQ_U64(pv->position, 2 + (size_t)pv->page);
	press_code(PRESS_PGUP);
	CHECK_EQ_U64(pv->position, 2);
	press("G");
	CHECK_EQ_U64(pv->selected, 1000 + ROWS - 1);
	press("j");
	CHECK_EQ_U64(pv->selected, 1000 + ROWS - 1);
	press_code(PRESS_PGDN);
	CHECK_EQ_U64(pv->position, ROWS - 1);
	press("g");
	CHECK_EQ_U64(pv->position, 0);
	press("k");
	CHECK_EQ_U64(pv->position, 0);
	press_code(PRESS_END);
	press_code(PRESS_HOME);
	CHECK_EQ_U64(pv->position, 0);
}

TEST(keys_open_and_back)
{
	start("schedule");
	press("jj");
	CHECK_EQ_INT(press("\r"), PRESENT_REDRAW);
	CHECK_EQ_INT(pv->opened, 1);
	CHECK_EQ_U64(pv->open, 1002);
	press("j");
	CHECK_EQ_U64(pv->open_top, 1);
	CHECK_EQ_INT(press("s"), 0);	/* no table, nothing to sort */
	press_code(PRESS_ESC);
	CHECK_EQ_INT(pv->opened, 0);
	CHECK_EQ_U64(pv->selected, 1002);
	press("\n");
	press_code(PRESS_BACKSPACE);
	CHECK_EQ_INT(pv->opened, 0);
	start("closed");
	CHECK_EQ_INT(press("\r"), 0);
	CHECK_EQ_INT(pv->opened, 0);
}

TEST(keys_filter_is_typed_kept_and_cleared)
{
	start("schedule");
	press("/NAME1");
	CHECK_EQ_INT(v.overlay, OVERLAY_FILTER);
	CHECK_EQ_STR(pv->filter, "NAME1");
	CHECK_EQ_U64(pv->nrows, 10);
	CHECK_EQ_U64(pv->ntotal, ROWS);
	press("x\b7\r");
	CHECK_EQ_INT(v.overlay, OVERLAY_NONE);
	CHECK_EQ_U64(pv->nrows, 1);
	CHECK_EQ_U64(pv->selected, 1017);
	press("/");
	CHECK_EQ_STR(v.input, "NAME17");
	press_code(PRESS_ESC);
	CHECK_EQ_STR(pv->filter, "");
	CHECK_EQ_INT(v.overlay, OVERLAY_NONE);
	CHECK_EQ_U64(pv->nrows, ROWS);
	press("/q\r");
	CHECK_EQ_INT(press_code(PRESS_ESC), PRESENT_REDRAW);
	CHECK_EQ_STR(pv->filter, "");
}

TEST(keys_filter_takes_and_rubs_whole_characters)
{
	start("schedule");
	press("/");
	press_code(0x6f22);
	press_code(0xe9);
	CHECK_EQ_STR(v.input, "漢é");
	press_code(PRESS_BACKSPACE);
	CHECK_EQ_STR(v.input, "漢");
	press_code(PRESS_BACKSPACE);
	press_code(PRESS_BACKSPACE);
	CHECK_EQ_STR(v.input, "");
	press("ab");
	press_code(PRESS_CTRL_U);
	CHECK_EQ_STR(v.input, "");
	CHECK_EQ_INT(press_code(0x9b), 0);
	CHECK_EQ_INT(press_code(0x01), 0);
	CHECK_EQ_STR(v.input, "");
}

TEST(keys_filter_never_overflows)
{
	int i;

	start("schedule");
	press("/");
	for (i = 0; i < 200; i++)
		press_code(0x6f22);
	CHECK_EQ_U64(strlen(v.input), (VIEW_FILTER - 1) / 3 * 3);
	CHECK_EQ_STR(pv->filter, v.input);
}

TEST(keys_sort_picker)
{
	start("schedule");
	press("s");
	CHECK_EQ_INT(v.overlay, OVERLAY_SORT);
	CHECK_EQ_U64(v.pick, 0);
	press("j");
	CHECK_EQ_U64(v.pick, 1);
	press("j");			/* over the trend */
	CHECK_EQ_U64(v.pick, 3);
	press("j");
	CHECK_EQ_U64(v.pick, 3);
	press("k\r");
	CHECK_EQ_STR(pv->sort, "name");
	press("sj");
	press_code(PRESS_ESC);
	CHECK_EQ_STR(pv->sort, "name");
	CHECK_EQ_INT(v.overlay, OVERLAY_NONE);
}

TEST(keys_sort_by_the_column_beside_and_reverse)
{
	start("schedule");
	press(">");
	CHECK_EQ_STR(pv->sort, "name");
	press(">");
	CHECK_EQ_STR(pv->sort, "n");
	CHECK_EQ_U64(pv->selected, 1000 + ROWS - 1);
	press(">");
	CHECK_EQ_STR(pv->sort, "n");
	press("r");
	CHECK_EQ_U64(pv->selected, 1000);
	press("I");
	CHECK_EQ_INT(pv->reverse, 0);
	press("<<<");
	CHECK_EQ_STR(pv->sort, "share");
}

TEST(keys_window_goes_round)
{
	start(NULL);
	CHECK_EQ_INT(press("w"), PRESENT_REDRAW | PRESENT_WINDOW);
	CHECK_EQ_U64(v.window_ns, 60000000000ull);
	press("w");
	CHECK_EQ_U64(v.window_ns, 0);
	press("w");
	CHECK_EQ_U64(v.window_ns, 1000000000ull);
	v.window_ns = 4000000000ull;
	press("w");
	CHECK_EQ_U64(v.window_ns, 10000000000ull);
}

TEST(keys_interval_stays_within_bounds)
{
	int i;

	start(NULL);
	press("+");
	CHECK_EQ_U64(v.interval_ns, 2000000000ull);
	for (i = 0; i < 20; i++)
		press("+");
	CHECK_EQ_U64(v.interval_ns, 60000000000ull);
	for (i = 0; i < 20; i++)
		press("-");
	CHECK_EQ_U64(v.interval_ns, 100000000ull);
	v.interval_ns = 3000000000ull;
	press("-");
	CHECK_EQ_U64(v.interval_ns, 2000000000ull);
}

TEST(keys_pause_and_step)
{
	start(NULL);
	CHECK_EQ_INT(press(" "), PRESENT_REDRAW | PRESENT_SEEK);
	CHECK_EQ_INT(v.paused, 1);
	press("[[[]");
	CHECK_EQ_INT(v.step, -2);
	press(" ");
	CHECK_EQ_INT(v.paused, 0);
	CHECK_EQ_INT(v.step, 0);
	CHECK_EQ_INT(press("["), PRESENT_REDRAW | PRESENT_SEEK);
	CHECK_EQ_INT(v.paused, 1);
	v.step = 0;
	press("{");
	CHECK_EQ_INT(v.step, -60);
	press("}");
	v.interval_ns = 0;
	press("}");
	v.interval_ns = 90000000000ull;
	press("}");
	CHECK_EQ_INT(v.step, 61);
}

TEST(keys_ask_for_bytes_of_pipes)
{
	start("schedule");
	CHECK_EQ_INT(view_key(&v, &m, 'B'), PRESENT_REDRAW);
	CHECK_EQ_INT(v.ask_pipe_bytes, 1);
}

TEST(keys_by_works_in_schedule_only)
{
	start("schedule");
	press("jj");
	CHECK_EQ_INT(press("t"), PRESENT_REDRAW);
	CHECK_EQ_INT(v.by, BY_STACK);
	CHECK_EQ_U64(pv->position, 0);
	press("tt");
	CHECK_EQ_INT(v.by, BY_SOURCE);
	start("closed");
	CHECK_EQ_INT(press("t"), 0);
	CHECK_EQ_INT(v.by, BY_SOURCE);
}

TEST(keys_without_a_table_walk_nowhere)
{
	start("plain");
	CHECK_EQ_INT(press("jkgG/srt<>\r"), 0);
	CHECK_EQ_INT(v.overlay, OVERLAY_NONE);
}

TEST(keys_unknown_change_nothing)
{
	struct view before;
	int key;

	start("schedule");
	before = v;
	for (key = 0x80; key < 0x300; key++)
		CHECK_EQ_INT(view_key(&v, &m, key), 0);
	CHECK_EQ_INT(view_key(&v, &m, 0), 0);
	CHECK_EQ_INT(view_key(&v, &m, -1), 0);
	CHECK_EQ_INT(memcmp(&before, &v, sizeof(v)), 0);
}

/* Whatever is typed, the view stays sound and the page can be drawn. */
TEST(keys_random_scripts)
{
	static const int codes[] = { PRESS_UP, PRESS_DOWN, PRESS_PGDN,
		PRESS_END, PRESS_BACKTAB, PRESS_ESC, PRESS_ENTER, PRESS_F1 };
	unsigned seed = 5;
	int i, key;

	start("schedule");
	for (i = 0; i < 30000; i++) {
		key = rand_r(&seed) % 3 ? (int)(rand_r(&seed) % 128) :
					  codes[rand_r(&seed) % 8];
		view_key(&v, &m, key);
		CHECK(v.pane < 3 && v.by < BY_COUNT && v.pick < 4);
		if (i % 10 == 0)
			CHECK_EQ_INT(page_draw(&page,
				(int)(rand_r(&seed) % 100),
				(int)(rand_r(&seed) % 30), &m, &v), 0);
	}
	view_free(&v);
	page_free(&page);
	page = (struct page){ 0 };
}

TEST(keys_table_speaks_for_itself)
{
	const struct key *k;

	for (k = key_table; k->label; k++) {
		CHECK(k->label[0]);
		CHECK(k->key[0]);
		CHECK(k->run || !k->where);
		CHECK(!k->hint || strchr(k->hint, '\t'));
		CHECK(!k->help || strlen(k->help) < 62);
		/* Help shows all but what the overlays' own hints show. */
		CHECK(k->help || (k->where & (IN_FILTER | IN_SORT | IN_HELP)));
	}
}

TEST(view_takes_the_options)
{
	struct options o = { .pane = "closed", .filter = "abc", .sort = "n",
			     .rows = 5, .ascii = 1 };

	view_free(&v);
	view_init(&v, &o);
	CHECK_EQ_INT(v.pane, 2);
	CHECK_EQ_STR(v.p[2].filter, "abc");
	CHECK_EQ_STR(v.p[2].sort, "n");
	CHECK_EQ_STR(v.p[0].sort, "");
	CHECK_EQ_U64(v.max_rows, 5);
	view_free(&v);
	view_free(&v);
	CHECK_EQ_INT(pane_find("schedule"), 1);
	CHECK_EQ_INT(pane_find("none"), -1);
}

TEST_MAIN
