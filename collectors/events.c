/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events does a text like that of -e name?
 *
 * A name libpfm4 knows is its event; only another one of the form a:b can be
 * a tracepoint, so cycles:k stays what it is.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "events.h"
#include "pmu_names.h"
#include "tracefs.h"

enum { TYPE_TRACEPOINT = 2 };	/* PERF_TYPE_TRACEPOINT */

static const char identifier[] = "abcdefghijklmnopqrstuvwxyz"
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

struct word {			/* an item of the list, without blanks */
	const char *p;
	size_t len;
};

static struct word word_next(const char **at)
{
	size_t span = strcspn(*at, ",");
	struct word w = { *at, span };

	while (w.len && isspace((unsigned char)*w.p)) {
		w.p++;
		w.len--;
	}
	while (w.len && isspace((unsigned char)w.p[w.len - 1]))
		w.len--;
	*at += span;
	return w;
}

/* What was typed, fit for one line of a terminal. */
static void word_quote(const struct word *w, char *buf, size_t n)
{
	size_t i;

	for (i = 0; i < w->len && i + 1 < n; i++)
		buf[i] = w->p[i] >= ' ' && w->p[i] <= '~' ? w->p[i] : '?';
	buf[i] = '\0';
}

static int complain(const char *list, const struct word *w, int nth,
		    const char *why, char *err, size_t n)
{
	char name[48];

	word_quote(w, name, sizeof(name));
	snprintf(err, n, "-e: event %d \"%s\" at character %td: %s; see "
		 "stalltop --list-events", nth, name, w->p - list + 1, why);
	return -EINVAL;
}

static int is_tracepoint(const char *name)
{
	size_t len = strspn(name, identifier), rest;

	if (!len || name[len] != ':')
		return 0;
	rest = strspn(name + len + 1, identifier);
	return rest && !name[len + 1 + rest];
}

/* 0 or -errno with the reason. */
static int event_take(struct event_want *ev, const struct word *w, char *why,
		      size_t nwhy)
{
	int err;

	memset(ev, 0, sizeof(*ev));
	if (!w->len || w->len >= sizeof(ev->name)) {
		snprintf(why, nwhy, w->len ? "too long" : "empty name");
		return -EINVAL;
	}
	memcpy(ev->name, w->p, w->len);
	err = pmu_names_code(ev->name, &ev->code, why, nwhy);
	if (err && err != -EINVAL && is_tracepoint(ev->name)) {
		ev->tracepoint = 1;
		ev->code.type = TYPE_TRACEPOINT;
		err = 0;
	}
	return err;
}

static int is_there(const struct event_want *ev, int n, const char *name)
{
	while (n--)
		if (!strcmp(ev[n].name, name))
			return 1;
	return 0;
}

int events_parse(const char *list, struct event_want *ev, size_t max,
		 char *err, size_t nerr)
{
	struct event_want one;
	const char *at = list;
	char why[128];
	struct word w;
	int n = 0, nth = 1;

	for (;; at++, nth++) {
		w = word_next(&at);
		if (event_take(&one, &w, why, sizeof(why)))
			return complain(list, &w, nth, why, err, nerr);
		one.at = (size_t)(w.p - list);
		if (!is_there(ev, n, one.name)) {
			if ((size_t)n == max) {
				snprintf(err, nerr, "-e: more than %zu events; "
					 "name fewer", max);
				return -E2BIG;
			}
			ev[n++] = one;
		}
		if (!*at)
			return n;
	}
}

int events_resolve(struct event_want *ev, char *why, size_t nwhy,
		   char *remedy, size_t nremedy)
{
	struct tracefs_why w = { "", "" };
	char system[EVENT_NAME];
	const char *colon = strchr(ev->name, ':');
	int fd, err;

	if (!ev->tracepoint || !colon)
		return 0;
	fd = tracefs_open(&w);
	if (fd < 0) {
		snprintf(why, nwhy, "%s", w.why);
		snprintf(remedy, nremedy, "%s", w.remedy);
		return fd;
	}
	snprintf(system, sizeof(system), "%.*s", (int)(colon - ev->name),
		 ev->name);
	err = tracefs_event_id(fd, system, colon + 1, &ev->code.config);
	close(fd);
	if (err) {
		if (err == -ENOENT)
			snprintf(why, nwhy, "no such event, neither a PMU's "
				 "nor a tracepoint");
		else
			snprintf(why, nwhy, "the tracepoint's id cannot be "
				 "read: %s", strerror(-err));
		snprintf(remedy, nremedy, "stalltop --list-events %s",
			 colon + 1);
	}
	return err;
}
