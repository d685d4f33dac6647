/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the command line become what the options promise?
 */
#include <fcntl.h>
#include <unistd.h>
#include "option_table.h"
#include "options.h"
#include "test.h"

#define SECOND 1000000000ull

enum { WORDS = 8 };

/* Parses with stderr into *said (NULL: not wanted). */
static int parse(struct options *opt, const char *line, char *said, size_t n)
{
	static char copy[256];	/* options point into it */
	char *argv[WORDS + 2] = { (char *)(uintptr_t)"stalltop" }, *save = NULL;
	int argc = 1, status, keep = dup(STDERR_FILENO), pipes[2];
	ssize_t got;

	CHECK(!pipe(pipes));
	snprintf(copy, sizeof(copy), "%s", line);
	argv[argc] = strtok_r(copy, " ", &save);
	while (argv[argc] && argc <= WORDS)
		argv[++argc] = strtok_r(NULL, " ", &save);
	dup2(pipes[1], STDERR_FILENO);
	close(pipes[1]);
	status = options_parse(opt, argc, argv);
	fflush(stderr);
	dup2(keep, STDERR_FILENO);
	close(keep);
	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	got = said ? read(pipes[0], said, n - 1) : 0;
	if (said)
		said[got > 0 ? got : 0] = '\0';
	close(pipes[0]);
	return status;
}

TEST(options_defaults)
{
	struct options o;

	CHECK_EQ_INT(parse(&o, "", NULL, 0), 0);
	CHECK_EQ_INT(o.command, COMMAND_WATCH);
	CHECK_EQ_U64(o.interval_ns, SECOND);
	CHECK_EQ_U64(o.window_ns, 10 * SECOND);
	CHECK_EQ_U64(o.history_ns, 600 * SECOND);
	CHECK_EQ_U64(o.rows, 20);
	CHECK_EQ_U64(o.stacks, 2000);
	CHECK_EQ_U64(o.every, 0);
	CHECK_EQ_U64(o.count, 0);
	CHECK_EQ_INT(o.batch, 0);
	CHECK_EQ_INT(o.engine, ENGINE_AUTO);
	CHECK_EQ_STR(o.pane, NULL);
	CHECK(o.proc && o.sys && o.theme);
}

TEST(options_spelt_long_short_and_joined)
{
	static const char *const lines[] = {
		"-n 7 -i 2", "-n7 -i2", "--count 7 --interval 2",
		"--count=7 --interval=2", "--interval=2s --cou 7",
		"-i 2000ms -n 7",
	};
	struct options o;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		CHECK_EQ_INT(parse(&o, lines[i], NULL, 0), 0);
		CHECK_EQ_U64(o.count, 7);
		CHECK_EQ_U64(o.interval_ns, 2 * SECOND);
	}
}

TEST(options_engine_is_one_of_three)
{
	struct options o;

	CHECK_EQ_INT(parse(&o, "--engine bpf", NULL, 0), 0);
	CHECK_EQ_INT(o.engine, ENGINE_BPF);
	CHECK_EQ_INT(parse(&o, "--engine=perf", NULL, 0), 0);
	CHECK_EQ_INT(o.engine, ENGINE_PERF);
	CHECK_EQ_INT(parse(&o, "--engine auto", NULL, 0), 0);
	CHECK_EQ_INT(o.engine, ENGINE_AUTO);
}

/* -d is interval and window at once, whatever stands before or after it. */
TEST(options_duration_is_interval_and_window)
{
	struct options o;

	CHECK_EQ_INT(parse(&o, "-b -n 3 -d 2", NULL, 0), 0);
	CHECK_EQ_U64(o.interval_ns, 2 * SECOND);
	CHECK_EQ_U64(o.window_ns, 2 * SECOND);
	CHECK_EQ_INT(parse(&o, "-d 2 -i 5 -b", NULL, 0), 0);
	CHECK_EQ_U64(o.interval_ns, 2 * SECOND);
	CHECK_EQ_INT(parse(&o, "-b -d 2 -w 6", NULL, 0), 0);
	CHECK_EQ_U64(o.window_ns, 6 * SECOND);
}

TEST(options_window_of_text_is_the_interval)
{
	struct options o;

	CHECK_EQ_INT(parse(&o, "-b -i 3", NULL, 0), 0);
	CHECK_EQ_U64(o.window_ns, 3 * SECOND);
	CHECK_EQ_INT(parse(&o, "-w all", NULL, 0), 0);
	CHECK_EQ_U64(o.window_ns, 0);
	CHECK_EQ_INT(parse(&o, "-w 0 -b", NULL, 0), 0);
	CHECK_EQ_U64(o.window_ns, 0);
}

TEST(options_without_a_terminal_print_one_frame)
{
	struct options o;

	CHECK_EQ_INT(parse(&o, "-i 3", NULL, 0), 0);
	options_to_text(&o);
	CHECK_EQ_INT(o.batch, 1);
	CHECK_EQ_U64(o.count, 1);
	CHECK_EQ_U64(o.window_ns, 3 * SECOND);
	CHECK_EQ_INT(parse(&o, "-n 4 -w 8", NULL, 0), 0);
	options_to_text(&o);
	CHECK_EQ_U64(o.count, 4);
	CHECK_EQ_U64(o.window_ns, 8 * SECOND);
	CHECK_EQ_INT(parse(&o, "-b", NULL, 0), 0);
	options_to_text(&o);
	CHECK_EQ_U64(o.count, 0);	/* -b means: for ever */
}

TEST(options_pipe_bytes_only_when_asked_for)
{
	struct options o;

	CHECK_EQ_INT(parse(&o, "", NULL, 0), 0);
	CHECK_EQ_INT(o.pipe_bytes, 0);
	CHECK_EQ_INT(parse(&o, "--pipe-bytes", NULL, 0), 0);
	CHECK_EQ_INT(o.pipe_bytes, 1);
}

TEST(options_json_implies_batch)
{
	struct options o;

	CHECK_EQ_INT(parse(&o, "--json --size 132x50 --rows 0", NULL, 0), 0);
	CHECK_EQ_INT(o.batch, 1);
	CHECK_EQ_INT(o.width, 132);
	CHECK_EQ_INT(o.height, 50);
	CHECK_EQ_U64(o.rows, 0);
}

TEST(options_commands)
{
	struct options o;

	CHECK_EQ_INT(parse(&o, "doctor", NULL, 0), 0);
	CHECK_EQ_INT(o.command, COMMAND_DOCTOR);
	CHECK_EQ_INT(parse(&o, "--proc /x doctor --sys /y", NULL, 0), 0);
	CHECK_EQ_INT(o.command, COMMAND_DOCTOR);
	CHECK_EQ_STR(o.proc, "/x");
	CHECK_EQ_STR(o.sys, "/y");
	CHECK_EQ_INT(parse(&o, "--list-events tlb", NULL, 0), 0);
	CHECK_EQ_INT(o.command, COMMAND_LIST_EVENTS);
	CHECK_EQ_STR(o.pattern, "tlb");
	CHECK_EQ_INT(parse(&o, "--list-events=tlb", NULL, 0), 0);
	CHECK_EQ_STR(o.pattern, "tlb");
	CHECK_EQ_INT(parse(&o, "--list-events", NULL, 0), 0);
	CHECK_EQ_STR(o.pattern, NULL);
}

TEST(options_refuse_in_one_line_with_a_remedy)
{
	struct options o;
	char said[256];

	CHECK_EQ_INT(parse(&o, "-n x", said, sizeof(said)), 2);
	CHECK_EQ_STR(said, "stalltop: -n: \"x\" is not a number; "
		     "give a whole number, as in -n 10\n");
	CHECK_EQ_INT(parse(&o, "--coun=-3", said, sizeof(said)), 2);
	CHECK_EQ_STR(said, "stalltop: --count: \"-3\" is not a number; "
		     "give a whole number, as in -n 10\n");
	CHECK_EQ_INT(parse(&o, "replay", said, sizeof(said)), 2);
	CHECK(strstr(said, "\"replay\" is not a command") != NULL);
	CHECK(strstr(said, " doctor;") != NULL);
}

TEST(options_table_is_whole)
{
	size_t i, j;

	for (i = 0; i < OPTION_ROWS; i++) {
		const struct option_row *row = &option_table[i];

		CHECK(row->name && row->help && row->set);
		CHECK((row->arg && *row->arg != '[') == (row->right != NULL));
		CHECK((row->right != NULL) == (row->noun != NULL));
		CHECK(strlen(row->help) <= 52);
		for (j = 0; j < i; j++) {
			CHECK(strcmp(row->name, option_table[j].name));
			CHECK(!row->letter ||
			      row->letter != option_table[j].letter);
		}
	}
}

TEST_MAIN
