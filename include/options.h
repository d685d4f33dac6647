/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did the user ask for?  Filled by options_parse() from one table, which
 * --help and the man page are made of too.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>
#include <stdio.h>

enum command { COMMAND_WATCH, COMMAND_DOCTOR, COMMAND_LIST_METRICS,
	       COMMAND_LIST_EVENTS, COMMAND_HELP, COMMAND_VERSION };
enum engine { ENGINE_AUTO, ENGINE_PERF, ENGINE_BPF };

struct options {
	enum command command;
	uint64_t interval_ns;	/* -i, --interval SECS: between samples, 1 s */
	uint64_t window_ns;	/* -w, --window SECS: rows span it, 10 s on the
				 * screen, the interval in batch; 0 = all */
	int batch;		/* -b */
	uint64_t count;		/* -n N: frames in batch, 0 = for ever */
	uint64_t duration_ns;	/* -d SECS: in batch, time per frame (the
				 * interval, and the window, of each) */
	const char *pane;	/* -p NAME: NULL = overview; "raw" */
	int json;		/* --json */
	uint64_t rows;		/* --rows N in batch and JSON: 20, 0 = all */
	unsigned width, height;	/* --size WxH of batch text, 0 = as wide as
				 * the columns want */
	const char *proc, *sys;	/* --proc DIR, --sys DIR; never NULL */
	const char *events;	/* -e NAME,...: NULL = the default set */
	const char *pattern;	/* --list-events [PATTERN] */
	uint64_t stacks;	/* --stacks N: stacks per second aimed at */
	uint64_t every;		/* --every N: fixed sampling, 0 = steered */
	enum engine engine;	/* --engine */
	const char *theme;	/* --theme: "default", "mono" */
	int ascii;		/* --ascii: no box drawing, no blocks */
	uint64_t history_ns;	/* --history MINUTES: 10 min */
	const char *filter;	/* --filter TEXT: rows whose name holds it */
	const char *sort;	/* --sort COLUMN */
	int window_set;		/* -w was given */
	int pipe_bytes;		/* --pipe-bytes */
};

/*
 * 0, or an exit status (2) after one line on stderr that names the option
 * and the remedy.  Strings point into argv.
 */
int options_parse(struct options *opt, int argc, char **argv);
/* There is no terminal: print text, one frame unless -n says more. */
void options_to_text(struct options *opt);
void options_help(FILE *f);		/* --help */
/* The table, a line each as "-x, --name ARG\thelp", for tests of the man
 * page. */
void options_dump(FILE *f);

#endif
