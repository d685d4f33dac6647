/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do counters live on when a CPU refuses, or goes and comes unseen?
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include "perf.h"
#include "perf_wants.h"
#include "test.h"

/* A CPU that is not there refuses (ENODEV); the others go on. */
TEST(one_cpu_that_refuses_is_left_out)
{
	struct perf_group *g = open_or_skip(&switches);
	size_t n = perf_cpus(g);
	int err = 0;

	CHECK(perf_follow_cpus(g, "0,2000") >= 0);
	CHECK_EQ_U64(perf_cpus(g), n + 1);
	CHECK_EQ_INT(perf_cpu(g, n), -1);
	CHECK_EQ_INT(perf_slot_cpu(g, n, &err), 2000);
	CHECK(err == ENODEV || err == EINVAL);
	perf_close(g);
}

/* What offlining does to an event: it stands, and its time does not go on. */
static int stop_all_events(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *d;
	char path[300], link[64];
	int n = 0;
	ssize_t len;

	while (dir && (d = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/self/fd/%s", d->d_name);
		len = readlink(path, link, sizeof(link) - 1);
		link[len > 0 ? len : 0] = '\0';
		if (!strcmp(link, "anon_inode:[perf_event]"))
			n += !ioctl(atoi(d->d_name), PERF_EVENT_IOC_DISABLE, 0);
	}
	if (dir)
		closedir(dir);
	return n;
}

static void sleep_often(int times)
{
	while (times--)
		usleep(1000);
}

TEST(a_cpu_that_went_and_came_unseen_counts_again)
{
	struct perf_group *g = open_or_skip(&switches);
	uint64_t stopped, again, after;
	int cpus = (int)perf_cpus(g), n;

	sleep_often(20);
	total(g);
	n = stop_all_events();
	sleep_often(20);
	stopped = total(g);	/* some time went on since the last reading */
	sleep_often(20);
	again = total(g);
	CHECK_EQ_INT(n, cpus);
	CHECK_EQ_U64(again, stopped);
	CHECK_EQ_INT(perf_follow(g), cpus);
	CHECK(total(g) >= again);
	sleep_often(20);
	after = total(g);
	CHECK(after >= again + 20);
	CHECK_EQ_INT(perf_follow(g), 0);
	perf_close(g);
}

TEST_MAIN
