/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is an event described so that this kernel takes it?
 *
 * sample_type never holds PERIOD: with it the kernel takes every event of a
 * tracepoint whatever sample_period says (perf_swevent_event() in
 * kernel/events/core.c).  clockid is of 4.1; arm64 PMUs refuse exclude_idle,
 * some with EPERM.
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <sys/resource.h>
#include "perf_attr.h"

/* -e takes 64 events; sampled ones are a few more. */
enum { SPARE_FDS = 256, FDS_PER_CPU = 80 };

static void attr_sampling(struct perf_event_attr *a,
			  const struct perf_want *want)
{
	a->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	if (!want->own)		/* EINVAL with inherit before 6.12 */
		a->sample_type |= PERF_SAMPLE_READ;
	if (want->stacks)
		a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (want->raw)
		a->sample_type |= PERF_SAMPLE_RAW;
	/*
	 * With an ID in the format, libperf does not read a mapped hardware
	 * counter by rdpmc, which would read that of the CPU we are on.
	 */
	a->read_format |= PERF_FORMAT_ID;
	a->exclude_callchain_user = 1;
	a->use_clockid = 1;
	a->clockid = CLOCK_MONOTONIC;
	a->freq = !want->every;
	a->sample_period = want->every ? want->every : want->freq;
	/* Rings are looked at by the clock: nobody waits to be woken. */
	a->watermark = 1;
	a->wakeup_watermark = UINT32_MAX;
}

void perf_attr_init(struct perf_event_attr *a, const struct perf_want *want)
{
	const struct perf_code *c = &want->code;

	memset(a, 0, sizeof(*a));
	a->size = sizeof(*a);
	a->type = c->type;
	a->config = c->config;
	a->config1 = c->config1;
	a->config2 = c->config2;
	a->exclude_user = !!c->exclude_user;
	a->exclude_kernel = !!c->exclude_kernel;
	a->exclude_hv = !!c->exclude_hv;
	a->exclude_idle = !!c->exclude_idle;
	a->inherit = !!want->own;
	a->disabled = 1;
	a->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			 PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (want->every || want->freq)
		attr_sampling(a, want);
}

int perf_attr_weaken(struct perf_event_attr *a, unsigned *lacks)
{
	if (a->use_clockid) {
		a->use_clockid = 0;
		a->clockid = 0;
		*lacks |= PERF_LACKS_CLOCK;
	} else if (a->exclude_callchain_user) {
		a->exclude_callchain_user = 0;	/* the reader drops them */
	} else if (a->exclude_hv) {
		a->exclude_hv = 0;
	} else if (a->exclude_idle) {
		a->exclude_idle = 0;
		*lacks |= PERF_LACKS_IDLE;
	} else {
		return 0;
	}
	return 1;
}

int perf_attr_may_weaken(const struct perf_event_attr *a, int err)
{
	return err == -EINVAL || err == -E2BIG || err == -EOPNOTSUPP ||
	       (err == -EPERM && a->exclude_idle);
}

/* Descriptors for all the events there may be, before the first is opened. */
void perf_raise_nofile(size_t cpus)
{
	static int raised;
	struct rlimit r;

	if (raised || getrlimit(RLIMIT_NOFILE, &r) ||
	    r.rlim_cur >= SPARE_FDS + FDS_PER_CPU * cpus || r.rlim_cur == r.rlim_max)
		return;
	raised = 1;
	r.rlim_cur = r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
}
