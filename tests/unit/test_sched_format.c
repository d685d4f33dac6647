/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do records of every kernel's layout decode to the same facts?  The formats
 * here are written by rules; captured ones come from $STALLTOP_REAL.
 */
#include <errno.h>
#include "sched_format.h"
#include "test.h"

#define FLAGS9 "{ 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, " \
	"{ 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }"
#define OLD(bit, more) "REC->prev_state & (" #bit "-1) ? __print_flags(" \
	"REC->prev_state & (" #bit "-1), \"|\", " FLAGS9 more ") : \"R\", " \
	"REC->prev_state & " #bit " ? \"+\" : \"\", REC->next_comm"
#define SUM "(((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020" \
	" | 0x0040) + 1) << 1)"
#define NEW "(REC->prev_state & (" SUM " - 1)) ? __print_flags(" \
	"REC->prev_state & (" SUM " - 1), \"|\", { 0x0001, \"S\" }, " \
	"{ 0x0002, \"D\" }, { 0x0004, \"T\" }, { 0x0008, \"t\" }, " \
	"{ 0x0010, \"X\" }, { 0x0020, \"Z\" }, { 0x0040, \"P\" }, " \
	"{ 0x0080, \"I\" }) : \"R\", REC->prev_state & " SUM \
	" ? \"+\" : \"\", REC->next_comm"

struct layout {
	const char *comm;		/* type of the comms */
	const char *prev_name, *next_name;
	unsigned base, comm_size, state_size;
	const char *print;
};

static const struct layout plain = {
	"char", "prev_comm[16]", "next_comm[16]", 8, 16, 8, NEW
};

static struct sched_format f;

static unsigned field_add(char *to, size_t n, const char *type,
			  const char *name, unsigned at, unsigned size)
{
	size_t len = strlen(to);

	snprintf(to + len, n - len,
		 "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:1;\n", type,
		 name, at, size);
	return at + size;
}

static const char *format_of(const struct layout *l)
{
	static char text[8192];
	unsigned at = l->base;
	size_t len;

	strcpy(text, "name: sched_switch\nID: 372\nformat:\n");
	field_add(text, sizeof(text), "unsigned short", "common_type", 0, 2);
	field_add(text, sizeof(text), "int", "common_pid", 4, 4);
	strcat(text, "\n");
	at = field_add(text, sizeof(text), l->comm, l->prev_name, at,
		       l->comm_size);
	at = field_add(text, sizeof(text), "pid_t", "prev_pid", at, 4);
	at = field_add(text, sizeof(text), "int", "prev_prio", at, 4);
	at = field_add(text, sizeof(text), "long", "prev_state", at,
		       l->state_size);
	at = field_add(text, sizeof(text), l->comm, l->next_name, at,
		       l->comm_size);
	at = field_add(text, sizeof(text), "pid_t", "next_pid", at, 4);
	field_add(text, sizeof(text), "int", "next_prio", at, 4);
	len = strlen(text);
	snprintf(text + len, sizeof(text) - len, "\nprint fmt: \"prev_comm=%%s"
		 " prev_state=%%s%%s\", REC->prev_comm, %s\n", l->print);
	return text;
}

static int parse(const struct layout *l, const char *release)
{
	const char *text = format_of(l);

	return sched_format_parse(&f, text, strlen(text), release);
}

static uint8_t letter_of(const char *print, uint64_t state)
{
	struct layout l = plain;

	l.print = print;
	CHECK_EQ_INT(parse(&l, "3.10.0"), 0);
	return sched_format_letter(&f, state);
}

/* A record by the offsets parsed. */
static size_t record(char *raw, const char *prev, int32_t prev_pid,
		     uint64_t state, const char *next, int32_t next_pid)
{
	memset(raw, 0, f.need);
	memcpy(raw + f.prev_comm.offset, prev, strlen(prev));
	memcpy(raw + f.prev_pid.offset, &prev_pid, 4);
	memcpy(raw + f.prev_state.offset, &state, f.prev_state.size);
	memcpy(raw + f.next_comm.offset, next, strlen(next));
	memcpy(raw + f.next_pid.offset, &next_pid, 4);
	return f.need;
}

static void check_round_trip(void)
{
	char *raw = malloc(f.need);
	struct sched_switch s;
	size_t n = record(raw, "0123456789abcdef", 4711, 1, "x y", 12);

	CHECK_EQ_INT(sched_format_decode(&f, raw, n, &s), 0);
	CHECK_EQ_INT(s.prev_pid, 4711);
	CHECK_EQ_INT(s.next_pid, 12);
	CHECK_EQ_U64(s.state, 1);
	CHECK_EQ_U64(s.nprev_comm, 16);
	CHECK(!memcmp(s.prev_comm, "0123456789abcdef", 16));
	CHECK_EQ_U64(s.nnext_comm, 3);
	CHECK_EQ_INT(sched_format_decode(&f, raw, n - 1, &s), -EINVAL);
	CHECK_EQ_INT(sched_format_decode(&f, NULL, 0, &s), -EINVAL);
	free(raw);
}

TEST(C52_the_preempted_bit_is_worked_out_of_the_print_format)
{
	CHECK_EQ_INT(letter_of(OLD(512, ""), 512), '+');
	CHECK_EQ_INT(letter_of(OLD(1024, ""), 1024), '+');
	CHECK_EQ_INT(letter_of(OLD(2048, ""), 2048), '+');
	CHECK_EQ_INT(letter_of(OLD(4096, ""), 4096), '+');
	CHECK_EQ_INT(letter_of(NEW, 0x100), '+');
	CHECK_EQ_U64(f.preempted, 0x100);
	CHECK_EQ_INT(letter_of(OLD(2048, ""), 0x100), '?');
}

TEST(C52_letters_come_from_the_print_format)
{
	static const char old[] = OLD(2048, ", { 128, \"K\" }, { 256, \"W\" },"
				      " { 512, \"P\" }, { 1024, \"N\" }");

	CHECK_EQ_INT(letter_of(old, 0), 'R');
	CHECK_EQ_INT(letter_of(old, 1), 'S');
	CHECK_EQ_INT(letter_of(old, 2), 'D');
	CHECK_EQ_INT(letter_of(old, 64), 'x');
	CHECK_EQ_INT(letter_of(old, 512), 'P');
	CHECK_EQ_INT(letter_of(NEW, 0x10), 'X');
	CHECK_EQ_INT(letter_of(NEW, 0x20), 'Z');
	CHECK_EQ_INT(letter_of(NEW, 0x80), 'I');
}

TEST(C52_combined_bits_are_the_first_letter_and_unknown_ones_are_told)
{
	static const char old[] = OLD(2048, ", { 128, \"K\" }, { 256, \"W\" },"
				      " { 512, \"P\" }, { 1024, \"N\" }");

	CHECK_EQ_INT(letter_of(old, 2 | 128), 'D');
	CHECK_EQ_INT(letter_of(NEW, 0x8 | 0x10), 't');
	CHECK_EQ_INT(letter_of(NEW, 0x400), '?');
	CHECK_EQ_INT(letter_of(NEW, 0x401), '?');
	CHECK_EQ_INT(letter_of(old, UINT64_MAX), '+');
	/* TASK_UNINTERRUPTIBLE | TASK_NOLOAD is idle, not blocked */
	CHECK_EQ_INT(letter_of(old, 2 | 1024), 'I');
}

TEST(C52_a_kernel_that_marks_no_preemption)
{
	static const char none[] = "REC->prev_state ? __print_flags("
		"REC->prev_state, \"|\", " FLAGS9 ") : \"R\", REC->next_comm";

	CHECK_EQ_INT(letter_of(none, 0), 'R');
	CHECK_EQ_INT(letter_of(none, 2), 'D');
	CHECK_EQ_U64(f.preempted, 0);
	CHECK_EQ_INT(letter_of("no flags here", 1), '?');
	CHECK_EQ_INT(letter_of("REC->prev_state & (((( ? \"+\"", 1), '?');
	CHECK_EQ_U64(f.preempted, 0);
}

TEST(C52_the_state_one_bit_too_far_is_learned_from_the_idle_task)
{
	char raw[128];
	struct sched_switch s;

	CHECK_EQ_INT(parse(&plain, "4.14.74-generic"), 0);
	record(raw, "bash", 99, 2, "swapper/0", 0);
	CHECK_EQ_INT(sched_format_decode(&f, raw, f.need, &s), 0);
	CHECK_EQ_INT(s.letter, '?');
	record(raw, "swapper/0", 0, 1, "bash", 99);
	CHECK_EQ_INT(sched_format_decode(&f, raw, f.need, &s), 0);
	CHECK_EQ_INT(s.letter, 'R');
	record(raw, "bash", 99, 2, "swapper/0", 0);
	CHECK_EQ_INT(sched_format_decode(&f, raw, f.need, &s), 0);
	CHECK_EQ_INT(s.letter, 'S');
	record(raw, "bash", 99, 0x100, "swapper/0", 0);
	CHECK_EQ_INT(sched_format_decode(&f, raw, f.need, &s), 0);
	CHECK_EQ_INT(s.letter, '+');
}

TEST(C52_a_fixed_4_19_is_known_by_the_idle_task_too)
{
	char raw[128];
	struct sched_switch s;

	CHECK_EQ_INT(parse(&plain, "4.19.40"), 0);
	record(raw, "swapper/0", 0, 0, "bash", 99);
	CHECK_EQ_INT(sched_format_decode(&f, raw, f.need, &s), 0);
	record(raw, "bash", 99, 2, "swapper/0", 0);
	CHECK_EQ_INT(sched_format_decode(&f, raw, f.need, &s), 0);
	CHECK_EQ_INT(s.letter, 'D');
	CHECK_EQ_INT(parse(&plain, "4.20.0"), 0);
	CHECK_EQ_INT(f.shift, SHIFT_NO);
	CHECK_EQ_INT(parse(&plain, "4.13.0"), 0);
	CHECK_EQ_INT(f.shift, SHIFT_NO);
}

TEST(C53_offsets_and_sizes_come_from_the_file)
{
	struct layout l = plain;

	CHECK_EQ_INT(parse(&l, "6.18.0"), 0);
	CHECK_EQ_INT(f.id, 372);
	CHECK_EQ_INT(f.prev_state.offset, 32);
	CHECK_EQ_INT(f.next_pid.offset, 56);
	check_round_trip();
	l.state_size = 4;		/* 32-bit kernels */
	CHECK_EQ_INT(parse(&l, "3.4.0"), 0);
	CHECK_EQ_INT(f.next_pid.offset, 52);
	check_round_trip();
	l.base = 12;			/* longer common fields */
	CHECK_EQ_INT(parse(&l, "3.4.0"), 0);
	CHECK_EQ_INT(f.next_pid.offset, 56);
	check_round_trip();
}

TEST(C53_a_comm_behind_data_loc_is_followed_and_bounded)
{
	struct layout l = { "__data_loc char[]", "prev_comm", "next_comm", 8,
			    4, 8, NEW };
	struct sched_switch s;
	uint32_t where;
	char raw[80];

	CHECK_EQ_INT(parse(&l, "6.18.0"), 0);
	CHECK(f.prev_comm.dynamic);
	record(raw, "", 1, 1, "", 2);
	memcpy(raw + 64, "bash", 5);
	where = 5 << 16 | 64;
	memcpy(raw + f.prev_comm.offset, &where, 4);
	where = 100 << 16 | 64;
	memcpy(raw + f.next_comm.offset, &where, 4);
	CHECK_EQ_INT(sched_format_decode(&f, raw, sizeof(raw), &s), 0);
	CHECK_EQ_U64(s.nprev_comm, 4);
	CHECK(!memcmp(s.prev_comm, "bash", 4));
	CHECK_EQ_U64(s.nnext_comm, 0);
}

TEST(C53_a_format_that_lacks_a_field_or_has_it_in_a_strange_size_is_refused)
{
	struct layout l = plain;

	l.prev_name = "task_comm[16]";
	CHECK_EQ_INT(parse(&l, "6.18.0"), -EINVAL);
	CHECK_EQ_STR(f.why, "its format has no field prev_comm");
	l = plain;
	l.state_size = 6;
	CHECK_EQ_INT(parse(&l, "6.18.0"), -EINVAL);
	CHECK_EQ_STR(f.why, "its field prev_state has 6 bytes");
	CHECK_EQ_INT(sched_format_parse(&f, "", 0, "6.18.0"), -EINVAL);
	CHECK_EQ_INT(sched_format_parse(&f, "field:", 6, NULL), -EINVAL);
}

TEST(C52_captured_formats)
{
	static const struct { const char *file; uint64_t preempted; } is[] = {
		{ "format-sched_switch-3.4.0", 512 },
		{ "format-sched_switch-3.10.40", 1024 },
		{ "format-sched_switch-4.4.88", 2048 },
		{ "format-sched_switch-5.10.43", 0x100 },
		{ "live618-format-sched_switch", 0x100 },
	};
	const char *dir = getenv("STALLTOP_REAL");
	char path[256], text[4096];
	size_t i, len;
	FILE *file;

	if (!dir)
		SKIP("STALLTOP_REAL is not set: no captured formats");
	for (i = 0; i < sizeof(is) / sizeof(*is); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, is[i].file);
		file = fopen(path, "r");
		CHECK(file);
		len = fread(text, 1, sizeof(text), file);
		fclose(file);
		CHECK_EQ_INT(sched_format_parse(&f, text, len, "3.4.0"), 0);
		CHECK_EQ_U64(f.preempted, is[i].preempted);
		CHECK(f.nstate >= 8);
		CHECK_EQ_INT(sched_format_letter(&f, 2), 'D');
		check_round_trip();
	}
}

TEST_MAIN
