/*
 * Do columns and page areas fit at every size?
 */
#include "layout.h"
#include "test.h"

static const struct column schedule[] = {
	{ "share", "SHARE", "", 6, 0, 0, FORM_SHARE, -1 },
	{ "plus_minus", "±", "", 4, 0, 1, FORM_PLUS_MINUS, -1 },
	{ "per_s", "/s", "", 6, 0, 0, FORM_COUNT, -1 },
	{ "source", "SOURCE", "", 23, 4, 0, FORM_TEXT, 1 },
	{ "via", "VIA", "", 11, 2, 4, FORM_TEXT, 1 },
	{ "class", "CLASS", "", 9, 0, 2, FORM_TEXT, 1 },
	{ "trend", "TREND", "", 8, 0, 6, FORM_TREND, -1 },
	{ "alias", "ALIAS", "", 0, 0, 9, FORM_TEXT, 1 },
	{ NULL }
};

static const struct column wide_first[] = {
	{ "a", "A", "", 200, 0, 0, FORM_COUNT, -1 },
	{ "b", "B", "", 1, 1, 1, FORM_COUNT, -1 },
	{ NULL }
};

static const struct column none[] = { { NULL } };

enum { SHARE, PLUS_MINUS, PER_S, SOURCE, VIA, CLASS, TREND, ALIAS };

static void check_columns(const struct column *columns, int keep, int w)
{
	struct layout_column at[PANE_COLUMNS];
	int used = layout_columns(columns, keep, w, at), end = 0, i;

	for (i = 0; i < layout_count(columns); i++) {
		CHECK(at[i].w >= 0);
		if (!at[i].w)
			continue;
		CHECK(at[i].x >= end + (end ? LAYOUT_GAP : 0));
		end = at[i].x + at[i].w;
	}
	CHECK(end <= w || w <= 0);
	CHECK_EQ_INT(used, end);
}

TEST(layout_columns_fit_at_every_width)
{
	int w, keep;

	for (w = 0; w <= 300; w++)
		for (keep = -1; keep < 7; keep++) {
			check_columns(schedule, keep, w);
			check_columns(wide_first, keep < 2 ? keep : 0, w);
			check_columns(none, -1, w);
		}
}

TEST(layout_name_and_number_stay)
{
	struct layout_column at[PANE_COLUMNS];
	int w;

	for (w = 16; w <= 300; w++) {
		layout_columns(schedule, SHARE, w, at);
		CHECK_EQ_INT(at[SHARE].w, 6);
		CHECK(at[SOURCE].w >= 8);
	}
	for (w = 16; w <= 300; w++) {
		layout_columns(schedule, TREND, w, at);
		CHECK(at[TREND].w > 0 && at[SOURCE].w > 0);
	}
}

TEST(layout_drops_the_highest_first)
{
	struct layout_column at[PANE_COLUMNS];
	int all = layout_wanted(schedule);

	CHECK_EQ_INT(all, 6 + 4 + 6 + 23 + 11 + 9 + 8 + 6 * LAYOUT_GAP);
	layout_columns(schedule, SHARE, all, at);
	CHECK_EQ_INT(at[TREND].w, 8);
	layout_columns(schedule, SHARE, all - 1, at);
	CHECK_EQ_INT(at[TREND].w, 0);
	CHECK(at[VIA].w > 0);
	layout_columns(schedule, SHARE, 50, at);
	CHECK_EQ_INT(at[VIA].w, 0);
	CHECK_EQ_INT(at[CLASS].w, 0);
}

/* One cell more takes no column away. */
TEST(layout_more_room_is_never_less)
{
	struct layout_column at[PANE_COLUMNS];
	int before[PANE_COLUMNS] = { 0 }, w, i;

	for (w = 1; w <= 300; w++) {
		layout_columns(schedule, SHARE, w, at);
		for (i = 0; i < layout_count(schedule); i++) {
			CHECK(at[i].w || !before[i]);
			before[i] = at[i].w;
		}
	}
}

TEST(layout_spare_room_goes_to_those_that_grow)
{
	struct layout_column at[PANE_COLUMNS];

	layout_columns(schedule, SHARE, layout_wanted(schedule) + 60, at);
	CHECK_EQ_INT(at[SOURCE].w, 23 + 40);
	CHECK_EQ_INT(at[VIA].w, 11 + 20);
	CHECK_EQ_INT(at[SHARE].w, 6);
	CHECK_EQ_INT(at[ALIAS].w, 0);
}

static void check_page(int w, int h)
{
	struct layout_page at;
	const int *line = &at.status;
	int used[60] = { 0 }, i, y;

	layout_page(w, h, &at);
	for (i = 0; i < 4; i++)
		if (line[i] >= 0) {
			CHECK(line[i] < h);
			CHECK_EQ_INT(used[line[i]]++, 0);
		}
	for (y = at.pane; y >= 0 && y < at.pane + at.pane_h; y++) {
		CHECK(y < h);
		CHECK_EQ_INT(used[y]++, 0);
	}
	CHECK_EQ_INT(at.pane >= 0, at.pane_h > 0);
	if (at.foot >= 0)
		CHECK_EQ_INT(used[at.foot]++, 0);
	if (at.hint >= 0)
		CHECK_EQ_INT(used[at.hint]++, 0);
	for (y = 0; y < h; y++)
		CHECK_EQ_INT(used[y], 1);
}

TEST(layout_page_fills_every_size)
{
	int w, h;

	for (w = 1; w <= 200; w++)
		for (h = 1; h <= 50; h++)
			check_page(w, h);
}

TEST(layout_small_pages_keep_headline_and_table)
{
	struct layout_page at;

	layout_page(39, 24, &at);
	CHECK_EQ_INT(at.status, -1);
	CHECK_EQ_INT(at.headline, 0);
	CHECK_EQ_INT(at.pane, 1);
	layout_page(80, 7, &at);
	CHECK_EQ_INT(at.hint, -1);
	layout_page(1, 1, &at);
	CHECK_EQ_INT(at.pane, 0);
	layout_page(0, 0, &at);
	CHECK_EQ_INT(at.pane, -1);
	layout_page(80, 24, &at);
	CHECK_EQ_INT(at.hint, 23);
	CHECK_EQ_INT(at.status, 0);
}

TEST_MAIN
