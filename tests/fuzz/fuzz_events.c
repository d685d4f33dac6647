/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as a list of events: it is taken, or refused in one printable line.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct event_want ev[EVENTS_MAX];
	char *list = malloc(size + 1), err[200] = "";
	const char *p;
	int n;

	memcpy(list, data, size);
	list[size] = '\0';
	n = events_parse(list, ev, EVENTS_MAX, err, sizeof(err));
	if (n > EVENTS_MAX || !n || (n < 0 && !*err))
		abort();
	for (p = err; *p; p++)
		if (*p < ' ' || *p > '~')
			abort();
	free(list);
	return 0;
}
