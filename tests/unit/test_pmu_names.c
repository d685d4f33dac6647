/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do names become the events they say, and does the list name only events
 * that can be named?
 */
#include <errno.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "events.h"
#include "pmu_names.h"
#include "test.h"

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
	int user, kernel, hv;	/* excluded */
} known[] = {
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, 0, 0 },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0, 0, 0 },
	{ "context-switches", PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_CONTEXT_SWITCHES, 0, 0, 0 },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS,
	  0, 0, 0 },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
	  0, 0, 0 },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN,
	  0, 0, 0 },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	  0, 0, 0 },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 0, 0 },
	{ "cycles:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 1, 1 },
	{ "cycles:k", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1, 0, 1 },
	{ "cycles:uk", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 0, 1 },
	{ "cycles:h", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1, 1, 0 },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
	  0, 0, 0 },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	  0, 0, 0 },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,
	  0, 0, 0 },
	{ "cache-references", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_CACHE_REFERENCES, 0, 0, 0 },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES,
	  0, 0, 0 },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0, 0, 0 },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0, 0, 0 },
	{ "dTLB-load-misses", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_DTLB |
	  PERF_COUNT_HW_CACHE_RESULT_MISS << 16, 0, 0, 0 },
	{ "iTLB-load-misses", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_ITLB |
	  PERF_COUNT_HW_CACHE_RESULT_MISS << 16, 0, 0, 0 },
	{ "perf::PERF_COUNT_HW_CACHE_DTLB:READ:MISS", PERF_TYPE_HW_CACHE,
	  PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_RESULT_MISS << 16,
	  0, 0, 0 },
	{ "r1a8", PERF_TYPE_RAW, 0x1a8, 0, 0, 0 },
	{ "r1A8:u", PERF_TYPE_RAW, 0x1a8, 0, 1, 1 },
};

TEST(names_are_the_events_they_say)
{
	struct perf_code c;
	char why[128];
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (pmu_names_code(known[i].name, &c, why, sizeof(why)))
			FAIL("%s: %s", known[i].name, why);
		if (c.type != known[i].type || c.config != known[i].config ||
		    c.exclude_user != known[i].user ||
		    c.exclude_kernel != known[i].kernel ||
		    c.exclude_hv != known[i].hv)
			FAIL("%s is type %u config %#lx -u%d -k%d -h%d",
			     known[i].name, c.type, (long)c.config,
			     c.exclude_user, c.exclude_kernel, c.exclude_hv);
	}
}

static int refused(const char *name)
{
	struct perf_code c;
	char why[128] = "";
	int err = pmu_names_code(name, &c, why, sizeof(why));

	CHECK(!err || *why);
	return err;
}

TEST(what_is_no_event_is_refused)
{
	char longest[2000];

	CHECK_EQ_INT(refused("no-such-event"), -ENOENT);
	CHECK_EQ_INT(refused("nopmu::CYCLES"), -ENOENT);
	CHECK_EQ_INT(refused("cycles:x"), -EINVAL);
	CHECK_EQ_INT(refused("cycles:u:period=100"), -EINVAL);
	CHECK(refused("") < 0);
	CHECK(refused("rxyz") < 0);
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	CHECK_EQ_INT(refused(longest), -EINVAL);
}

TEST(patterns)
{
	CHECK(pmu_names_match("perf::CYCLES", NULL));
	CHECK(pmu_names_match("perf::CYCLES", ""));
	CHECK(pmu_names_match("perf::CYCLES", "cyc"));
	CHECK(pmu_names_match("perf::CYCLES", "*::c*"));
	CHECK(!pmu_names_match("perf::CYCLES", "c*"));
	CHECK(!pmu_names_match("perf::CYCLES", "cycles2"));
	CHECK(pmu_names_match("perf::CYCLES", "perf::cycle[sz]"));
}

/* Lines of a list, each "NAME text"; calls check for every name. */
static long list_lines(const char *pattern, void (*check)(const char *name))
{
	char *text = NULL, *line, *save, *name;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	long listed, lines = 0;

	CHECK(f != NULL);
	listed = pmu_names_list(f, pattern);
	fclose(f);
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		name = strsep(&line, " ");
		check(name);
		lines++;
	}
	free(text);
	CHECK_EQ_INT(listed, lines);
	return lines;
}

/* Some events mean nothing without a unit mask: the list says which. */
static void check_takes(const char *name)
{
	struct perf_code c;
	char why[128];

	if (pmu_names_code(name, &c, why, sizeof(why)) == -ENOENT)
		FAIL("%s is listed and does not exist", name);
}

static void check_holds_tlb(const char *name)
{
	CHECK(strcasestr(name, "tlb") != NULL);
}

TEST(listed_names_exist)
{
	long all = list_lines(NULL, check_takes);

	CHECK(all > 20);
	CHECK(list_lines("tlb", check_holds_tlb) > 0);
	CHECK(list_lines("tlb", check_holds_tlb) < all);
	CHECK_EQ_INT(list_lines("no such thing", check_takes), 0);
}

static struct event_want ev[EVENTS_MAX];
static char err[256];

static int parse(const char *list)
{
	*err = '\0';
	return events_parse(list, ev, EVENTS_MAX, err, sizeof(err));
}

TEST(lists_of_events)
{
	CHECK_EQ_INT(parse("cycles"), 1);
	CHECK_EQ_INT(parse("cycles, instructions:u ,r1a8"), 3);
	CHECK_EQ_STR(ev[1].name, "instructions:u");
	CHECK_EQ_INT(ev[1].code.exclude_kernel, 1);
	CHECK_EQ_U64(ev[2].code.config, 0x1a8);
	CHECK_EQ_U64(ev[2].at, 24);
	CHECK_EQ_INT(parse("cycles,cycles"), 1);
	CHECK_EQ_INT(parse("sched:sched_switch,cycles:k"), 2);
	CHECK_EQ_INT(ev[0].tracepoint, 1);
	CHECK_EQ_INT(ev[0].code.type, PERF_TYPE_TRACEPOINT);
	CHECK_EQ_INT(ev[1].tracepoint, 0);
}

static void check_says(const char *list, const char *what)
{
	CHECK(parse(list) < 0);
	if (!strstr(err, what) || strchr(err, '\n'))
		FAIL("%s: \"%s\" does not say \"%s\"", list, err, what);
}

TEST(errors_name_event_place_and_remedy)
{
	check_says("cycles,nope", "event 2 \"nope\" at character 8: ");
	check_says("cycles,nope", "see stalltop --list-events");
	check_says("", "event 1 \"\" at character 1: empty name");
	check_says("cycles,,instructions", "event 2 \"\" at character 8: empty");
	check_says("cycles,", "event 2 \"\"");
	check_says("cycles:x", "invalid event attribute");
	check_says("a:b:c", "event 1 \"a:b:c\"");
	check_says("x\x1b[31m\nx", "\"x?[31m?x\"");
	check_says("../../etc:passwd", "event 1");
}

TEST(too_many_events)
{
	char list[4096] = "r0";
	int i;

	for (i = 1; i <= EVENTS_MAX; i++)
		sprintf(list + strlen(list), ",r%x", i);
	CHECK_EQ_INT(parse(list), -E2BIG);
	CHECK(strstr(err, "more than 64 events") != NULL);
	*strrchr(list, ',') = '\0';
	CHECK_EQ_INT(parse(list), EVENTS_MAX);
}

TEST(random_lists)
{
	static const char alphabet[] = "cyles:,r1:u: k*\x80\n=";
	char list[64];
	unsigned x = 1;
	int round;
	size_t i, n;

	for (round = 0; round < 5000; round++) {
		n = (unsigned)rand_r(&x) % (sizeof(list) - 1);
		for (i = 0; i < n; i++)
			list[i] = alphabet[(unsigned)rand_r(&x) %
					   (sizeof(alphabet) - 1)];
		list[n] = '\0';
		if (parse(list) < 0)
			CHECK(*err && !strchr(err, '\n'));
	}
}

TEST(tracepoints_are_looked_up)
{
	char why[128] = "", remedy[128] = "";

	if (geteuid())
		SKIP("needs root: tracefs");
	CHECK_EQ_INT(parse("sched:sched_switch,sched:no_such_one"), 2);
	if (events_resolve(&ev[0], why, sizeof(why), remedy, sizeof(remedy)))
		SKIP("%s", why);
	CHECK(ev[0].code.config > 0);
	CHECK_EQ_INT(events_resolve(&ev[1], why, sizeof(why), remedy,
				    sizeof(remedy)), -ENOENT);
	CHECK(strstr(why, "no such event") != NULL);
	CHECK_EQ_STR(remedy, "stalltop --list-events no_such_one");
}

TEST_MAIN
