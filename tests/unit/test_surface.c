/*
 * Does only clean text meet the cells, and only where it may?
 */
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include "out.h"
#include "surface.h"
#include "test.h"
#include "text.h"

static struct surface s;
static struct out out;

static void start(int w, int h, int ascii)
{
	setlocale(LC_ALL, "C.UTF-8");
	s.ascii = ascii;
	CHECK_EQ_INT(surface_resize(&s, w, h), 0);
}

/* Line y as UTF-8, without the blanks at its end. */
static const char *shown(int y)
{
	out_reset(&out);
	out_surface(&out, &s, y, y + 1);
	out_bytes(&out, "", 1);
	out.buf[out.n - 2] = '\0';
	return out.buf;
}

/* Every cell printable, each wide character followed by its other half. */
static void check_cells(void)
{
	int i, n = s.w * s.h;

	for (i = 0; i < n; i++) {
		uint32_t ch = s.cell[i].ch;

		if (ch == CELL_REST) {
			CHECK(i % s.w > 0);
			CHECK(s.cell[i - 1].ch >= 0x1100);
			continue;
		}
		CHECK(ch >= 0x20 && ch != 0x7f && !(ch >= 0x80 && ch < 0xa0));
		CHECK(!s.ascii || ch < 0x7f);
	}
}

TEST(surface_begins_blank)
{
	start(3, 2, 0);
	CHECK_EQ_STR(shown(0), "");
	CHECK_EQ_U64(s.cell[5].ch, ' ');
	CHECK_EQ_INT(s.cell[5].role, ROLE_NORMAL);
}

TEST(surface_text_returns_columns)
{
	start(10, 1, 0);
	CHECK_EQ_INT(surface_text(&s, 1, 0, 9, ROLE_HOT, "abc"), 3);
	CHECK_EQ_STR(shown(0), " abc");
	CHECK_EQ_INT(s.cell[1].role, ROLE_HOT);
	CHECK_EQ_INT(s.cell[4].role, ROLE_NORMAL);
}

TEST(surface_text_stays_within_its_columns)
{
	int x, w, i;

	for (x = -6; x < 9; x++)
		for (w = -1; w < 9; w++) {
			start(8, 3, 0);
			surface_fill(&s, 0, 0, 8, 3, ROLE_GAP, '.');
			surface_text(&s, x, 1, w, ROLE_HOT, "wörld-wide");
			for (i = 0; i < 24; i++) {
				int in = i / 8 == 1 && i % 8 >= x &&
					 i % 8 < x + w;

				CHECK_EQ_INT(s.cell[i].role == ROLE_HOT, in);
			}
		}
}

TEST(surface_ignores_what_is_outside)
{
	static const int far[] = { INT_MIN, -1, 4, INT_MAX };
	static const double v[] = { 1, 2 };
	size_t i, j;

	start(4, 4, 0);
	for (i = 0; i < 4; i++)
		for (j = 0; j < 4; j++) {
			surface_text(&s, far[i], far[j], INT_MAX, 0, "abc");
			surface_right(&s, far[i], far[j], 2, 0, "abc");
			surface_right(&s, 0, far[j], far[i], 0, "abc");
			surface_fill(&s, far[i], far[j], 3, 3, 0, '#');
			surface_role(&s, far[i], far[j], 2, ROLE_HOT);
			surface_spark(&s, far[i], far[j], 2, 0, v, 2, 0);
		}
	check_cells();
	start(0, 0, 0);
	surface_text(&s, 0, 0, 5, 0, "abc");
	surface_fill(&s, -1, -1, 9, 9, 0, '#');
}

TEST(surface_keeps_its_cells_when_memory_is_short)
{
	start(4, 1, 0);
	surface_text(&s, 0, 0, 4, 0, "kept");
	CHECK_EQ_INT(surface_resize(&s, INT_MAX, INT_MAX), -ENOMEM);
	CHECK_EQ_STR(shown(0), "kept");
}

/* ESC sequences, CR, TAB, DEL and C1 controls in a name. */
TEST(surface_c5_no_control_reaches_a_cell)
{
	start(30, 1, 0);
	CHECK_EQ_INT(surface_text(&s, 0, 0, 30, 0,
				  "\x1b]0;x\a\x1b[31m\r\t\x7f\xc2\x9b"), 15);
	CHECK_EQ_STR(shown(0), "\ufffd]0;x\ufffd\ufffd[31m\ufffd\ufffd"
		     "\ufffd\ufffd");
	check_cells();
}

TEST(surface_c1_newline_is_one_replacement)
{
	start(10, 1, 0);
	CHECK_EQ_INT(surface_text(&s, 0, 0, 10, 0, "a\nb"), 3);
	CHECK_EQ_STR(shown(0), "a\ufffd" "b");
}

TEST(surface_c4_invalid_bytes_are_one_replacement_each)
{
	start(20, 1, 0);
	CHECK_EQ_INT(surface_text(&s, 0, 0, 20, 0, "\xff"), 1);
	CHECK_EQ_INT(surface_text(&s, 0, 0, 20, 0, "\xe4\xb8" "A"), 3);
	CHECK_EQ_STR(shown(0), "\ufffd\ufffd" "A");
	/* overlong, surrogate, beyond 10ffff */
	CHECK_EQ_INT(surface_text(&s, 0, 0, 20, 0, "\xc0\x80"), 2);
	CHECK_EQ_INT(surface_text(&s, 0, 0, 20, 0, "\xed\xa0\x80"), 3);
	CHECK_EQ_INT(surface_text(&s, 0, 0, 20, 0, "\xf4\x90\x80\x80"), 4);
	check_cells();
}

TEST(surface_c7_wide_characters_are_never_cut)
{
	int w;

	for (w = 0; w <= 12; w++) {
		start(12, 1, 0);
		CHECK_EQ_INT(surface_text(&s, 0, 0, w, 0, "漢字漢字漢"),
			     w < 10 ? w / 2 * 2 : 10);
		check_cells();
	}
}

TEST(surface_c7_combining_and_zero_width_are_dropped)
{
	start(10, 1, 0);
	CHECK_EQ_INT(surface_text(&s, 0, 0, 10, 0, "\u0301\u0302"), 0);
	CHECK_EQ_INT(surface_text(&s, 0, 0, 10, 0, "e\u0301\u200dx"), 2);
	CHECK_EQ_STR(shown(0), "ex");
}

TEST(surface_blanks_the_other_half_of_a_wide_character)
{
	start(6, 1, 0);
	surface_text(&s, 0, 0, 6, 0, "漢字漢");
	surface_text(&s, 1, 0, 2, 0, "ab");
	CHECK_EQ_STR(shown(0), " ab 漢");
	check_cells();
	surface_text(&s, -1, 0, 4, 0, "字");
	check_cells();
	surface_text(&s, 5, 0, 4, 0, "字");
	check_cells();
}

TEST(surface_ascii_mode_holds_only_ascii)
{
	start(20, 1, 1);
	CHECK_EQ_INT(surface_text(&s, 0, 0, 20, 0, "é漢\x01└─±x"), 7);
	CHECK_EQ_STR(shown(0), "???`-~x");
	surface_fill(&s, 0, 0, 20, 1, 0, 0x2500);
	check_cells();
}

TEST(surface_width_is_that_of_the_text)
{
	setlocale(LC_ALL, "C.UTF-8");
	CHECK_EQ_INT(text_width("a漢e\u0301\xff", 0), 5);
	CHECK_EQ_INT(text_width("a漢", 1), 2);
	CHECK_EQ_INT(text_width("", 0), 0);
}

TEST(surface_widths_are_known_in_the_c_locale)
{
	setlocale(LC_ALL, "C");
	CHECK_EQ_INT(text_width("a漢e\u0301─\x1b", 0), 6);
	setlocale(LC_ALL, "C.UTF-8");
}

TEST(surface_random_bytes_do_no_harm)
{
	char text[40];
	unsigned seed = 1;
	int i, j;

	start(23, 3, 0);
	for (i = 0; i < 20000; i++) {
		for (j = 0; j < 39; j++)
			text[j] = (char)(rand_r(&seed) % 255 + 1);
		text[j] = '\0';
		s.ascii = i & 1;
		if (s.ascii)
			surface_clear(&s);
		surface_text(&s, (int)(rand_r(&seed) % 40) - 10,
			     (int)(rand_r(&seed) % 5) - 1,
			     (int)(rand_r(&seed) % 30), 0, text);
		surface_right(&s, 2, 1, (int)(rand_r(&seed) % 30), 0, text);
		check_cells();
	}
}

TEST(surface_right_is_flush_and_cut_at_the_end)
{
	start(8, 1, 0);
	CHECK_EQ_INT(surface_right(&s, 0, 0, 8, 0, "56.3k"), 5);
	CHECK_EQ_STR(shown(0), "   56.3k");
	surface_clear(&s);
	CHECK_EQ_INT(surface_right(&s, 0, 0, 3, 0, "abcdef"), 3);
	CHECK_EQ_STR(shown(0), "abc");
}

TEST(surface_spark_has_eight_heights)
{
	static const double v[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	start(8, 1, 0);
	surface_spark(&s, 0, 0, 8, 0, v, 8, 0);
	CHECK_EQ_STR(shown(0), "▁▃▄▅▆▇▇█");
	s.ascii = 1;
	surface_spark(&s, 0, 0, 8, 0, v, 8, 0);
	CHECK_EQ_STR(shown(0), " :-=+**#");
}

TEST(surface_spark_takes_the_newest_and_leaves_gaps)
{
	static const double v[] = { 9, 8, NAN, 4, INFINITY, 8 };

	start(8, 1, 0);
	surface_spark(&s, 0, 0, 5, 0, v, 6, 8);
	CHECK_EQ_STR(shown(0), "█ ▅██");
	surface_spark(&s, 0, 0, 8, 0, v, 6, 8);
	CHECK_EQ_STR(shown(0), "  ██ ▅██");
	surface_spark(&s, 0, 0, 8, 0, v, 0, 0);
	CHECK_EQ_STR(shown(0), "");
}

TEST(text_encode_and_decode_are_inverse)
{
	uint32_t ch, got;
	char buf[4];
	size_t n;

	for (ch = 0; ch <= 0x10ffff; ch++) {
		if (ch >= 0xd800 && ch < 0xe000)
			continue;
		n = text_encode(buf, ch);
		CHECK_EQ_U64(text_decode(buf, n, &got), n);
		CHECK_EQ_U64(got, ch);
		CHECK_EQ_U64(text_decode(buf, n - 1, &got), 0);
	}
}

TEST_MAIN
