/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wired to what?  The one place that knows the collectors' and the
 * panes' tables.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "collector.h"
#include "doctor.h"
#include "loop.h"
#include "options.h"
#include "present.h"
#include "source.h"

#define STALLTOP_VERSION "0.1"

enum { FAILED = 1 };

/* A descriptor opened later must not become somebody's stdout.  A stdout that
 * was closed stays one that cannot be written. */
static void fds_fill(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* A locale that is not installed is the C locale, not an error. */
static void locale_take(struct options *opt)
{
	if (!setlocale(LC_ALL, ""))
		setlocale(LC_CTYPE, "");
	setlocale(LC_NUMERIC, "C");
	if (strcmp(nl_langinfo(CODESET), "UTF-8"))
		opt->ascii = 1;
}

static int watch(struct options *opt, struct source *src)
{
	struct view view;
	int status;

	view_init(&view, opt);
	status = loop_run(opt, src, opt->batch ? &batch_presenter :
						 &curses_presenter, &view);
	view_free(&view);
	return status;
}

/* Commands that need the collectors. */
static int observe(struct options *opt)
{
	struct source *src;
	int status = opt->events ? collector_check_events(opt->events) : 0;
	int err = status ? 0 : live_open(&src, opt, collector_table);

	if (status)
		return status;
	if (err)
		return FAILED;
	if (opt->command == COMMAND_DOCTOR)
		err = doctor_run(stdout, src, collector_table);
	else if (opt->command == COMMAND_LIST_METRICS)
		err = doctor_list_metrics(stdout, src);
	else
		status = watch(opt, src);
	src->close(src);
	return err ? FAILED : status;
}

static int run(struct options *opt)
{
	switch (opt->command) {
	case COMMAND_HELP:
		options_help(stdout);
		return 0;
	case COMMAND_VERSION:
		puts("stalltop " STALLTOP_VERSION);
		return 0;
	case COMMAND_LIST_EVENTS:
		return collector_list_events(stdout, opt->pattern);
	default:
		if (!isatty(STDOUT_FILENO))
			options_to_text(opt);
		return observe(opt);
	}
}

int main(int argc, char **argv)
{
	struct options opt;
	int status;

	fds_fill();
	status = options_parse(&opt, argc, argv);
	locale_take(&opt);
	if (!status)
		status = run(&opt);
	if (fflush(stdout) && errno != EPIPE && !status) {
		fprintf(stderr, "stalltop: stdout: %s; not all was written\n",
			strerror(errno));
		status = FAILED;
	}
	return status;
}
