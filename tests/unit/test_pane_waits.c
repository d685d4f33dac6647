/*
 * Does the Schedule pane show what only the in-kernel engine knows: waits with
 * their spread, the exact split, wakers and pipes?
 */
#include <math.h>

#include "attribution.h"
#include "histogram.h"
#include "panes.h"
#include "schedule_ends.h"
#include "scene.h"
#include "table.h"

#define US	1000ull
#define MS	1000000ull

enum { WAIT = 7, P99 = 8 };

struct kernel {			/* ids to ask for */
	uint32_t pipe, preempt, poll, as, cc1, tar, xz, self;
};

static void add_counts(struct scene *sc)
{
	static const struct {
		uint16_t metric;
		uint64_t per_s;		/* of each CPU */
	} of[] = {
		{ SCHED_SWITCHES, 14000 }, { SCHED_BLOCKED, 10000 },
		{ SCHED_PREEMPTED, 2500 }, { SCHED_YIELDED, 20 },
		{ SCHED_FROM_IDLE, 1480 }, { SCHED_LOST, 0 },
	};

	for (uint32_t cpu = 0; cpu < sc->host.cpus; cpu++) {
		for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
			scene_rate(sc, of[i].metric, cpu, of[i].per_s);
		scene_gauge(sc, SCHED_EVERY, cpu, 29);
	}
	scene_put(sc, SCHED_UNTIMED, 0, 0, 4, 5);
	scene_put(sc, SCHED_SKIPPED, 0, 0, 7, 7);
}

/* Waits of a stack and task: n of these times, in equal numbers. */
static void add_waits(struct scene *sc, uint32_t stack, uint32_t task,
		      uint64_t n, const uint64_t *ns, size_t times)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < times; i++) {
		sum += ns[i] * (n / times);
		scene_times(sc, SCHED_TASK_HIST, task, ns[i], n / times);
	}
	scene_put(sc, SCHED_WAITS, stack, task, 9, 9 + n / times * times);
	scene_put(sc, SCHED_WAIT, stack, task, 99, 99 + sum);
	scene_put(sc, SCHED_QUEUED, stack, task, 5, 5 + sum / 8);
}

static void add_stack_times(struct scene *sc, uint32_t stack, uint64_t n,
			    const uint64_t *ns, size_t times)
{
	for (size_t i = 0; i < times; i++)
		scene_times(sc, SCHED_WAIT_HIST, stack, ns[i], n / times);
}

static const uint64_t pipe_ns[] = {
	700, 9 * US, 12 * US, 18 * US, 19 * US, 22 * US, 35 * US, 40 * US,
	48 * US, 70 * US, 90 * US, 140 * US, 210 * US,
};
static const uint64_t slice_ns[] = {
	300 * US, 1900 * US, 2800 * US, 2900 * US, 3 * MS, 12 * MS,
};
static const uint64_t poll_ns[] = { 4 * MS, 100 * MS, 1000 * MS, 2500 * MS };

#define TIMES(a) (a), sizeof(a) / sizeof(*(a))
#define USER "ksys_write do_syscall_64 entry_SYSCALL_64_after_hwframe"
#define TIMER "asm_sysvec_apic_timer_interrupt"

static void add_wakers(struct scene *sc, struct kernel *k)
{
	uint32_t writer = scene_stack(sc, 0, "try_to_wake_up "
		"autoremove_wake_function __wake_up_common __wake_up_sync_key "
		"anon_pipe_write vfs_write " USER);
	uint32_t release = scene_stack(sc, 0, "try_to_wake_up "
		"autoremove_wake_function __wake_up_common __wake_up "
		"pipe_release __fput do_exit");
	uint32_t timer = scene_stack(sc, 0, "try_to_wake_up hrtimer_wakeup "
		"__hrtimer_run_queues hrtimer_interrupt " TIMER " vfs_write");
	uint32_t net = scene_stack(sc, 0, "try_to_wake_up pollwake "
		"__wake_up_common __wake_up_sync_key vring_interrupt "
		"common_interrupt asm_common_interrupt");

	scene_put(sc, SCHED_WOKEN_FROM, k->pipe, writer, 3, 903);
	scene_put(sc, SCHED_WOKEN_FROM, k->pipe, release, 1, 41);
	scene_put(sc, SCHED_WOKEN_FROM, k->poll, timer, 1, 91);
	scene_put(sc, SCHED_WOKEN_FROM, k->poll, net, 1, 31);
	scene_put(sc, SCHED_WOKEN_BY, k->as, k->cc1, 3, 603);
	scene_put(sc, SCHED_WOKEN_BY, k->xz, k->tar, 3, 303);
	scene_put(sc, SCHED_WOKEN_BY, k->xz, k->cc1, 3, 4);
	scene_put(sc, SCHED_WOKEN_BY, k->tar, k->xz, 3, 63);
}

static void add_pipe(struct scene *sc, const char *name, uint32_t task,
		     uint64_t empty, uint64_t full)
{
	uint32_t id = names_text(sc->names, name, strlen(name));

	scene_put(sc, PIPE_EMPTY_N, id, task, 1, 1 + empty / 29);
	scene_put(sc, PIPE_EMPTY, id, task, 1, 1 + empty);
	scene_put(sc, PIPE_EMPTY_WAITS, id, task, 1, 1 + empty / 30);
	scene_put(sc, PIPE_EMPTY_WAIT, id, task, 1, 1 + empty / 30 * 38 * US);
	scene_put(sc, PIPE_FULL_N, id, task, 1, 1 + full / 29);
	scene_put(sc, PIPE_FULL, id, task, 1, 1 + full);
	scene_gauge(sc, PIPE_SLOTS, id, full ? 1 : 16);
	scene_gauge(sc, PIPE_FILL, id, full ? 1 : 0);
}

static void add_tasks(struct scene *sc, struct kernel *k)
{
	k->as = scene_task(sc, 1204, "as");
	k->cc1 = scene_task(sc, 1203, "cc1");
	k->tar = scene_task(sc, 959, "tar");
	k->xz = scene_task(sc, 961, "xz");
	k->self = scene_task(sc, 4242, "stalltop");
	scene_put(sc, SELF_TASK, 0, 0, k->self, k->self);
}

static void kernel_open(struct scene *sc, struct kernel *k)
{
	scene_open(sc, 2);
	add_counts(sc);
	add_tasks(sc, k);
	k->pipe = scene_stack(sc, 'S', "__schedule! schedule! anon_pipe_read "
			      "vfs_read ksys_read do_syscall_64");
	k->preempt = scene_stack(sc, '+', "__schedule! schedule! "
				 "exit_to_user_mode_loop do_syscall_64");
	k->poll = scene_stack(sc, 'S', "__schedule! schedule! "
			      "schedule_hrtimeout_range_clock! "
			      "poll_schedule_timeout do_sys_poll");
	scene_sched(sc, k->pipe, k->as, 650, 29);
	scene_sched(sc, k->pipe, k->xz, 310, 29);
	scene_sched(sc, k->preempt, k->cc1, 240, 29);
	scene_sched(sc, k->poll, k->tar, 90, 29);
	scene_sched(sc, k->poll, k->self, 20, 29);
	add_waits(sc, k->pipe, k->as, 650, TIMES(pipe_ns));
	add_waits(sc, k->pipe, k->xz, 299, TIMES(pipe_ns));
	add_stack_times(sc, k->pipe, 949, TIMES(pipe_ns));
	add_waits(sc, k->preempt, k->cc1, 240, TIMES(slice_ns));
	add_stack_times(sc, k->preempt, 240, TIMES(slice_ns));
	add_waits(sc, k->poll, k->tar, 88, TIMES(poll_ns));
	add_stack_times(sc, k->poll, 88, TIMES(poll_ns));
	add_wakers(sc, k);
	add_pipe(sc, "0:14 812734", k->as, 201000, 0);
	add_pipe(sc, "0:14 812801", k->xz, 20, 90000);
	add_pipe(sc, "0:14 99", k->cc1, 20, 90000);
}

static const struct row *row_of(struct scene *sc, uint64_t id)
{
	rows_reset(&sc->rows);
	CHECK_EQ_INT(pane_schedule.rows(&sc->m, &sc->view, &sc->rows), 0);
	for (size_t i = 0; i < sc->rows.n; i++)
		if (sc->rows.row[i].id == id)
			return &sc->rows.row[i];
	FAIL("no row %llu", (unsigned long long)id);
	return NULL;
}

static uint64_t source_id(struct scene *sc, const char *name, int class)
{
	return (uint64_t)names_symbol(sc->names, name, 0, 0) << 8 |
	       (uint64_t)class;
}

static void open_row(struct scene *sc, uint64_t id)
{
	sc->view.p[0].opened = 1;
	sc->view.p[0].open = id;
	sc->view.p[0].open_top = 0;
}

TEST(waits_stand_beside_the_shares)
{
	struct scene sc;
	struct kernel k;

	kernel_open(&sc, &k);
	scene_seal(&sc);
	scene_golden(&sc, &pane_schedule, "schedule-kernel");
	scene_page(&sc, 1, "page-schedule-kernel");
	sc.view.by = BY_STACK;
	scene_draw(&sc, &pane_schedule, 120, 24);
	golden_check(&sc.page, "schedule-kernel-by-stack");
	sc.view.by = BY_TASK;
	scene_draw(&sc, &pane_schedule, 120, 24);
	golden_check(&sc.page, "schedule-kernel-by-task");
	for (sc.view.by = 0; sc.view.by < BY_COUNT; sc.view.by++)
		scene_all_sizes(&sc, &pane_schedule);
	scene_close(&sc);
}

/* What programs ask for by name, in nanoseconds. */
TEST(columns_of_waits_have_their_names)
{
	CHECK_EQ_INT(table_find_column(pane_schedule.columns, "wait"), WAIT);
	CHECK_EQ_INT(table_find_column(pane_schedule.columns, "p99"), P99);
	CHECK_EQ_INT(pane_schedule.columns[P99].form, FORM_NS);
	CHECK(strstr(pane_schedule.columns[WAIT].help, "that ended") != NULL);
	CHECK(strstr(pane_schedule.columns[P99].help, "quarter") != NULL);
}

/* By source, stack and task: the same waits, so the same quantile. */
TEST(p99_is_the_upper_edge_of_its_bucket)
{
	double edge = (double)bucket_end(bucket_of(210 * US));
	struct scene sc;
	struct kernel k;

	kernel_open(&sc, &k);
	scene_seal(&sc);
	CHECK_NEAR(row_of(&sc, source_id(&sc, "anon_pipe_read",
					 CLASS_PIPE))->v[P99].r, edge, 0);
	sc.view.by = BY_STACK;
	CHECK_NEAR(row_of(&sc, k.pipe)->v[P99].r, edge, 0);
	sc.view.by = BY_TASK;
	CHECK_NEAR(row_of(&sc, k.as)->v[P99].r, edge, 0);
	CHECK(edge <= 1.25 * 210 * US);
	scene_close(&sc);
}

TEST(p99_from_a_hundred_waits_on_the_mean_from_one)
{
	const struct row *r;
	struct scene sc;
	struct kernel k;

	kernel_open(&sc, &k);
	scene_seal(&sc);
	r = row_of(&sc, source_id(&sc, "poll_schedule_timeout", CLASS_POLL));
	CHECK_EQ_INT(r->v[P99].kind, VALUE_ABSENT);
	CHECK(strstr(r->v[P99].text, "100") != NULL);
	CHECK_NEAR(r->v[WAIT].r, 901 * MS, .5 * MS);
	scene_close(&sc);
}

/* One sleep in forty has ended: it is a wait all the same. */
TEST(waits_that_go_on_do_not_hide_those_that_ended)
{
	struct scene sc;
	uint32_t stack;

	scene_open(&sc, 1);
	add_counts(&sc);
	stack = scene_stack(&sc, 'S', "__schedule! schedule! do_nanosleep! "
			    "hrtimer_nanosleep");
	scene_sched(&sc, stack, scene_task(&sc, 5, "sleep"), 40, 29);
	scene_waits(&sc, stack, scene_task(&sc, 5, "sleep"), 1, 10 * MS);
	scene_seal(&sc);
	CHECK_NEAR(row_of(&sc, source_id(&sc, "hrtimer_nanosleep",
					 CLASS_SLEEP))->v[WAIT].r, 10 * MS, 1);
	scene_close(&sc);
}

TEST(the_split_is_exact_whatever_the_stacks_say)
{
	struct scene sc;
	struct kernel k;

	kernel_open(&sc, &k);
	scene_seal(&sc);
	scene_draw(&sc, &pane_schedule, 120, 24);
	CHECK(scene_shows(&sc, "blocked 71%  preempted 18%  yielded <1%  "
			       "idle 11%"));
	scene_close(&sc);
}

/* Those that the program missed stand before what may be cut. */
TEST(untimed_waits_and_skipped_runs_are_said)
{
	struct scene sc;
	struct kernel k;

	kernel_open(&sc, &k);
	CHECK_EQ_INT(sample_add(&sc.now, SCHED_UNTIMED, 0, 0, 904), 0);
	CHECK_EQ_INT(sample_add(&sc.now, SCHED_SKIPPED, 0, 0, 10), 0);
	scene_seal(&sc);
	scene_draw(&sc, &pane_schedule, 120, 24);
	CHECK(scene_shows(&sc, "900 waits untimed  3 runs skipped"));
	scene_close(&sc);
	kernel_open(&sc, &k);
	scene_seal(&sc);
	scene_draw(&sc, &pane_schedule, 120, 24);
	CHECK(!scene_shows(&sc, "untimed"));
	CHECK(!scene_shows(&sc, "skipped"));
	scene_close(&sc);
}

TEST(opened_row_has_the_spread_wakers_and_pipes)
{
	struct scene sc;
	struct kernel k;

	kernel_open(&sc, &k);
	scene_seal(&sc);
	open_row(&sc, source_id(&sc, "anon_pipe_read", CLASS_PIPE));
	scene_golden(&sc, &pane_schedule, "schedule-kernel-open");
	scene_all_sizes(&sc, &pane_schedule);
	sc.page.ascii = 1;
	scene_draw(&sc, &pane_schedule, 100, 30);
	golden_check(&sc.page, "schedule-kernel-open-ascii");
	sc.page.ascii = 0;
	scene_draw(&sc, &pane_schedule, 200, 50);
	CHECK(scene_shows(&sc, "anon_pipe_write"));
	CHECK(scene_shows(&sc, "0:14 812734"));
	CHECK(!scene_shows(&sc, "0:14 99"));	/* of no task in the row */
	scene_close(&sc);
}

/* The task that ran when a timer went off has woken nobody. */
TEST(timers_and_interrupts_are_no_tasks)
{
	struct scene sc;
	struct kernel k;

	kernel_open(&sc, &k);
	scene_seal(&sc);
	open_row(&sc, source_id(&sc, "poll_schedule_timeout", CLASS_POLL));
	scene_draw(&sc, &pane_schedule, 200, 50);
	golden_check(&sc.page, "schedule-kernel-open-poll");
	CHECK(scene_shows(&sc, "75%  timer"));
	CHECK(scene_shows(&sc, "25%  interrupt: vring_interrupt"));
	CHECK(!scene_shows(&sc, "WOKEN MOST BY"));
	scene_close(&sc);
}

TEST(opened_task_says_who_wakes_it)
{
	struct scene sc;
	struct kernel k;

	kernel_open(&sc, &k);
	scene_seal(&sc);
	sc.view.by = BY_TASK;
	open_row(&sc, k.xz);
	scene_golden(&sc, &pane_schedule, "schedule-kernel-open-task");
	CHECK_EQ_INT(sc.page.w, 1);
	scene_draw(&sc, &pane_schedule, 120, 40);
	CHECK(scene_shows(&sc, "WOKEN BY"));
	CHECK(scene_shows(&sc, "100%  tar"));
	scene_close(&sc);
}

/* A bucket seen for the first time began at 0; a CPU that comes back with its
 * past did not. */
TEST(new_buckets_began_at_zero)
{
	struct model_row row = { .key = 1, .sub = 40 };
	struct scene sc;
	struct kernel k;

	kernel_open(&sc, &k);
	scene_put(&sc, SCHED_DELAYS, 1, 0, 5, 9);
	CHECK_EQ_INT(sample_add(&sc.now, SCHED_DELAY_HIST, 1, 40, 4), 0);
	CHECK_EQ_INT(sample_add(&sc.now, SCHED_TASK_HIST, k.as, 90, 6), 0);
	scene_seal(&sc);
	row.d = model_delta(&sc.m, SCHED_DELAY_HIST, 1, 40);
	CHECK_EQ_INT(row.d.state, DELTA_FIRST);
	CHECK_EQ_U64(histogram_gained(&sc.m, SCHED_DELAY_HIST, SCHED_DELAYS,
				      &row), 4);
	row.key = 3;
	CHECK_EQ_U64(histogram_gained(&sc.m, SCHED_DELAY_HIST, SCHED_DELAYS,
				      &row), 0);
	row.key = k.as;
	row.d = model_delta(&sc.m, SCHED_TASK_HIST, k.as, 90);
	CHECK_EQ_U64(histogram_gained(&sc.m, SCHED_TASK_HIST, 0, &row), 6);
	scene_close(&sc);
}

/* The beginnings of what the collector says of itself, no words inside. */
TEST(the_status_line_names_the_engine)
{
	static const struct {
		const char *why, *label, *other;
	} of[] = {
		{ "in-kernel engine; 16k stacks", "[bpf]", "[perf]" },
		{ "sampled stacks, libperf; no in-kernel engine: EPERM",
		  "[perf]", "[bpf]" },
		{ "neither the in-kernel engine nor libperf", "own", "[" },
	};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct page page = { 0 };
		struct scene sc;

		scene_open(&sc, 2);
		health_set(sc.now.health, "sched", "", 0, -1, HEALTH_OK, 0,
			   NULL, "%s", of[i].why);
		scene_put(&sc, SELF_CPU, 0, 0, 0, 1000);
		scene_seal(&sc);
		sc.view.live = 1;
		CHECK_EQ_INT(page_draw(&page, 160, 24, &sc.m, &sc.view), 0);
		surface_resize(&sc.page, 160, 1);
		head_status(&sc.page, 0, &sc.m, &sc.view);
		CHECK(scene_shows(&sc, of[i].label));
		CHECK(!scene_shows(&sc, of[i].other));
		page_free(&page);
		scene_close(&sc);
	}
}

TEST(a_mean_of_equal_times_is_sure)
{
	struct histogram h = { .all = 0 };

	CHECK(isnan(histogram_mean_reach(&h)));
	CHECK(isnan(histogram_quantile(&h, .5)));
	histogram_add(&h, bucket_of(1000), 100);
	CHECK_NEAR(histogram_mean_reach(&h), 0, 1e-9);
	histogram_add(&h, bucket_of(100000), 100);
	CHECK(histogram_mean_reach(&h) > .1);
	CHECK(histogram_mean_reach(&h) < .2);
}

TEST_MAIN
