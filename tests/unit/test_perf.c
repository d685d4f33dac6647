/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does counting and sampling on the live kernel give the kernel's numbers?
 */
#include <errno.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <sys/wait.h>
#include "perf.h"
#include "perf_wants.h"
#include "test.h"

enum { CPUS = 4096 };

static void pass_bytes(int from, int to, int rounds, int begin)
{
	char c = 0;

	if (begin && write(to, &c, 1) != 1)
		_exit(1);
	while (rounds--)
		if (read(from, &c, 1) != 1 || write(to, &c, 1) != 1)
			_exit(1);
	_exit(0);
}

static int last_cpu(void)
{
	cpu_set_t set;
	int cpu = CPU_SETSIZE - 1;

	sched_getaffinity(0, sizeof(set), &set);
	while (cpu > 0 && !CPU_ISSET(cpu, &set))
		cpu--;
	return cpu;
}

/* Two tasks pass a byte to and fro on one CPU: two switches a round. */
static void ping_pong_start(pid_t pid[2], int rounds)
{
	int a[2], b[2], i;
	cpu_set_t set;

	CHECK(!pipe(a) && !pipe(b));
	CPU_ZERO(&set);
	CPU_SET(last_cpu(), &set);
	for (i = 0; i < 2; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		sched_setaffinity(0, sizeof(set), &set);
		pass_bytes(i ? a[0] : b[0], i ? b[1] : a[1], rounds, !i);
	}
	for (i = 0; i < 2; i++) {
		close(a[i]);
		close(b[i]);
	}
}

static int is_running(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) == 0;
}

TEST(switches_of_a_known_load_are_counted)
{
	struct perf_group *g = open_or_skip(&switches);
	uint64_t before = total(g), after;
	pid_t pid[2];

	ping_pong_start(pid, 20000);
	waitpid(pid[0], NULL, 0);
	waitpid(pid[1], NULL, 0);
	after = total(g);
	perf_close(g);
	CHECK(after - before >= 39000);	/* the rest of the box adds to it */
}

/* Both count whole CPUs over the same command; ours starts a bit earlier. */
TEST(counts_agree_with_perf_stat)
{
	struct perf_group *g = open_or_skip(&switches);
	uint64_t before = total(g), ours;
	unsigned long long theirs = 0;
	char line[256];
	FILE *f;

	f = popen("perf stat -a -x, -e context-switches "
		  "perf bench sched pipe -l 50000 2>&1 >/dev/null", "r");
	CHECK(f != NULL);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "context-switches"))
			theirs = strtoull(line, NULL, 10);
	pclose(f);
	ours = total(g) - before;
	perf_close(g);
	if (theirs < 50000)
		SKIP("no perf stat, or it cannot count");
	CHECK_NEAR((double)ours, (double)theirs, .05 * (double)theirs);
}

static struct {
	uint64_t n, odd, last[CPUS], weight, every;
	uint64_t frames, raw, pids, backwards, time[CPUS];
} seen;

static void see(void *arg, const struct perf_sample *s)
{
	uint64_t w;

	(void)arg;
	if (s->cpu >= CPUS)
		return;
	w = s->count - seen.last[s->cpu];
	seen.last[s->cpu] = s->count;
	seen.n++;
	seen.weight += w;
	seen.odd += w != seen.every;
	seen.frames += s->nip;
	seen.raw += s->nraw;
	seen.backwards += s->time_ns < seen.time[s->cpu];
	seen.time[s->cpu] = s->time_ns;
}

static uint64_t drain_all(struct perf_group *g)
{
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < perf_cpus(g); i++)
		perf_drain(g, i, see, NULL, &lost);
	return lost;
}

/* Drains while the load runs, and once after; returns what was lost. */
static uint64_t drain_during(struct perf_group *g, int rounds)
{
	uint64_t lost = 0;
	pid_t pid[2];

	ping_pong_start(pid, rounds);
	do {
		usleep(20000);
		lost += drain_all(g);
	} while (is_running(pid[0]));
	waitpid(pid[1], NULL, 0);
	return lost + drain_all(g);
}

static void check_samples(struct perf_group *g, uint64_t lost)
{
	struct timespec now;
	struct perf_value v;
	uint64_t rest = 0;
	size_t i;

	CHECK_EQ_U64(lost, 0);
	CHECK(seen.n >= 40000 / 61);
	CHECK_EQ_U64(seen.odd, 0);
	CHECK_EQ_U64(seen.weight, 61 * seen.n);
	for (i = 0; i < perf_cpus(g); i++) {
		perf_read(g, i, &v);
		CHECK(v.value >= seen.last[perf_cpu(g, i)]);
		rest += v.value - seen.last[perf_cpu(g, i)];
	}
	CHECK(seen.weight + rest <= total(g));
	CHECK(seen.frames >= 2 * seen.n);
	CHECK(seen.raw >= 40 * seen.n);
	CHECK_EQ_U64(seen.backwards, 0);
	if (perf_lacks(g) & PERF_LACKS_CLOCK)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	CHECK(seen.time[last_cpu()] / 1000000000 <= (uint64_t)now.tv_sec);
	CHECK(seen.time[last_cpu()] / 1000000000 + 60 > (uint64_t)now.tv_sec);
}

TEST(samples_weigh_what_was_counted)
{
	struct perf_want want = { .every = 61, .stacks = 1, .raw = 1,
				  .pages = 64 };
	struct perf_group *g;
	uint64_t lost;

	want.code.type = PERF_TYPE_TRACEPOINT;
	want.code.config = sched_switch_or_skip();
	memset(&seen, 0, sizeof(seen));
	seen.every = 61;
	g = open_or_skip(&want);
	lost = drain_during(g, 20000);
	check_samples(g, lost);
	perf_close(g);
}

TEST(the_period_of_one_cpu_changes)
{
	struct perf_want want = { .every = 61, .pages = 64 };
	struct perf_group *g;
	uint64_t n;
	size_t i;

	want.code.type = PERF_TYPE_TRACEPOINT;
	want.code.config = sched_switch_or_skip();
	memset(&seen, 0, sizeof(seen));
	g = open_or_skip(&want);
	for (i = 0; i < perf_cpus(g); i++)
		CHECK_EQ_INT(perf_set_every(g, i, 7), 0);
	drain_during(g, 5000);
	n = seen.n;
	for (i = 0; i < perf_cpus(g); i++)
		CHECK_EQ_INT(perf_set_every(g, i, 997), 0);
	drain_during(g, 5000);
	perf_close(g);
	CHECK(n >= 10000 / 7 - 100);
	CHECK(seen.n - n < n / 10);
	CHECK_EQ_INT(want.every, 61);
}

/* Leave each CPU once, so that each ring gets a record. */
static void switch_everywhere(struct perf_group *g)
{
	cpu_set_t all, one;
	size_t i;

	CHECK(!sched_getaffinity(0, sizeof(all), &all));
	for (i = 0; i < perf_cpus(g); i++) {
		CPU_ZERO(&one);
		CPU_SET(perf_cpu(g, i), &one);
		if (!sched_setaffinity(0, sizeof(one), &one))
			usleep(1000);
	}
	sched_setaffinity(0, sizeof(all), &all);
}

/* A ring of one page overflows: what is missing must be counted as lost. */
TEST(losses_are_counted)
{
	struct perf_want want = { .every = 1, .stacks = 1, .raw = 1,
				  .pages = 1 };
	struct perf_group *g;
	uint64_t lost, counted;
	pid_t pid[2];

	want.code.type = PERF_TYPE_TRACEPOINT;
	want.code.config = sched_switch_or_skip();
	memset(&seen, 0, sizeof(seen));
	g = open_or_skip(&want);
	ping_pong_start(pid, 5000);
	waitpid(pid[0], NULL, 0);
	waitpid(pid[1], NULL, 0);
	lost = drain_all(g);
	switch_everywhere(g);	/* a loss is told with the next record */
	lost += drain_all(g);
	counted = total(g);
	perf_close(g);
	CHECK(seen.n > 0);
	CHECK(lost > 1000);
	CHECK(seen.n + lost <= counted);
	CHECK_NEAR((double)(seen.n + lost), (double)counted,
		   .2 * (double)counted);
}

TEST(a_still_ring_hands_nothing)
{
	struct perf_want want = switches;
	struct perf_group *g;
	size_t i;

	want.every = 1000000000;
	want.pages = 1;
	memset(&seen, 0, sizeof(seen));
	g = open_or_skip(&want);
	CHECK_EQ_U64(drain_all(g), 0);
	CHECK_EQ_U64(seen.n, 0);
	for (i = 0; i < perf_cpus(g); i++)
		CHECK_NEAR(perf_fill(g, i), 0, 0);
	perf_close(g);
}

TEST(samples_by_frequency)
{
	struct perf_want want = { .freq = 199, .stacks = 1, .pages = 8 };
	struct perf_group *g;
	uint64_t until;

	want.code.type = PERF_TYPE_SOFTWARE;
	want.code.config = PERF_COUNT_SW_CPU_CLOCK;
	memset(&seen, 0, sizeof(seen));
	g = open_or_skip(&want);
	until = (uint64_t)clock() + CLOCKS_PER_SEC / 5;
	while ((uint64_t)clock() < until)
		;
	drain_all(g);
	perf_close(g);
	CHECK(seen.n > 10);
}

TEST(totals_do_not_fall_when_a_cpu_goes_and_comes)
{
	struct perf_group *g = open_or_skip(&switches);
	int last = last_cpu(), err = 0, changed;
	uint64_t before, between, after;
	char first[16], all[32];
	pid_t pid[2];

	if (perf_cpus(g) != 2 || last != 1) {
		perf_close(g);
		SKIP("needs two CPUs");
	}
	snprintf(first, sizeof(first), "0");
	snprintf(all, sizeof(all), "0-%d", last);
	before = total(g);
	changed = perf_follow_cpus(g, first);
	CHECK_EQ_INT(changed, 1);
	CHECK_EQ_INT(perf_cpu(g, 1), -1);
	CHECK_EQ_INT(perf_slot_cpu(g, 1, &err), 1);
	CHECK_EQ_INT(err, ENODEV);
	between = total(g);
	CHECK(between >= before);
	CHECK_EQ_INT(perf_follow_cpus(g, first), 0);
	CHECK_EQ_INT(perf_follow_cpus(g, all), 1);
	CHECK_EQ_INT(perf_cpu(g, 1), 1);
	ping_pong_start(pid, 1000);
	waitpid(pid[0], NULL, 0);
	waitpid(pid[1], NULL, 0);
	after = total(g);
	CHECK(after >= between + 1900);
	CHECK_EQ_INT(perf_follow_cpus(g, "nonsense"), -EINVAL);
	CHECK_EQ_INT(perf_follow_cpus(g, ""), -EINVAL);
	CHECK(total(g) >= after);
	CHECK_EQ_INT(perf_follow(g), 0);	/* no CPU really went */
	perf_close(g);
}

TEST(descriptor_0_is_as_good_as_any)
{
	int keep = dup(0), err;
	struct perf_group *g;
	uint64_t n = 0;

	close(0);
	err = perf_open(&g, &switches);
	if (!err) {
		usleep(1000);
		n = total(g);
	}
	perf_close(g);
	dup2(keep, 0);
	close(keep);
	if (err)
		SKIP("cannot count");
	CHECK(n > 0);
}

TEST(nothing_is_left_open)
{
	struct perf_group *g;
	int before = dup(1), after, i;

	for (i = 0; i < 3; i++) {
		g = open_or_skip(&switches);
		perf_close(g);
		perf_open(&g, &cycles);
		perf_close(g);
	}
	after = dup(1);
	close(before);
	close(after);
	CHECK_EQ_INT(after, before + 1);
	perf_close(NULL);
}

TEST(pages_are_a_power_of_two)
{
	struct perf_want want = switches;
	struct perf_group *g;

	want.every = 1;
	want.pages = 3;
	CHECK_EQ_INT(perf_open(&g, &want), -EINVAL);
	CHECK(g == NULL);
}

TEST_MAIN
