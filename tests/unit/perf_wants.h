/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of perf share: events wanted, and skipping where this box or
 * user cannot have them.
 */
#ifndef PERF_WANTS_H
#define PERF_WANTS_H

#include <unistd.h>
#include <linux/perf_event.h>
#include "perf.h"
#include "test.h"
#include "tracefs.h"

static TEST_UNUSED const struct perf_want switches = {
	.code = { .type = PERF_TYPE_SOFTWARE,
		  .config = PERF_COUNT_SW_CONTEXT_SWITCHES },
};
static TEST_UNUSED const struct perf_want cycles = {
	.code = { .type = PERF_TYPE_HARDWARE,
		  .config = PERF_COUNT_HW_CPU_CYCLES },
};

static TEST_UNUSED struct perf_group *open_or_skip(const struct perf_want *want)
{
	char why[240], remedy[240];
	struct perf_group *g;
	int err = perf_open(&g, want);

	if (!err)
		return g;
	perf_why(-err, &want->code, why, sizeof(why), remedy, sizeof(remedy));
	SKIP("%s; %s", why, remedy);
}

static TEST_UNUSED uint64_t sched_switch_or_skip(void)
{
	struct tracefs_why w;
	uint64_t id;
	int fd = tracefs_open(&w), err;

	if (fd < 0)
		SKIP("%s; %s", w.why, w.remedy);
	err = tracefs_event_id(fd, "sched", "sched_switch", &id);
	close(fd);
	if (err)
		SKIP("no sched:sched_switch");
	return id;
}

static TEST_UNUSED uint64_t total(struct perf_group *g)
{
	struct perf_value v;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < perf_cpus(g); i++) {
		perf_read(g, i, &v);
		sum += v.value;
	}
	return sum;
}

#endif
