/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did the user ask for?  The parser over option_table.
 *
 * A refusal is one line on stderr: the option as it was typed, what is wrong,
 * what would be right.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include "option_table.h"
#include "options.h"

#define SECOND	1000000000ull

enum { USAGE = 2, LETTERLESS = 256, LEFT_MAX = 48 };

/* ---- getopt's view of the table --------------------------------------- */

struct getopt_tables {
	char letters[2 * OPTION_ROWS + 2];
	struct option rows[OPTION_ROWS + 1];
};

static int row_code(size_t i)
{
	int letter = option_table[i].letter;

	return letter ? letter : LETTERLESS + (int)i;
}

static void getopt_fill(struct getopt_tables *t)
{
	const struct option_row *row;
	char *p = t->letters;
	size_t i;

	memset(t, 0, sizeof(*t));
	*p++ = ':';		/* tell a missing argument from the unknown */
	for (i = 0; i < OPTION_ROWS; i++) {
		row = &option_table[i];
		t->rows[i].name = row->name;
		t->rows[i].val = row_code(i);
		t->rows[i].has_arg = !row->arg ? no_argument :
			*row->arg == '[' ? optional_argument :
					   required_argument;
		if (!row->letter)
			continue;
		*p++ = row->letter;
		if (row->arg)
			*p++ = ':';
	}
}

static const struct option_row *row_of(int code)
{
	size_t i;

	for (i = 0; i < OPTION_ROWS; i++)
		if (row_code(i) == code)
			return &option_table[i];
	return NULL;
}

/* ---- refusals --------------------------------------------------------- */

/* The option as it was typed. */
static const char *row_spelt(const struct option_row *row, int is_long,
			     char *buf, size_t n)
{
	if (is_long || !row->letter)
		snprintf(buf, n, "--%s", row->name);
	else
		snprintf(buf, n, "-%c", row->letter);
	return buf;
}

static int refuse_argument(const struct option_row *row, int is_long,
			   const char *arg, int err)
{
	char name[32];

	row_spelt(row, is_long, name, sizeof(name));
	if (!*arg)
		fprintf(stderr, "stalltop: %s: the argument is empty; give %s\n",
			name, row->right);
	else if (err == -ERANGE)
		fprintf(stderr, "stalltop: %s: %s is out of range; give %s\n",
			name, arg, row->right);
	else
		fprintf(stderr, "stalltop: %s: \"%s\" is not %s; give %s\n",
			name, arg, row->noun, row->right);
	return USAGE;
}

static int refuse_missing(int code, const char *word)
{
	const struct option_row *row = row_of(code);
	char name[32];

	fprintf(stderr, "stalltop: %s: its argument is missing; give %s\n",
		row_spelt(row, word && !strncmp(word, "--", 2), name,
			  sizeof(name)), row->right);
	return USAGE;
}

/* `word` is the whole word, `letter` the one of it that is unknown or 0;
 * a code of the table: an argument where none is taken. */
static int refuse_option(int letter, const char *word)
{
	const struct option_row *row = row_of(letter);

	if (row)
		fprintf(stderr, "stalltop: --%s: takes no argument; leave the "
			"= away\n", row->name);
	else if (letter > 0)
		fprintf(stderr, "stalltop: -%c: no such option; see "
			"stalltop --help\n", letter);
	else
		fprintf(stderr, "stalltop: %s: no such option, or several "
			"begin like it; see stalltop --help\n", word);
	return USAGE;
}

static int refuse_command(const char *text)
{
	const struct option_word *w;

	fprintf(stderr, "stalltop: \"%s\" is not a command; the commands are:",
		text);
	for (w = option_commands; w->text; w++)
		fprintf(stderr, " %s", w->text);
	fputs("; without one the live screen starts\n", stderr);
	return USAGE;
}

/* ---- parsing ---------------------------------------------------------- */

static int parse_one(struct options *opt, int code, int is_long)
{
	const struct option_row *row = row_of(code);
	int err = row->set((char *)opt + row->to, row, optarg);

	return err ? refuse_argument(row, is_long, optarg, err) : 0;
}

static int parse_options(struct options *opt, int argc, char **argv)
{
	struct getopt_tables t;
	int code, at, status = 0;

	getopt_fill(&t);
	optind = 0;		/* glibc: start anew, so tests can call twice */
	opterr = 0;
	while (!status) {
		at = -1;
		code = getopt_long(argc, argv, t.letters, t.rows, &at);
		if (code < 0)
			break;
		if (code == ':')
			status = refuse_missing(optopt, argv[optind - 1]);
		else if (code == '?')
			status = refuse_option(optopt, argv[optind - 1]);
		else
			status = parse_one(opt, code, at >= 0);
	}
	return status;
}

static int parse_words(struct options *opt, int argc, char **argv)
{
	const struct option_word *w;
	int i = optind;

	if (i < argc && opt->command == COMMAND_LIST_EVENTS && !opt->pattern)
		opt->pattern = argv[i++];
	else if (i < argc && opt->command == COMMAND_WATCH) {
		w = option_word(option_commands, argv[i]);
		if (!w)
			return refuse_command(argv[i]);
		opt->command = w->value;
		i++;
	}
	if (i < argc) {
		fprintf(stderr, "stalltop: \"%s\": nothing is expected here; "
			"see stalltop --help\n", argv[i]);
		return USAGE;
	}
	return 0;
}

/* What follows from several options together. */
static int options_settle(struct options *opt)
{
	if (opt->json)
		opt->batch = 1;
	if (opt->duration_ns)
		opt->interval_ns = opt->duration_ns;
	if (opt->window_ns == OPTION_WINDOW_UNSET)
		opt->window_ns = opt->batch || opt->duration_ns ?
				 opt->interval_ns : 10 * SECOND;
	else
		opt->window_set = 1;
	return 0;
}

static void dump_row(FILE *f, const struct option_row *row, const char *gap,
		     int width)
{
	char left[LEFT_MAX];
	int n = 0;

	if (row->letter)
		n = snprintf(left, sizeof(left), "-%c, ", row->letter);
	snprintf(left + n, sizeof(left) - n, "--%s%s%s", row->name,
		 !row->arg ? "" : *row->arg == '[' ? "[=" : " ",
		 !row->arg ? "" : row->arg + (*row->arg == '['));
	fprintf(f, "%s%-*s%s%s\n", *gap == '\t' ? "" : "  ", width, left, gap,
		row->help);
}

/* ---- the module itself ------------------------------------------------ */

int options_parse(struct options *opt, int argc, char **argv)
{
	int status;

	*opt = (struct options){
		.interval_ns = SECOND, .window_ns = OPTION_WINDOW_UNSET, .rows = 20,
		.proc = "/proc", .sys = "/sys", .stacks = 2000,
		.history_ns = 600 * SECOND, .theme = "default",
	};
	status = parse_options(opt, argc, argv);
	if (!status)
		status = parse_words(opt, argc, argv);
	return status ? status : options_settle(opt);
}

void options_to_text(struct options *opt)
{
	if (opt->batch)
		return;
	opt->batch = 1;
	if (!opt->count)
		opt->count = 1;
	if (!opt->window_set)
		opt->window_ns = opt->interval_ns;
}

void options_help(FILE *f)
{
	size_t i;

	fputs("stalltop shows why the kernel is not running your work.\n\n"
	      "  stalltop [options]       watch this box\n"
	      "  stalltop -b [options]    the same as text, for ever or -n times\n"
	      "  stalltop doctor          what works here, what does not, why, "
	      "and the remedy\n\n", f);
	for (i = 0; i < OPTION_ROWS; i++)
		dump_row(f, &option_table[i], "  ", 24);
	fputs("\nSECS may carry a unit: 250ms, 1.5, 2m. On the screen, ? shows "
	      "the keys.\n", f);
}

void options_dump(FILE *f)
{
	size_t i;

	for (i = 0; i < OPTION_ROWS; i++)
		dump_row(f, &option_table[i], "\t", 0);
}
