/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which options are there, and what may their arguments be?
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "option_table.h"
#include "options.h"
#include "units.h"

#define SECOND	1000000000ull
#define MINUTE	(60 * SECOND)
#define HOUR	(60 * MINUTE)

static const struct option_word engines[] = {
	{ "auto", ENGINE_AUTO }, { "perf", ENGINE_PERF },
	{ "bpf", ENGINE_BPF }, { NULL, 0 }
};
static const struct option_word themes[] = {
	{ "default", 0 }, { "mono", 0 }, { NULL, 0 }
};

const struct option_word option_commands[] = {
	{ "doctor", COMMAND_DOCTOR },
	{ NULL, 0 }
};

const struct option_word *option_word(const struct option_word *table,
				      const char *text)
{
	for (; table->text; table++)
		if (!strcmp(table->text, text))
			return table;
	return NULL;
}

/* Setters: 0, -EINVAL (not what `noun` says) or -ERANGE. */
static int set_flag(void *to, const struct option_row *row, const char *arg)
{
	(void)row;
	(void)arg;
	*(int *)to = 1;
	return 0;
}

static int set_command(void *to, const struct option_row *row, const char *arg)
{
	(void)arg;
	*(enum command *)to = row->min;
	return 0;
}

static int set_list_events(void *to, const struct option_row *row,
			   const char *arg)
{
	struct options *opt = to;

	(void)row;
	opt->command = COMMAND_LIST_EVENTS;
	opt->pattern = arg;
	return 0;
}

static int set_text(void *to, const struct option_row *row, const char *arg)
{
	(void)row;
	if (!*arg)
		return -EINVAL;
	*(const char **)to = arg;
	return 0;
}

static int parse_number(const char *arg, uint64_t min, uint64_t max,
			uint64_t *n)
{
	size_t digits = strspn(arg, "0123456789");

	if (!digits || arg[digits])
		return -EINVAL;
	if (digits > 18)
		return -ERANGE;
	*n = strtoull(arg, NULL, 10);
	return *n < min || *n > max ? -ERANGE : 0;
}

static int set_number(void *to, const struct option_row *row, const char *arg)
{
	return parse_number(arg, row->min, row->max, to);
}

static int set_minutes(void *to, const struct option_row *row, const char *arg)
{
	uint64_t n = 0;
	int err = parse_number(arg, row->min, row->max, &n);

	if (!err)
		*(uint64_t *)to = n * MINUTE;
	return err;
}

static int set_span(void *to, const struct option_row *row, const char *arg)
{
	uint64_t ns = 0;
	int err = units_parse_span(arg, &ns);

	if (!err && (ns < row->min || ns > row->max))
		err = -ERANGE;
	if (!err)
		*(uint64_t *)to = ns;
	return err;
}

static int set_window(void *to, const struct option_row *row, const char *arg)
{
	if (strcmp(arg, "all") && strcmp(arg, "0"))
		return set_span(to, row, arg);
	*(uint64_t *)to = 0;
	return 0;
}

static int set_size(void *to, const struct option_row *row, const char *arg)
{
	struct options *opt = to;
	char wide[8] = "";
	const char *x = strchr(arg, 'x');
	uint64_t w = 0, h = 0;
	int err;

	if (!x || (size_t)(x - arg) >= sizeof(wide))
		return -EINVAL;
	memcpy(wide, arg, x - arg);
	err = parse_number(wide, row->min, row->max, &w);
	if (!err)
		err = parse_number(x + 1, row->min, row->max, &h);
	opt->width = w;
	opt->height = h;
	return err;
}

static int set_engine(void *to, const struct option_row *row, const char *arg)
{
	const struct option_word *w = option_word(engines, arg);

	(void)row;
	if (!w)
		return -EINVAL;
	*(enum engine *)to = w->value;
	return 0;
}

static int set_theme(void *to, const struct option_row *row, const char *arg)
{
	(void)row;
	if (!option_word(themes, arg))
		return -EINVAL;
	*(const char **)to = arg;
	return 0;
}

#define TO(field) offsetof(struct options, field)

const struct option_row option_table[OPTION_ROWS] = {
	{ .name = "batch", .letter = 'b',
	  .set = set_flag, .to = TO(batch),
	  .help = "print frames as text instead of taking the screen" },
	{ .name = "count", .letter = 'n', .arg = "N",
	  .set = set_number, .to = TO(count), .min = 1, .max = 1000000000,
	  .noun = "a number",
	  .right = "a whole number, as in -n 10",
	  .help = "end after N frames" },
	{ .name = "duration", .letter = 'd', .arg = "SECS",
	  .set = set_span, .to = TO(duration_ns),
	  .min = SECOND / 10, .max = HOUR,
	  .noun = "a time",
	  .right = "0.1 s to 1 h, as in -d 2",
	  .help = "what one frame spans: interval and window at once" },
	{ .name = "interval", .letter = 'i', .arg = "SECS",
	  .set = set_span, .to = TO(interval_ns),
	  .min = SECOND / 10, .max = HOUR,
	  .noun = "a time",
	  .right = "0.1 s to 1 h, as in -i 1",
	  .help = "time between samples (1)" },
	{ .name = "window", .letter = 'w', .arg = "SECS",
	  .set = set_window, .to = TO(window_ns),
	  .min = SECOND / 10, .max = 24 * HOUR,
	  .noun = "a time",
	  .right = "0.1 s to 24 h or all, as in -w 10",
	  .help = "time the rows sum up, or all (10)" },
	{ .name = "pane", .letter = 'p', .arg = "NAME",
	  .set = set_text, .to = TO(pane),
	  .noun = "a name",
	  .right = "a pane, as in -p schedule",
	  .help = "pane to begin with; as text also raw, all readings" },
	{ .name = "events", .letter = 'e', .arg = "NAME,...",
	  .set = set_text, .to = TO(events),
	  .noun = "a name",
	  .right = "names of --list-events, as in -e cycles,page-faults",
	  .help = "events to count instead of the default ones" },
	{ .name = "json",
	  .set = set_flag, .to = TO(json),
	  .help = "print JSON, one line a frame; implies -b" },
	{ .name = "rows", .arg = "N",
	  .set = set_number, .to = TO(rows), .min = 0, .max = 1000000,
	  .noun = "a number",
	  .right = "a whole number, as in --rows 50",
	  .help = "rows printed in each frame, 0 for all (20)" },
	{ .name = "size", .arg = "WxH",
	  .set = set_size, .min = 1, .max = 9999,
	  .noun = "a size",
	  .right = "columns and lines, as in --size 132x50",
	  .help = "width and height of the printed text" },
	{ .name = "filter", .arg = "TEXT",
	  .set = set_text, .to = TO(filter),
	  .noun = "a text",
	  .right = "a part of a name, as in --filter pipe",
	  .help = "only rows whose name holds TEXT" },
	{ .name = "sort", .arg = "COLUMN",
	  .set = set_text, .to = TO(sort),
	  .noun = "a name",
	  .right = "a column, as in --sort share",
	  .help = "column the rows are sorted by" },
	{ .name = "stacks", .arg = "N",
	  .set = set_number, .to = TO(stacks), .min = 10, .max = 1000000,
	  .noun = "a number",
	  .right = "10 to 1000000, as in --stacks 2000",
	  .help = "kernel stacks to take a second, on all CPUs (2000)" },
	{ .name = "every", .arg = "N",
	  .set = set_number, .to = TO(every), .min = 1, .max = 1000000,
	  .noun = "a number",
	  .right = "1 to 1000000, as in --every 61",
	  .help = "take the stack of one switch in N, whatever it costs" },
	{ .name = "engine", .arg = "NAME",
	  .set = set_engine, .to = TO(engine),
	  .noun = "an engine",
	  .right = "auto, bpf or perf, as in --engine perf",
	  .help = "bpf in the kernel, perf from outside, auto (auto)" },
	{ .name = "pipe-bytes",
	  .set = set_flag, .to = TO(pipe_bytes),
	  .help = "count the bytes of each pipe, by bpf; costs a little" },
	{ .name = "history", .arg = "MINUTES",
	  .set = set_minutes, .to = TO(history_ns), .min = 1, .max = 1440,
	  .noun = "a number",
	  .right = "1 to 1440, as in --history 10",
	  .help = "how far a paused screen can step back (10)" },
	{ .name = "theme", .arg = "NAME",
	  .set = set_theme, .to = TO(theme),
	  .noun = "a theme",
	  .right = "default or mono, as in --theme mono",
	  .help = "colours: default, mono" },
	{ .name = "ascii",
	  .set = set_flag, .to = TO(ascii),
	  .help = "draw with ASCII characters only" },
	{ .name = "proc", .arg = "DIR",
	  .set = set_text, .to = TO(proc),
	  .noun = "a name",
	  .right = "a folder, as in --proc /host/proc",
	  .help = "read this folder instead of /proc" },
	{ .name = "sys", .arg = "DIR",
	  .set = set_text, .to = TO(sys),
	  .noun = "a name",
	  .right = "a folder, as in --sys /host/sys",
	  .help = "read this folder instead of /sys" },
	{ .name = "list-events", .arg = "[PATTERN]",
	  .set = set_list_events,
	  .help = "list events for -e whose name holds PATTERN" },
	{ .name = "list-metrics",
	  .set = set_command, .to = TO(command), .min = COMMAND_LIST_METRICS,
	  .help = "list every number that can be read" },
	{ .name = "help", .letter = 'h',
	  .set = set_command, .to = TO(command), .min = COMMAND_HELP,
	  .help = "print this help" },
	{ .name = "version", .letter = 'V',
	  .set = set_command, .to = TO(command), .min = COMMAND_VERSION,
	  .help = "print the version" },
};
