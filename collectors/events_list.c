/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events can be named here?  PMU events out of libpfm4's tables, then
 * the kernel's tracepoints out of tracefs.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "collector.h"
#include "events.h"
#include "pmu_names.h"
#include "tracefs.h"

enum { FAILED = 1, MISUSED = 2 };

static int is_visible(const struct dirent *d)
{
	return d->d_name[0] != '.' && d->d_type == DT_DIR;
}

/* The directories below fd/path by name; how many, 0 if it cannot be read. */
static int dirs_of(int fd, const char *path, struct dirent ***list)
{
	int n = scandirat(fd, path, list, is_visible, alphasort);

	return n < 0 ? 0 : n;
}

static long list_system(FILE *f, const char *pattern, int events_fd,
			const char *system)
{
	struct dirent **event;
	char name[600];
	long found = 0;
	int i, n = dirs_of(events_fd, system, &event);

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s:%s", system,
			 event[i]->d_name);
		if (pmu_names_match(name, pattern)) {
			pmu_names_line(f, name, "tracepoint");
			found++;
		}
		free(event[i]);
	}
	if (n)
		free(event);
	return found;
}

static long list_tracepoints(FILE *f, const char *pattern, int fd)
{
	int i, n, events_fd = openat(fd, "events", O_RDONLY | O_DIRECTORY |
				     O_CLOEXEC);
	struct dirent **system;
	long found = 0;

	if (events_fd < 0)
		return 0;
	n = dirs_of(events_fd, ".", &system);
	for (i = 0; i < n; i++) {
		found += list_system(f, pattern, events_fd,
				     system[i]->d_name);
		free(system[i]);
	}
	if (n)
		free(system);
	close(events_fd);
	return found;
}

int collector_list_events(FILE *f, const char *pattern)
{
	struct tracefs_why w = { "", "" };
	long found = pmu_names_list(f, pattern);
	int fd = tracefs_open(&w);

	if (found < 0) {
		fprintf(stderr, "stalltop: --list-events: libpfm4 does not "
			"start; install libpfm4\n");
		found = 0;
	}
	if (fd >= 0) {
		found += list_tracepoints(f, pattern, fd);
		close(fd);
	} else {
		fprintf(stderr, "stalltop: tracepoints: %s; %s\n", w.why,
			w.remedy);
	}
	if (found)
		return 0;
	fprintf(stderr, "stalltop: --list-events: no event matches; try a "
		"shorter part of its name, or *\n");
	return FAILED;
}

/* A tracepoint that cannot be looked up (no tracefs) is no wrong name: the
 * collector says why it is absent. */
static int tracepoint_check(struct event_want *ev)
{
	struct tracefs_why none;
	char why[160], remedy[160];
	int fd = ev->tracepoint ? tracefs_open(&none) : -ENOENT;

	if (fd < 0)
		return 0;
	close(fd);
	if (events_resolve(ev, why, sizeof(why), remedy, sizeof(remedy)) !=
	    -ENOENT)
		return 0;
	fprintf(stderr, "stalltop: -e %s: no such tracepoint; see stalltop "
		"--list-events\n", ev->name);
	return MISUSED;
}

int collector_check_events(const char *list)
{
	struct event_want ev[EVENTS_MAX];
	char err[256];
	int n = events_parse(list, ev, EVENTS_MAX, err, sizeof(err)), i;
	int bad = 0;

	if (n < 0) {
		fprintf(stderr, "stalltop: %s\n", err);
		return MISUSED;
	}
	for (i = 0; i < n && !bad; i++)
		bad = tracepoint_check(&ev[i]);
	return bad;
}
