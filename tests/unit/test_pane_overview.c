/*
 * Does the Overview say what stands out on a box, and the reason, short and in
 * its place, for what this box cannot tell?
 */
#include "overview.h"
#include "panes.h"
#include "scene.h"

static void add_cpus(struct scene *sc, uint32_t cpus)
{
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		if (cpu == 3)		/* offline */
			continue;
		scene_rate(sc, STAT_USER, cpu, 31);
		scene_rate(sc, STAT_NICE, cpu, 0);
		scene_rate(sc, STAT_SYSTEM, cpu, 40);
		scene_rate(sc, STAT_IDLE, cpu, 25);
		scene_rate(sc, STAT_IOWAIT, cpu, 1);
		scene_rate(sc, STAT_IRQ, cpu, 0);
		scene_rate(sc, STAT_SOFTIRQ, cpu, 3);
		scene_rate(sc, STAT_STEAL, cpu, 0);
		scene_gauge(sc, RQ_NOW, cpu, cpu % 5);
		scene_put(sc, RQ_READS, cpu, 0, 100, 110);
		scene_put(sc, RQ_SUM, cpu, 0, 1000, 1000 + 10 * (cpu % 7));
		scene_gauge(sc, RQ_MAX, cpu, 3 + cpu % 7);
		scene_rate(sc, IRQ_TLB, cpu, 130);
		scene_rate(sc, IRQ_RES, cpu, 811);
		scene_rate(sc, IRQ_CAL, cpu, 12);
		scene_rate(sc, IRQ_LOC, cpu, 250);
	}
}

static void add_load(struct scene *sc)
{
	scene_gauge(sc, LOAD_RUNNING, 0, 6);
	scene_put(sc, LOAD_READS, 0, 0, 1000, 1100);
	scene_put(sc, LOAD_SUM, 0, 0, 5000, 5720);
	scene_gauge(sc, LOAD_MAX, 0, 31);
}

static void add_vmstat(struct scene *sc)
{
	scene_rate(sc, VM_PGFAULT, 0, 12100);
	scene_rate(sc, VM_PGMAJFAULT, 0, 0);
	scene_rate(sc, VM_PGFREE, 0, 31900);
	scene_rate(sc, VM_PGSCAN_KSWAPD, 0, 0);
	scene_rate(sc, VM_PGSCAN_DIRECT, 0, 0);
	scene_rate(sc, VM_PGSTEAL_KSWAPD, 0, 0);
	scene_rate(sc, VM_PGSTEAL_DIRECT, 0, 0);
	scene_rate(sc, VM_PSWPIN, 0, 0);
	scene_rate(sc, VM_PSWPOUT, 0, 0);
	scene_rate(sc, VM_PGMIGRATE, 0, 0);
	scene_rate(sc, VM_THP_FAULT_ALLOC, 0, 4);
	scene_rate(sc, VM_THP_SPLIT_PAGE, 0, 0);
	scene_rate(sc, VM_COMPACT_STALL, 0, 0);
}

static void add_pressure(struct scene *sc)
{
	scene_rate(sc, PSI_CPU_SOME, 0, 123000);
	scene_rate(sc, PSI_MEMORY_SOME, 0, 0);
	scene_rate(sc, PSI_MEMORY_FULL, 0, 0);
	scene_rate(sc, PSI_IO_SOME, 0, 31000);
	scene_rate(sc, PSI_IO_FULL, 0, 11000);
}

/* `ran`: percent of the time it had hardware; from is where its CPUs begin. */
static void add_counter(struct scene *sc, const char *name, uint64_t per_s,
			unsigned ran, uint32_t from)
{
	uint32_t text = names_text(sc->names, name, strlen(name));

	for (uint32_t cpu = from; cpu < from + 2; cpu++) {
		scene_put(sc, PERF_VALUE, text, cpu, 9,
			  9 + per_s * 5 * ran / 100);
		scene_put(sc, PERF_ENABLED, text, cpu, 9, 9 + SCENE_SPAN_NS);
		scene_put(sc, PERF_RUNNING, text, cpu, 9,
			  9 + SCENE_SPAN_NS / 100 * ran);
	}
}

static void add_counters(struct scene *sc, int hardware)
{
	add_counter(sc, "task-clock", 2000000000, 100, 0);
	scene_rate(sc, STAT_SWITCHES, 0, 56283);
	add_counter(sc, "cpu-migrations", 912, 100, 0);
	add_counter(sc, "page-faults", 12100, 100, 0);
	if (!hardware)
		return;
	add_counter(sc, "cycles", 4720000000, 100, 0);
	add_counter(sc, "instructions", 3492800000, 100, 0);
	add_counter(sc, "branches", 700000000, 100, 0);
	add_counter(sc, "branch-misses", 6300000, 100, 0);
	add_counter(sc, "dTLB-load-misses", 3100000, 33, 0);
	add_counter(sc, "iTLB-load-misses", 90000, 0, 0);
}

static void add_sources(struct scene *sc)
{
	uint32_t cc1 = scene_task(sc, 1203, "cc1");

	scene_put(sc, SCHED_SWITCHES, 0, 0, 5, 5 + 562830);
	scene_put(sc, SCHED_LOST, 0, 0, 0, 0);
	scene_sched(sc, scene_stack(sc, 'S', "__schedule! schedule! "
				    "anon_pipe_read vfs_read"), cc1, 1500, 61);
	scene_sched(sc, scene_stack(sc, '+', "__schedule! schedule! "
				    "exit_to_user_mode_loop do_syscall_64"),
		    cc1, 340, 61);
	scene_sched(sc, scene_stack(sc, 'Z', "__schedule! do_task_dead "
				    "do_exit"), cc1, 70, 61);
	scene_sched(sc, scene_stack(sc, 'S', "__schedule! schedule! do_wait "
				    "kernel_wait4"), cc1, 66, 61);
}

static void add_no_pmu(struct scene *sc)
{
	static const char *const event[] = { "cycles", "instructions",
		"stalled-cycles-frontend", "branches" };

	for (size_t i = 0; i < 4; i++)
		health_set(sc->now.health, "counters", event[i], 0, -1,
			   HEALTH_ABSENT, 2, NULL, "%s: no hardware PMU",
			   event[i]);
	health_set(sc->now.health, "counters", "hardware", 0, -1,
		   HEALTH_ABSENT, 2, NULL, "all 4 hardware events: no PMU");
}

/* A small guest: no PMU, no /proc/schedstat. */
TEST(guest_without_pmu_and_schedstat)
{
	struct scene sc;

	scene_open(&sc, 2);
	add_cpus(&sc, 2);
	add_load(&sc);
	add_vmstat(&sc);
	add_pressure(&sc);
	add_counters(&sc, 0);
	add_no_pmu(&sc);
	add_sources(&sc);
	scene_put(&sc, TASK_DELAY, scene_task(&sc, 1203, "cc1"), 0, 5,
		  5 + 13000000);
	scene_put(&sc, TASK_SLICES, scene_task(&sc, 1203, "cc1"), 0, 5, 605);
	scene_seal(&sc);
	scene_golden(&sc, &pane_overview, "overview-guest");
	scene_page(&sc, 0, "page-overview");
	scene_all_sizes(&sc, &pane_overview);
	scene_close(&sc);
}

TEST(server_with_everything_and_an_offline_cpu)
{
	struct scene sc;

	scene_open(&sc, 24);
	add_cpus(&sc, 24);
	add_load(&sc);
	add_vmstat(&sc);
	add_pressure(&sc);
	add_counters(&sc, 1);
	add_sources(&sc);
	for (uint32_t cpu = 0; cpu < 24; cpu++) {
		scene_rate(&sc, SCHEDSTAT_DELAY, cpu, 1300000);
		scene_rate(&sc, SCHEDSTAT_SLICES, cpu, 56);
	}
	scene_seal(&sc);
	scene_golden(&sc, &pane_overview, "overview-server");
	scene_draw(&sc, &pane_overview, 100, 40);
	golden_check(&sc.page, "overview-server");
	CHECK(scene_shows(&sc, "offline cpu3"));
	scene_draw(&sc, &pane_overview, 60, 30);
	golden_check(&sc.page, "overview-server");
	sc.page.ascii = 1;
	scene_draw(&sc, &pane_overview, 80, 24);
	golden_check(&sc.page, "overview-server-ascii");
	scene_close(&sc);
}

/* Each CPU: 1,000 delays of 8 us, 20 of 3 ms, one of 40 ms; one queue is deep. */
static void add_delays(struct scene *sc, uint32_t cpus)
{
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		scene_put(sc, SCHED_DELAYS, cpu, 0, 9, 9 + 1021);
		scene_put(sc, SCHED_DELAY, cpu, 0, 9, 9 + 108000000);
		scene_gauge(sc, SCHED_DELAY_MAX, cpu, 40000000 - cpu);
		scene_times(sc, SCHED_DELAY_HIST, cpu, 8000, 1000);
		scene_times(sc, SCHED_DELAY_HIST, cpu, 3000000, 20);
		scene_times(sc, SCHED_DELAY_HIST, cpu, 40000000, 1);
		scene_put(sc, RQ_HIST, cpu, 0, 50, 50 + 700);
		scene_put(sc, RQ_HIST, cpu, 2, 50, 50 + 285);
		scene_put(sc, RQ_HIST, cpu, 3, 50, 50 + 15);
	}
}

TEST(the_in_kernel_engine_sees_every_delay)
{
	struct scene sc;

	scene_open(&sc, 2);
	add_cpus(&sc, 2);
	add_load(&sc);
	add_vmstat(&sc);
	add_pressure(&sc);
	add_counters(&sc, 0);
	add_sources(&sc);
	add_delays(&sc, 2);
	scene_seal(&sc);
	scene_golden(&sc, &pane_overview, "overview-kernel");
	scene_all_sizes(&sc, &pane_overview);
	scene_draw(&sc, &pane_overview, 200, 50);
	CHECK(scene_shows(&sc, "106us"));
	CHECK(scene_shows(&sc, " 40ms"));
	CHECK(scene_shows(&sc, " 11ms/s"));
	CHECK(!scene_shows(&sc, "busiest"));
	scene_close(&sc);
}

TEST(more_than_a_thousand_cpus_take_a_third_at_most)
{
	struct scene sc;

	scene_open(&sc, 1152);
	add_cpus(&sc, 1152);
	add_load(&sc);
	add_vmstat(&sc);
	scene_seal(&sc);
	scene_golden(&sc, &pane_overview, "overview-1152cpu");
	scene_all_sizes(&sc, &pane_overview);
	scene_close(&sc);
}

TEST(nothing_may_be_read_says_why_everywhere)
{
	static const char *const all[][2] = {
		{ "stat", "/proc/stat: permission denied" },
		{ "loadavg", "/proc/loadavg: permission denied" },
		{ "vmstat", "/proc/vmstat: permission denied" },
		{ "interrupts", "/proc/interrupts: permission denied" },
		{ "schedstat", "kernel built without CONFIG_SCHEDSTATS" },
		{ "pressure", "kernel built without CONFIG_PSI" },
		{ "counters", "no event can be counted on whole CPUs: "
			      "perf_event_paranoid is 2" },
		{ "sched", "perf_event_paranoid is 2" },
	};
	struct scene sc;

	scene_open(&sc, 4);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		scene_why(&sc, all[i][0], NULL, all[i][1]);
	scene_seal(&sc);
	scene_golden(&sc, &pane_overview, "overview-refused");
	scene_all_sizes(&sc, &pane_overview);
	scene_close(&sc);
}

TEST(first_sample_has_no_rates_and_no_zeros)
{
	struct scene sc;

	scene_open(&sc, 2);
	add_cpus(&sc, 2);
	add_load(&sc);
	add_vmstat(&sc);
	add_counters(&sc, 1);
	scene_seal(&sc);
	model_update(&sc.m, NULL, &sc.now, NULL);
	scene_draw(&sc, &pane_overview, 80, 24);
	golden_check(&sc.page, "overview-first");
	CHECK(!scene_shows(&sc, "0%"));
	scene_close(&sc);
}

/* An idle box: the block says why it has no row. */
TEST(own_switches_alone_are_no_empty_block)
{
	uint32_t self;
	struct scene sc;

	scene_open(&sc, 1);
	self = scene_task(&sc, 42, "stalltop");
	scene_put(&sc, SELF_TASK, 0, 0, self, self);
	scene_sched(&sc, scene_stack(&sc, 'S', "__schedule! do_poll"), self, 2,
		    1);
	scene_seal(&sc);
	scene_draw(&sc, &pane_overview, 120, 40);
	CHECK(scene_shows(&sc, "own switches only"));
	scene_close(&sc);
}

TEST(no_share_of_switches_without_its_interval_at_any_size)
{
	struct scene sc;

	scene_open(&sc, 2);
	add_sources(&sc);
	scene_seal(&sc);
	for (int w = 30; w < 220; w++)
		for (int h = 8; h < 40; h += 6) {
			scene_draw(&sc, &pane_overview, w, h);
			if (scene_shows(&sc, "75.9%") && !scene_shows(&sc, "1.9"))
				FAIL("no interval at %dx%d", w, h);
		}
	scene_close(&sc);
}

static const struct row *row_named(struct scene *sc, const char *name)
{
	rows_reset(&sc->rows);
	CHECK_EQ_INT(pane_overview.rows(&sc->m, &sc->view, &sc->rows), 0);
	for (size_t i = 0; i < sc->rows.n; i++)
		if (!strcmp(sc->rows.row[i].v[1].text ? sc->rows.row[i].v[1].text
						      : "", name))
			return &sc->rows.row[i];
	FAIL("no row %s", name);
	return NULL;
}

TEST(rows_are_exact)
{
	const struct row *row;
	struct scene sc;

	scene_open(&sc, 2);
	add_cpus(&sc, 2);
	add_counters(&sc, 1);
	add_vmstat(&sc);
	add_sources(&sc);
	scene_seal(&sc);
	row = row_named(&sc, "pgfault");
	CHECK_EQ_U64(row->v[2].u, 121000);
	CHECK_NEAR(row->v[4].r, 12100, 1e-6);
	row = row_named(&sc, "idle");
	CHECK_NEAR(row->v[2].r, 25, 1e-9);
	CHECK_EQ_STR(row->v[3].text, "%");
	row = row_named(&sc, "anon_pipe_read");
	CHECK(strstr(row->v[5].text, "±") != NULL);
	scene_close(&sc);
}

/* Scaled by the time it ran; a ratio only between what ran together. */
TEST(ratios_only_between_counters_that_ran_together)
{
	struct scene sc;

	scene_open(&sc, 2);
	add_counter(&sc, "cycles", 4000, 100, 0);
	add_counter(&sc, "instructions", 8000, 100, 0);
	add_counter(&sc, "branches", 1000, 100, 0);
	add_counter(&sc, "branch-misses", 100, 50, 0);
	add_counter(&sc, "stalled-cycles-frontend", 4000, 100, 1);
	scene_seal(&sc);
	CHECK_EQ_STR(row_named(&sc, "instructions")->v[5].text, "2.00 IPC");
	CHECK_EQ_STR(row_named(&sc, "branch-misses")->v[5].text, "50% run");
	CHECK_EQ_U64(row_named(&sc, "branch-misses")->v[2].u, 1000);
	CHECK_EQ_STR(row_named(&sc, "stalled-cycles-frontend")->v[5].text, "");
	scene_close(&sc);
}

TEST(means_only_from_five_reads_on)
{
	struct scene sc;

	scene_open(&sc, 1);
	scene_gauge(&sc, LOAD_RUNNING, 0, 6);
	scene_put(&sc, LOAD_READS, 0, 0, 1000, 1004);
	scene_put(&sc, LOAD_SUM, 0, 0, 5000, 5020);
	scene_gauge(&sc, LOAD_MAX, 0, 31);
	scene_seal(&sc);
	CHECK_EQ_U64(row_named(&sc, "all now")->v[2].u, 6);
	CHECK_EQ_INT(row_named(&sc, "all mean")->v[2].kind, VALUE_ABSENT);
	CHECK_EQ_INT(row_named(&sc, "all max")->v[2].kind, VALUE_ABSENT);
	scene_close(&sc);
}

TEST_MAIN
