/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the counters' readings hold together, and is what cannot be counted named
 * with its reason?
 */
#include <errno.h>
#include <unistd.h>
#include <sys/wait.h>
#include <time.h>
#include "collector.h"
#include "collectors.h"
#include "perf.h"
#include "perf_wants.h"
#include "test.h"
#include "tracefs.h"

static struct options opt;
static struct names *names;
static struct health health;
static struct env env;
static struct sample sample;
static void *state;

static void stop(void)
{
	if (state)
		counters_collector.close(state);
	state = NULL;
	sample_free(&sample);
	names_free(names);
	names = NULL;
	health_free(&health);
	memset(&health, 0, sizeof(health));
}

static int start(const char *events)
{
	stop();
	names = names_new();
	CHECK(names && !sample_init(&sample));
	sample.names = names;
	memset(&opt, 0, sizeof(opt));
	opt.events = events;
	env = (struct env) { .opt = &opt, .names = names, .health = &health };
	return counters_collector.open(&state, &env);
}

static void collect(void)
{
	sample_reset(&sample);
	sample.names = names;
	CHECK_EQ_INT(counters_collector.collect(state, &sample), 0);
	sample_seal(&sample);
}

static const struct health_item *item(const char *part)
{
	size_t i;

	for (i = 0; i < health.n; i++)
		if (!strcmp(health.item[i].collector, "counters") &&
		    !strcmp(health.item[i].part, part))
			return &health.item[i];
	return NULL;
}

static void start_or_skip(const char *events)
{
	int err = start(events);

	if (err)
		SKIP("%s", item("") ? item("")->why : strerror(-err));
}

/* Sum of a metric over the CPUs for one event; *n = how many readings. */
static uint64_t sum(uint16_t metric, const char *event, size_t *n)
{
	uint32_t id = names_text(names, event, strlen(event));
	const struct reading *r;
	uint64_t total = 0;
	size_t all, i;

	*n = 0;
	r = sample_range(&sample, metric, &all);
	for (i = 0; i < all; i++) {
		if (r[i].key != id)
			continue;
		total += r[i].value;
		++*n;
	}
	return total;
}

TEST(the_default_events_are_counted_on_every_cpu)
{
	size_t cpus = (size_t)sysconf(_SC_NPROCESSORS_ONLN), n;
	uint64_t first, enabled;

	start_or_skip(NULL);
	collect();
	first = sum(PERF_VALUE, "task-clock", &n);
	CHECK_EQ_U64(n, cpus);
	usleep(50000);
	collect();
	CHECK(sum(PERF_VALUE, "task-clock", &n) > first);
	enabled = sum(PERF_ENABLED, "task-clock", &n);
	CHECK_EQ_U64(n, cpus);
	CHECK(enabled >= 40000000 * cpus);
	CHECK_EQ_U64(sum(PERF_RUNNING, "task-clock", &n), enabled);
	sum(PERF_VALUE, "page-faults", &n);
	CHECK_EQ_U64(n, cpus);
	CHECK(item("") != NULL);
	CHECK(health_cost(&health, "counters")->read_ns > 0);
	stop();
}

/* The label says so: task-clock of a whole CPU counts its idle time too. */
TEST(task_clock_of_a_cpu_is_the_time_it_was_counted)
{
	uint64_t value, enabled;
	size_t n;

	start_or_skip("task-clock,context-switches");
	CHECK(item("task-clock") != NULL);
	CHECK_EQ_INT(item("task-clock")->level, HEALTH_NOTE);
	usleep(100000);
	collect();
	value = sum(PERF_VALUE, "task-clock", &n);
	enabled = sum(PERF_ENABLED, "task-clock", &n);
	CHECK_NEAR((double)value, (double)enabled, .05 * (double)enabled);
	CHECK_EQ_INT(item("")->level, HEALTH_OK);
	stop();
}

TEST(no_pmu_is_said_once_and_for_each_event)
{
	const struct health_item *i;
	size_t n;

	start_or_skip(NULL);
	i = item("hardware");
	if (!i) {
		stop();
		SKIP("this box has a PMU");
	}
	CHECK_EQ_INT(i->err, ENOENT);
	CHECK_EQ_INT(i->level, HEALTH_ABSENT);
	CHECK(strstr(i->why, "no hardware PMU") != NULL);
	CHECK(strstr(i->remedy, "pmu=on") != NULL);
	i = item("cycles");
	CHECK(i && strstr(i->why, "cycles: no hardware PMU"));
	CHECK(item("stalled-cycles-frontend") != NULL);
	CHECK_EQ_INT(item("")->level, HEALTH_PARTLY);
	CHECK(strstr(item("")->why, "3 of 12 events") != NULL);
	collect();
	sum(PERF_VALUE, "cycles", &n);
	CHECK_EQ_U64(n, 0);	/* absent, not zero */
	stop();
}

TEST(named_events_only)
{
	size_t n;

	start_or_skip("minor-faults , cpu-clock:u");
	collect();
	sum(PERF_VALUE, "minor-faults", &n);
	CHECK(n > 0);
	sum(PERF_VALUE, "cpu-clock:u", &n);
	CHECK(n > 0);
	sum(PERF_VALUE, "context-switches", &n);
	CHECK_EQ_U64(n, 0);
	stop();
}

TEST(a_tracepoint_counts_what_its_event_does)
{
	size_t n;

	sched_switch_or_skip();
	start_or_skip("sched:sched_process_fork,sched:nothing_of_the_kind");
	if (!fork())
		_exit(0);
	wait(NULL);
	collect();
	CHECK(sum(PERF_VALUE, "sched:sched_process_fork", &n) >= 1);
	CHECK_EQ_INT(item("")->level, HEALTH_PARTLY);
	/* parts are cut to fit; the reason names the event whole */
	CHECK(item("sched:nothing_of_the_ki") != NULL);
	CHECK(strstr(item("sched:nothing_of_the_ki")->why,
		     "sched:nothing_of_the_kind: no such event") != NULL);
	stop();
}

TEST(a_name_that_is_none_is_said)
{
	CHECK_EQ_INT(start("cycles,nope"), -EINVAL);
	CHECK_EQ_INT(item("")->level, HEALTH_ABSENT);
	CHECK(strstr(item("")->why, "event 2 \"nope\"") != NULL);
	CHECK_EQ_STR(item("")->remedy, "stalltop --list-events");
	CHECK(state == NULL);
	stop();
}

TEST(nothing_that_can_be_counted)
{
	struct perf_want want = { .code = { .type = 0, .config = 0 } };
	struct perf_group *g;

	if (!perf_open(&g, &want)) {
		perf_close(g);
		SKIP("this box has a PMU");
	}
	CHECK(start("cycles") < 0);
	CHECK(strstr(item("")->why, "no event can be counted") != NULL);
	CHECK(*item("")->why && item("")->err > 0);
	counters_collector.close(NULL);
	stop();
}

static int errors_of_check(const char *list, char *text, size_t n)
{
	FILE *out = tmpfile();
	int keep = dup(2), status;
	size_t len;

	CHECK(out != NULL);
	dup2(fileno(out), 2);
	status = collector_check_events(list);
	fflush(stderr);
	dup2(keep, 2);
	close(keep);
	rewind(out);
	len = fread(text, 1, n - 1, out);
	text[len] = '\0';
	fclose(out);
	return status;
}

TEST(names_are_checked_before_anything_runs)
{
	char text[512];

	CHECK_EQ_INT(errors_of_check("cycles:u,r1,sched:sched_switch", text, sizeof(text)), 0);
	CHECK_EQ_STR(text, "");
	CHECK_EQ_INT(errors_of_check("r1,,", text, sizeof(text)), 2);
	CHECK_EQ_STR(text, "stalltop: -e: event 2 \"\" at character 4: empty "
		     "name; see stalltop --list-events\n");
}

static char *list(const char *pattern, int *status)
{
	static char *text;	/* written behind the compiler's back */
	static size_t n;
	FILE *f = open_memstream(&text, &n);

	CHECK(f != NULL);
	*status = collector_list_events(f, pattern);
	fclose(f);
	return text;
}

TEST(tracepoints_are_listed_after_pmu_events)
{
	char *text, *tlb, *point;
	int status, ok;

	sched_switch_or_skip();
	text = list("s", &status);
	tlb = strstr(text, "perf::");
	point = strstr(text, "\nsched:sched_switch ");
	ok = tlb && point && tlb < point;
	free(text);
	CHECK(ok);
	CHECK_EQ_INT(status, 0);
	free(list("no such event anywhere", &status));
	CHECK_EQ_INT(status, 1);
}

TEST(mounts_are_found_by_their_type)
{
	static const char info[] =
		"22 1 0:20 / /sys rw shared:7 - sysfs sysfs rw\n"
		"30 22 0:11 /events /odd rw - tracefs tracefs rw\n"
		"31 22 0:11 / /with\\040blank rw shared:1 master:2 - tracefs "
		"none rw\n"
		"32 22 0:7 / /sys/kernel/debug rw - debugfs debugfs rw";
	char path[64];

	CHECK_EQ_INT(tracefs_find(info, "tracefs", path, sizeof(path)), 0);
	CHECK_EQ_STR(path, "/with blank");
	CHECK_EQ_INT(tracefs_find(info, "debugfs", path, sizeof(path)), 0);
	CHECK_EQ_STR(path, "/sys/kernel/debug");
	CHECK_EQ_INT(tracefs_find(info, "trace", path, sizeof(path)), -ENOENT);
	CHECK_EQ_INT(tracefs_find("", "tracefs", path, sizeof(path)), -ENOENT);
	CHECK_EQ_INT(tracefs_find("1 2 - tracefs", "tracefs", path,
				  sizeof(path)), -ENOENT);
	CHECK_EQ_INT(tracefs_find(info, "debugfs", path, 8), -ENAMETOOLONG);
}

TEST_MAIN
