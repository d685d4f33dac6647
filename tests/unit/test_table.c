/*
 * Are rows sorted, filtered, scrolled and drawn as the view says, without
 * dancing?
 */
#include <locale.h>
#include <math.h>
#include "out.h"
#include "rows.h"
#include "table.h"
#include "test.h"

static const struct column columns[] = {
	{ "share", "SHARE", "share of all", 6, 0, 0, FORM_SHARE, -1 },
	{ "per_s", "/s", "per second", 7, 0, 1, FORM_COUNT, -1 },
	{ "name", "NAME", "who", 12, 1, 0, FORM_TEXT, 1 },
	{ "wait", "WAIT", "how long", 6, 0, 2, FORM_NS, -1 },
	{ NULL }
};

enum { SHARE, PER_S, NAME, WAIT };

static struct surface s;
static struct rows rows;
static struct pane_view pv;
static struct view view;
static struct out out;
static struct table t;

static void start(int w, int h)
{
	setlocale(LC_ALL, "C.UTF-8");
	rows_reset(&rows);
	memset(&pv, 0, sizeof(pv));
	memset(&view, 0, sizeof(view));
	t = (struct table){ .columns = columns, .rows = &rows, .view = &view,
			    .pv = &pv, .default_sort = "share" };
	s.ascii = 0;
	CHECK_EQ_INT(surface_resize(&s, w, h), 0);
}

static struct row *add(uint64_t id, double share, const char *name)
{
	struct row *row = rows_add(&rows, id);

	row->v[SHARE] = value_real(share);
	row->v[PER_S] = value_u64(id * 1000);
	row->v[NAME] = value_text(rows_text(&rows, name));
	return row;
}

static void add_interval(uint64_t id, double share, double half)
{
	struct row *row = add(id, share, "x");

	row->low = share - half;
	row->high = share + half;
}

static const char *draw(void)
{
	surface_clear(&s);
	table_draw(&s, 0, 0, s.w, s.h, &t);
	out_reset(&out);
	out_surface(&out, &s, 0, s.h);
	out_bytes(&out, "", 1);
	return out.buf;
}

/* The ids in order, "1 2 3". */
static const char *order(void)
{
	static char buf[1000];
	size_t i, len = 0;

	CHECK_EQ_INT(table_arrange(&t), 0);
	buf[0] = '\0';
	for (i = 0; i < rows.norder; i++)
		len += (size_t)sprintf(buf + len, "%s%llu", i ? " " : "",
			(unsigned long long)rows.row[rows.order[i]].id);
	return buf;
}

TEST(table_draws_header_and_rows)
{
	start(40, 4);
	add(2, 0.173, "exit")->v[WAIT] = value_real(1.9e6);
	add(1, 0.746, "pipe");
	CHECK_EQ_STR(draw(),
		     " SHARE▾      /s  NAME               WAIT\n"
		     " 74.6%    1.00k  pipe                  -\n"
		     " 17.3%    2.00k  exit              1.9ms\n"
		     "\n");
	CHECK_EQ_INT(s.cell[40 + 39].role, ROLE_SELECTED);
	CHECK_EQ_INT(s.cell[2 * 40 + 39].role, ROLE_NORMAL);
	CHECK_EQ_INT(s.cell[1].role, ROLE_SORTED);
}

TEST(table_absent_is_a_dash_in_its_role)
{
	start(40, 4);
	add(1, 0.5, "a");
	add(2, 0.1, "b")->v[WAIT] = value_absent("no reason");
	add(3, 0.05, "c")->v[WAIT] = value_real(INFINITY);
	draw();
	CHECK_EQ_U64(s.cell[2 * 40 + 39].ch, '-');
	CHECK_EQ_INT(s.cell[2 * 40 + 39].role, ROLE_MISSING);
	CHECK_EQ_U64(s.cell[3 * 40 + 39].ch, '-');
}

TEST(table_sorts_and_reverses)
{
	start(40, 9);
	add(1, 0.2, "b");
	add(2, 0.5, "c");
	add(3, 0.3, "a");
	CHECK_EQ_STR(order(), "2 3 1");
	pv.norder = 0;
	pv.reverse = 1;
	CHECK_EQ_STR(order(), "1 3 2");
	pv.norder = 0;
	strcpy(pv.sort, "name");
	pv.reverse = 0;
	CHECK_EQ_STR(order(), "3 1 2");
	strcpy(pv.sort, "no such");
	pv.norder = 0;
	CHECK_EQ_STR(order(), "2 3 1");
	t.default_sort = NULL;
	pv.norder = 0;
	CHECK_EQ_STR(order(), "1 2 3");
}

TEST(table_sorts_integers_exactly)
{
	start(40, 9);
	strcpy(pv.sort, "per_s");
	add(1, 0, "a")->v[PER_S] = value_u64(9007199254740992);
	add(2, 0, "b")->v[PER_S] = value_u64(9007199254740993);
	add(3, 0, "c")->v[PER_S] = value_u64(UINT64_MAX);
	CHECK_EQ_STR(order(), "3 2 1");
}

TEST(table_absent_is_last_both_ways)
{
	start(40, 9);
	add(1, NAN, "a");
	add(2, 0.5, "b");
	add(3, 0.3, "c")->v[SHARE] = value_absent(NULL);
	add(4, 0.7, "d");
	CHECK_EQ_STR(order(), "4 2 1 3");
	pv.reverse = 1;
	pv.norder = 0;
	CHECK_EQ_STR(order(), "2 4 1 3");
}

TEST(table_rows_do_not_dance)
{
	start(40, 9);
	add_interval(1, 0.30, 0.02);
	add_interval(2, 0.29, 0.02);
	add_interval(3, 0.10, 0.02);
	CHECK_EQ_STR(order(), "1 2 3");
	rows_reset(&rows);		/* the next frame: 2 a little larger */
	add_interval(1, 0.29, 0.02);
	add_interval(2, 0.31, 0.02);
	add_interval(3, 0.10, 0.02);
	CHECK_EQ_STR(order(), "1 2 3");
	rows_reset(&rows);		/* now surely larger */
	add_interval(1, 0.20, 0.02);
	add_interval(2, 0.40, 0.02);
	add_interval(3, 0.21, 0.02);
	CHECK_EQ_STR(order(), "2 1 3");
	rows_reset(&rows);		/* gone, and a new one */
	add_interval(3, 0.21, 0.02);
	add_interval(9, 0.22, 0.02);
	CHECK_EQ_STR(order(), "3 9");
}

TEST(table_equal_rows_keep_their_order)
{
	start(40, 9);
	add(5, 0.1, "a");
	add(6, 0.1, "b");
	CHECK_EQ_STR(order(), "5 6");
	rows_reset(&rows);
	add(6, 0.1, "b");
	add(5, 0.1, "a");
	CHECK_EQ_STR(order(), "5 6");
}

/* An interval of the share says nothing of another column. */
TEST(table_intervals_hold_for_their_column_only)
{
	start(40, 9);
	strcpy(pv.sort, "per_s");
	add_interval(1, 0.30, 0.2);
	add_interval(2, 0.31, 0.2);
	CHECK_EQ_STR(order(), "2 1");
	rows.row[0].v[PER_S] = value_u64(9000);
	CHECK_EQ_STR(order(), "1 2");
}

static void add_tree(void)
{
	add(1, 0.2, "mm");
	add(11, 0.05, "rmap")->depth = 1;
	add(12, 0.15, "fault")->depth = 1;
	add(121, 0.01, "x")->depth = 2;
	add(122, 0.02, "y")->depth = 2;
	add(2, 0.7, "sched");
	add(21, 0.7, "pipe")->depth = 1;
}

TEST(table_tree_sorts_among_siblings)
{
	start(40, 9);
	add_tree();
	CHECK_EQ_STR(order(), "2 21 1 12 122 121 11");
	pv.reverse = 1;
	pv.norder = 0;
	CHECK_EQ_STR(order(), "1 11 12 121 122 2 21");
}

TEST(table_tree_keeps_its_order_in_blocks)
{
	start(40, 9);
	add_tree();
	order();
	rows.row[0].v[SHARE] = value_real(0.8);
	rows.row[0].low = rows.row[5].low = 0.5;
	rows.row[0].high = rows.row[5].high = 0.9;
	CHECK_EQ_STR(order(), "2 21 1 12 122 121 11");
	rows.row[0].low = 0.75;
	rows.row[5].high = 0.74;
	CHECK_EQ_STR(order(), "1 12 122 121 11 2 21");
}

TEST(table_tree_without_roots_does_no_harm)
{
	start(40, 9);
	add(1, 0.1, "a")->depth = 3;
	add(2, 0.2, "b")->depth = 9;
	add(3, 0.3, "c")->depth = 2;
	add(4, 0.4, "d")->depth = 200;
	add(5, 0.5, "e")->depth = 1;
	CHECK_EQ_STR(order(), "1 5 2 3 4");
}

TEST(table_indents_the_name)
{
	start(40, 9);
	add_tree();
	draw();
	CHECK(strstr(out.buf, "  NAME "));
	CHECK(strstr(out.buf, "  sched "));
	CHECK(strstr(out.buf, "    pipe "));
	CHECK(strstr(out.buf, "      y "));
}

TEST(table_filter_ignores_case_and_keeps_parents)
{
	start(40, 9);
	add_tree();
	strcpy(pv.filter, "Y");
	CHECK_EQ_STR(order(), "1 12 122");
	CHECK_EQ_U64(pv.nrows, 3);
	CHECK_EQ_U64(pv.ntotal, 7);
	strcpy(pv.filter, "SCHED");
	CHECK_EQ_STR(order(), "2 21");
	strcpy(pv.filter, "zzz");
	CHECK_EQ_STR(order(), "");
	CHECK(strstr(draw(), "no row matches \"zzz\""));
}

TEST(table_selection_follows_the_row)
{
	start(40, 3);
	add(1, 0.5, "a");
	add(2, 0.3, "b");
	add(3, 0.2, "c");
	pv.selected = 2;
	pv.selected_set = 1;
	order();
	CHECK_EQ_U64(pv.position, 1);
	rows.row[1].v[SHARE] = value_real(0.9);
	order();
	CHECK_EQ_U64(pv.position, 0);
	CHECK_EQ_U64(pv.selected, 2);
}

TEST(table_vanished_selection_stays_in_its_place)
{
	start(40, 3);
	add(1, 0.5, "a");
	add(2, 0.3, "b");
	add(3, 0.2, "c");
	pv.selected = 3;
	pv.selected_set = 1;
	order();
	rows_reset(&rows);
	add(1, 0.5, "a");
	add(2, 0.3, "b");
	order();
	CHECK_EQ_U64(pv.position, 1);
	CHECK_EQ_U64(pv.selected, 2);
	rows_reset(&rows);
	CHECK_EQ_STR(order(), "");
	CHECK_EQ_INT(pv.selected_set, 1);
}

TEST(table_first_row_is_selected_until_a_key_moves)
{
	start(40, 3);
	add(1, 0.5, "a");
	add(2, 0.3, "b");
	order();
	CHECK_EQ_U64(pv.selected, 1);
	rows.row[1].v[SHARE] = value_real(0.9);
	order();
	CHECK_EQ_U64(pv.selected, 2);
	CHECK_EQ_U64(pv.position, 0);
	pv.position = 1;
	pv.selected_set = 2;
	order();
	CHECK_EQ_U64(pv.selected, 1);
	CHECK_EQ_INT(pv.selected_set, 1);
}

TEST(table_scrolls_to_the_selection)
{
	unsigned i;

	start(40, 5);
	for (i = 0; i < 20; i++)
		add(i, 1 - i / 100., "x");
	draw();
	CHECK_EQ_INT(pv.page, 4);
	CHECK_EQ_U64(pv.top, 0);
	pv.position = 10;
	pv.selected_set = 2;
	draw();
	CHECK_EQ_U64(pv.top, 7);
	pv.position = 19;
	pv.selected_set = 2;
	draw();
	CHECK_EQ_U64(pv.top, 16);
	surface_resize(&s, 40, 15);
	draw();
	CHECK_EQ_U64(pv.top, 6);
}

TEST(table_exact_shows_all_digits)
{
	start(60, 3);
	view.exact = 1;
	add(1, 0.74615, "a")->v[PER_S] = value_u64(56283);
	rows.row[0].v[WAIT] = value_real(381);
	CHECK(strstr(draw(), "74.61%"));
	CHECK(strstr(out.buf, "56,283"));
	CHECK(strstr(out.buf, "381ns"));
}

/* 12,345,678 cut to seven columns would be another number. */
TEST(table_never_cuts_a_number)
{
	start(60, 3);
	view.exact = 1;
	add(1, 0.5, "a")->v[PER_S] = value_u64(12345678);
	CHECK(strstr(draw(), " 12.3M "));
	CHECK(!strstr(out.buf, "12,345"));
}

TEST(table_c8_a_shorter_name_leaves_no_tail)
{
	start(40, 2);
	add(1, 0.5, "kworker/0:1-e");
	table_draw(&s, 0, 0, 40, 2, &t);
	rows_reset(&rows);
	add(1, 0.5, "C");
	table_draw(&s, 0, 0, 40, 2, &t);
	out_reset(&out);
	out_surface(&out, &s, 1, 2);
	CHECK(memmem(out.buf, out.n, "kworker", 7) == NULL);
}

TEST(table_draws_at_every_size)
{
	int w, h;

	start(1, 1);
	add_tree();
	for (w = 0; w < 90; w++)
		for (h = 0; h < 12; h++) {
			CHECK_EQ_INT(surface_resize(&s, w, h), 0);
			table_draw(&s, 0, 0, w, h, &t);
		}
	CHECK_EQ_INT(surface_resize(&s, 10, 1), 0);
	CHECK_EQ_STR(draw(), " 70.0%  sc\n");
}

TEST(table_columns_stay_where_they_are)
{
	int x;

	start(70, 2);
	add(1, 0.5, "a");
	draw();
	for (x = 0; s.cell[x].ch != 'W'; x++)
		;
	rows_reset(&rows);
	add(99999, 1, "a name far longer than its column is wide, surely so");
	draw();
	CHECK_EQ_U64(s.cell[x].ch, 'W');
}

TEST(rows_texts_do_not_move)
{
	const char *first;
	unsigned i;

	start(1, 1);
	first = rows_text(&rows, "first");
	for (i = 0; i < 5000; i++)
		rows_printf(&rows, "%u", i);
	CHECK_EQ_STR(first, "first");
	rows_reset(&rows);
	CHECK_EQ_STR(rows_text(&rows, "again"), "again");
	rows_free(&rows);
	rows_free(&rows);
}

TEST_MAIN
