/*
 * Is every frame valid JSON, exact, and absent where it should be?
 */
#include <locale.h>
#include <math.h>
#include "health.h"
#include "json.h"
#include "rows.h"
#include "table.h"
#include "test.h"
#include "text.h"
#include "view.h"

static struct out out;

static const char *text(void)
{
	out_bytes(&out, "", 1);
	return out.buf;
}

static const char *string_of(const char *s)
{
	out_reset(&out);
	json_string(&out, s);
	return text();
}

static const char *real_of(double v)
{
	out_reset(&out);
	json_real(&out, v);
	return text();
}

/* ---- a checker of its own: RFC 8259, strict --------------------------- */

static const char *json_skip(const char *p);

static const char *skip_string(const char *p)
{
	uint32_t ch;
	size_t n;

	CHECK(*p == '"');
	for (p++; *p != '"'; p += n) {
		n = text_decode(p, strlen(p), &ch);
		CHECK(n > 0);
		CHECK(ch >= 0x20);
		if (ch != '\\')
			continue;
		CHECK(strchr("\"\\/bfnrtu", p[1]) && p[1]);
		n = p[1] == 'u' ? 6 : 2;
		CHECK(p[1] != 'u' || strspn(p + 2, "0123456789abcdef") >= 4);
	}
	return p + 1;
}

static const char *skip_list(const char *p, char end, int object)
{
	if (*++p == end)
		return p + 1;
	for (;; p++) {
		if (object) {
			p = skip_string(p);
			CHECK(*p == ':');
			p++;
		}
		p = json_skip(p);
		if (*p == end)
			return p + 1;
		CHECK(*p == ',');
	}
}

static const char *skip_number(const char *p)
{
	const char *digits = p += *p == '-';

	p += strspn(p, "0123456789");
	CHECK(p > digits);
	CHECK(*digits != '0' || p == digits + 1);
	if (*p == '.') {
		CHECK(strspn(p + 1, "0123456789") > 0);
		p += 1 + strspn(p + 1, "0123456789");
	}
	if (*p == 'e') {
		p += 1 + (p[1] == '-' || p[1] == '+');
		CHECK(strspn(p, "0123456789") > 0);
		p += strspn(p, "0123456789");
	}
	return p;
}

static const char *json_skip(const char *p)
{
	if (*p == '{')
		return skip_list(p, '}', 1);
	if (*p == '[')
		return skip_list(p, ']', 0);
	if (*p == '"')
		return skip_string(p);
	if (!strncmp(p, "null", 4))
		return p + 4;
	return skip_number(p);
}

static const char *check_line(void)
{
	const char *line = text(), *end = json_skip(line);

	CHECK_EQ_STR(end, "\n");
	return line;
}

TEST(json_strings_are_escaped)
{
	CHECK_EQ_STR(string_of("plain"), "\"plain\"");
	CHECK_EQ_STR(string_of("a\"b\\c"), "\"a\\\"b\\\\c\"");
	CHECK_EQ_STR(string_of("\n\t\x1b\x7f\xc2\x9b"),
		     "\"\\u000a\\u0009\\u001b\\u007f\\u009b\"");
	CHECK_EQ_STR(string_of("\xff" "a\xe4\xb8"),
		     "\"\ufffd" "a\ufffd\ufffd\"");
	CHECK_EQ_STR(string_of("漢é"), "\"漢é\"");
}

TEST(json_strings_are_valid_for_any_bytes)
{
	unsigned seed = 7;
	char bytes[64];
	int i, j;

	for (i = 0; i < 20000; i++) {
		for (j = 0; j < 63; j++)
			bytes[j] = (char)(rand_r(&seed) % 255 + 1);
		bytes[j] = '\0';
		CHECK_EQ_STR(skip_string(string_of(bytes)), "");
	}
}

TEST(json_reals_come_back_the_same)
{
	static const double v[] = { 0, 0.1, 1. / 3, 0.746, 1e-300, 1e300,
				    9007199254740993., -2.5 };
	size_t i;

	for (i = 0; i < sizeof(v) / sizeof(*v); i++) {
		CHECK(strtod(real_of(v[i]), NULL) == v[i]);
		CHECK_EQ_STR(skip_number(out.buf), "");
	}
	CHECK_EQ_STR(real_of(NAN), "null");
	CHECK_EQ_STR(real_of(-INFINITY), "null");
	CHECK_EQ_STR(real_of(0.1), "0.1");
}

/* ---- frames ----------------------------------------------------------- */

static const struct column columns[] = {
	{ "share", "SHARE", "", 6, 0, 0, FORM_SHARE, -1 },
	{ "n", "N", "", 6, 0, 0, FORM_COUNT, -1 },
	{ "name", "NAME", "", 6, 0, 0, FORM_TEXT, 1 },
	{ "wait", "WAIT", "", 6, 0, 0, FORM_NS, -1 },
	{ "trend", "TREND", "", 6, 0, 0, FORM_TREND, -1 },
	{ NULL }
};

static const struct pane pane = { .name = "test", .columns = columns };

static struct rows rows;
static struct pane_view pv;
static struct host host = { .name = "we\"b" };
static struct sample sample;
static struct health health;
static struct model m;

static void add(uint64_t n, double share, const char *name)
{
	struct row *row = rows_add(&rows, n);

	row->v[0] = value_real(share);
	row->v[1] = value_u64(n);
	row->v[2] = value_text(name);
	row->v[3] = value_absent("needs every switch");
	row->v[4] = (struct value){ .kind = VALUE_TREND };
}

static const char *frame(uint64_t max)
{
	struct table t = { .columns = columns, .rows = &rows, .pv = &pv,
			   .default_sort = "share" };

	sample = (struct sample){ .seq = 7, .host = &host, .health = &health,
				  .wall_ns = 1796047402123000000,
				  .utc_offset_s = 3600 };
	m = (struct model){ .newer = &sample, .span_ns = 1000500000 };
	CHECK_EQ_INT(table_arrange(&t), 0);
	out_reset(&out);
	json_frame(&out, &m, &pane, columns, &rows, max);
	return check_line();
}

TEST(json_frame_is_one_line)
{
	rows_reset(&rows);
	add(41984, 0.746, "pipe");
	CHECK_EQ_STR(frame(0),
		"{\"time\":\"2026-11-30T15:03:22.123+01:00\",\"seq\":7,"
		"\"pane\":\"test\",\"host\":\"we\\\"b\","
		"\"span_s\":1.000500000,\"coverage\":{\"switches\":null,"
		"\"stacks\":null,\"lost\":null,\"switches_of_stat\":null},"
		"\"rows\":[{\"depth\":0,"
		"\"share\":0.746,\"n\":41984,\"name\":\"pipe\","
		"\"wait\":null,\"trend\":[],\"absent\":{"
		"\"wait\":\"needs every switch\"}}],\"total_rows\":1,"
		"\"notes\":[]}\n");
}

/* 2^53 + 1 and the largest are not rounded on their way. */
TEST(json_c20_integers_are_exact)
{
	rows_reset(&rows);
	add(9007199254740993, 0.1, "a");
	add(UINT64_MAX, 0.2, "b");
	CHECK(strstr(frame(0), "\"n\":9007199254740993,"));
	CHECK(strstr(out.buf, "\"n\":18446744073709551615,"));
}

TEST(json_absent_is_null_with_its_reason)
{
	rows_reset(&rows);
	add(1, NAN, NULL);
	rows.row[0].v[0] = (struct value){ .kind = VALUE_REAL, .r = INFINITY };
	CHECK(strstr(frame(0), "\"share\":null,\"n\":1,\"name\":null"));
	CHECK(strstr(out.buf, "\"absent\":{\"share\":\"not available\","
		     "\"name\":\"not available\","
		     "\"wait\":\"needs every switch\"}"));
}

TEST(json_rows_are_limited)
{
	uint64_t i;

	rows_reset(&rows);
	for (i = 0; i < 30; i++)
		add(i, (double)i, "x");
	CHECK(strstr(frame(2), "\"total_rows\":30"));
	CHECK(strstr(out.buf, "\"n\":29"));
	CHECK(strstr(out.buf, "\"n\":28"));
	CHECK(!strstr(out.buf, "\"n\":27"));
}

TEST(json_notes_say_what_is_missing)
{
	rows_reset(&rows);
	health_set(&health, "schedstat", "", 0, -1, HEALTH_ABSENT, 2, NULL,
		   "no such \"file\"");
	health_set(&health, "vmstat", "", 0, -1, HEALTH_OK, 0, NULL, "fine");
	CHECK(strstr(frame(0),
		     "\"notes\":[\"schedstat: no such \\\"file\\\"\"]"));
	health_free(&health);
}

TEST(json_frame_without_a_sample)
{
	struct model none = { 0 };

	rows_reset(&rows);
	out_reset(&out);
	json_frame(&out, &none, &pane, columns, &rows, 0);
	CHECK(strstr(check_line(), "\"rows\":[]"));
	out_reset(&out);
	json_frame(&out, &none, NULL, NULL, &rows, 0);
	check_line();
}

TEST(json_raw_names_its_keys)
{
	struct names *names = names_new();
	uint32_t frames[2], task, stack;

	frames[0] = names_symbol(names, "schedule", 0, 0);
	frames[1] = names_symbol(names, "pipe\x1b", 0, 0);
	stack = names_stack(names, 'S', frames, 2);
	task = names_task(names, 42, 7, 40, "c\xff", 2);
	CHECK(task && stack);
	CHECK_EQ_INT(sample_init(&sample), 0);
	sample.names = names;
	sample_add(&sample, VM_PGFAULT, 0, 0, UINT64_MAX);
	sample_add(&sample, STAT_USER, 3, 0, 5);
	sample_add(&sample, SCHED_N, stack, task, 9);
	sample_add(&sample, SCHED_N, 0, 77777, 1);
	sample_seal(&sample);
	m = (struct model){ .newer = &sample };
	out_reset(&out);
	json_frame(&out, &m, NULL, NULL, &rows, 0);
	check_line();
	CHECK(strstr(out.buf, "{\"metric\":\"vm.pgfault\","
		     "\"value\":18446744073709551615}"));
	CHECK(strstr(out.buf, "{\"metric\":\"stat.user\",\"key\":3,"
		     "\"value\":5}"));
	CHECK(strstr(out.buf, "\"key_name\":\"schedule;pipe\\u001b\""));
	CHECK(strstr(out.buf, "\"sub_name\":\"c\ufffd\",\"sub_tid\":42"));
	CHECK(strstr(out.buf, "\"key_name\":\"ended\""));
	sample_free(&sample);
	names_free(names);
}

TEST(out_time_knows_offsets_and_the_past)
{
	out_reset(&out);
	out_time(&out, -1, -(5 * 3600 + 1800));
	CHECK_EQ_STR(text(), "1969-12-31T18:29:59.999-05:30");
}

TEST_MAIN
