/*
 * Do the groups of the schedule say what the pairs said: nothing lost, nothing
 * twice, the interval as wide as the weights make it?
 */
#include "schedule_rows.h"

#include "panes.h"
#include "scene.h"

enum { SHARE, PLUS_MINUS, PER_S, SWITCHES, SOURCE, VIA, CLASS, WAIT };

static struct schedule *make(struct scene *sc, enum view_by by)
{
	struct schedule *s = NULL;

	scene_seal(sc);
	CHECK_EQ_INT(schedule_make(&s, &sc->m, by), 0);
	return s;
}

static void done(struct scene *sc, struct schedule *s)
{
	free(s);
	scene_close(sc);
}

static uint64_t source_id(struct scene *sc, const char *name,
			  enum sched_class class)
{
	return (uint64_t)names_symbol(sc->names, name, 0, 0) << 8 | class;
}

#define PIPE "__schedule! schedule! anon_pipe_read vfs_read"
#define LOOP "__schedule! schedule! exit_to_user_mode_loop do_syscall_64"

TEST(stacks_of_one_source_are_one_row)
{
	const struct schedule_group *g;
	struct scene sc;
	struct schedule *s;

	scene_open(&sc, 1);
	scene_sched(&sc, scene_stack(&sc, 'S', PIPE), 0, 10, 61);
	scene_sched(&sc, scene_stack(&sc, 'S', PIPE " ksys_read"), 0, 30, 61);
	s = make(&sc, BY_SOURCE);
	CHECK_EQ_INT(s->ngroups, 1);
	g = schedule_find(s, source_id(&sc, "anon_pipe_read", CLASS_PIPE));
	CHECK(g != NULL);
	CHECK_EQ_U64(g->n, 40);
	CHECK_EQ_U64(g->w, 40 * 61);
	CHECK_EQ_INT(g->stacks, 2);
	done(&sc, s);
}

TEST(preempted_and_blocked_at_one_place_are_two_rows)
{
	struct scene sc;
	struct schedule *s;

	scene_open(&sc, 1);
	scene_sched(&sc, scene_stack(&sc, 'S', LOOP), 0, 10, 1);
	scene_sched(&sc, scene_stack(&sc, '+', LOOP), 0, 30, 1);
	s = make(&sc, BY_SOURCE);
	CHECK_EQ_INT(s->ngroups, 2);
	CHECK_EQ_U64(s->preempted, 30);
	CHECK_EQ_U64(s->w, 40);
	done(&sc, s);
}

TEST(what_began_in_the_window_counts_from_zero)
{
	uint32_t stack, task;
	struct scene sc;
	struct schedule *s;

	scene_open(&sc, 1);
	stack = scene_stack(&sc, 'S', PIPE);
	task = scene_task(&sc, 5, "new");
	scene_sched(&sc, stack, scene_task(&sc, 4, "old"), 5, 1);
	CHECK_EQ_INT(sample_add(&sc.now, SCHED_N, stack, task, 3), 0);
	CHECK_EQ_INT(sample_add(&sc.now, SCHED_W, stack, task, 30), 0);
	CHECK_EQ_INT(sample_add(&sc.now, SCHED_W2, stack, task, 300), 0);
	s = make(&sc, BY_TASK);
	CHECK_EQ_U64(schedule_find(s, task)->w, 30);
	CHECK_EQ_U64(s->w, 35);
	CHECK_EQ_U64(s->w2, 305);
	done(&sc, s);
}

/* Its value moved to key 0: only what it did since older is a difference. */
TEST(a_stack_that_ended_adds_no_past)
{
	uint32_t gone;
	struct scene sc;
	struct schedule *s;

	scene_open(&sc, 1);
	gone = scene_stack(&sc, 'S', LOOP);
	scene_sched(&sc, scene_stack(&sc, 'S', PIPE), 0, 5, 1);
	CHECK_EQ_INT(sample_add(&sc.old, SCHED_N, gone, 7, 1000), 0);
	CHECK_EQ_INT(sample_add(&sc.old, SCHED_W, gone, 7, 1000), 0);
	CHECK_EQ_INT(sample_add(&sc.old, SCHED_W2, gone, 7, 1000), 0);
	scene_put(&sc, SCHED_N, 0, 0, 50, 1058);
	scene_put(&sc, SCHED_W, 0, 0, 50, 1058);
	scene_put(&sc, SCHED_W2, 0, 0, 50, 1058);
	s = make(&sc, BY_SOURCE);
	CHECK_EQ_U64(schedule_find(s, SCHEDULE_ENDED)->w, 8);
	CHECK_EQ_U64(s->ended, 8);
	CHECK_EQ_U64(s->w, 13);
	done(&sc, s);
}

TEST(stalltop_itself_is_apart_by_source_but_a_task_by_task)
{
	uint32_t self, stack;
	struct scene sc;
	struct schedule *s;

	scene_open(&sc, 1);
	self = scene_task(&sc, 42, "stalltop");
	stack = scene_stack(&sc, 'S', PIPE);
	scene_put(&sc, SELF_TASK, 0, 0, self, self);
	scene_sched(&sc, stack, self, 2, 1);
	scene_sched(&sc, stack, scene_task(&sc, 43, "as"), 5, 1);
	s = make(&sc, BY_SOURCE);
	CHECK_EQ_U64(schedule_find(s, SCHEDULE_SELF)->w, 2);
	CHECK_EQ_U64(schedule_find(s, source_id(&sc, "anon_pipe_read",
						CLASS_PIPE))->w, 5);
	CHECK_EQ_INT(schedule_make(&s, &sc.m, BY_TASK), 0);
	CHECK(!schedule_find(s, SCHEDULE_SELF));
	CHECK_EQ_U64(schedule_find(s, self)->w, 2);
	done(&sc, s);
}

TEST(exact_only_when_every_switch_was_taken_and_none_lost)
{
	static const struct {
		uint64_t every, weight, lost;
		int exact;
	} of[] = {
		{ 1, 1, 0, 1 }, { 2, 2, 0, 0 }, { 1, 2, 0, 0 }, { 1, 1, 1, 0 },
		{ 61, 1, 0, 0 },	/* the first stack of each CPU */
	};
	double low, high, share;

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct scene sc;
		struct schedule *s;

		scene_open(&sc, 1);
		scene_sched(&sc, scene_stack(&sc, 'S', PIPE), 0, 30,
			    of[i].weight);
		scene_sched(&sc, scene_stack(&sc, 'S', LOOP), 0, 10,
			    of[i].weight);
		scene_gauge(&sc, SCHED_EVERY, 0, of[i].every);
		scene_put(&sc, SCHED_LOST, 0, 0, 5, 5 + of[i].lost);
		s = make(&sc, BY_SOURCE);
		CHECK_EQ_INT(s->exact, of[i].exact);
		share = schedule_share(s, 30 * of[i].weight, &low, &high);
		CHECK_NEAR(share, .75, 1e-12);
		CHECK_EQ_INT(low == high, of[i].exact);
		CHECK(low <= share && share <= high);
		done(&sc, s);
	}
}

/* Uneven weights carry less: n_eff = (sum w)^2 / sum w^2. */
TEST(uneven_weights_widen_the_interval)
{
	double low[2], high[2];

	for (int i = 0; i < 2; i++) {
		struct scene sc;
		struct schedule *s;
		uint32_t stack;

		scene_open(&sc, 1);
		stack = scene_stack(&sc, 'S', PIPE);
		scene_sched(&sc, stack, 1, 100, i ? 10 : 100);
		scene_sched(&sc, stack, 2, 10, i ? 1000 : 100);
		s = make(&sc, BY_SOURCE);
		schedule_share(s, s->w / 2, &low[i], &high[i]);
		done(&sc, s);
	}
	CHECK(high[1] - low[1] > 2 * (high[0] - low[0]));
}

static void add_total(struct scene *sc, uint64_t total)
{
	scene_put(sc, SCHED_SWITCHES, 0, 0, 9, 9 + total);
	scene_put(sc, SCHED_LOST, 0, 0, 0, 0);
}

TEST(counts_add_up_to_the_exact_total)
{
	uint64_t sum = 0;
	double share = 0;
	struct scene sc;

	scene_open(&sc, 1);
	add_total(&sc, 1000003);
	for (int i = 0; i < 37; i++) {
		char frames[64];

		snprintf(frames, sizeof(frames), "__schedule! f%d", i);
		scene_sched(&sc, scene_stack(&sc, 'S', frames), 0,
			    1 + (uint64_t)i * 7 % 11, 61);
	}
	scene_seal(&sc);
	CHECK_EQ_INT(pane_schedule.rows(&sc.m, &sc.view, &sc.rows), 0);
	CHECK_EQ_U64(sc.rows.n, 37);
	for (size_t i = 0; i < sc.rows.n; i++) {
		const struct row *r = &sc.rows.row[i];

		CHECK_EQ_INT(r->v[PLUS_MINUS].kind, VALUE_REAL);
		CHECK(r->low < r->v[SHARE].r && r->v[SHARE].r < r->high);
		sum += r->v[SWITCHES].u;
		share += r->v[SHARE].r;
	}
	CHECK_EQ_U64(sum, 1000003);
	CHECK_NEAR(share, 1, 1e-9);
	scene_close(&sc);
}

TEST(waits_are_absent_with_the_reason_above_one_in_one)
{
	const struct row *r;
	uint32_t stack;
	struct scene sc;

	scene_open(&sc, 1);
	add_total(&sc, 6100);
	stack = scene_stack(&sc, 'S', PIPE);
	scene_sched(&sc, stack, 0, 100, 61);
	scene_seal(&sc);
	CHECK_EQ_INT(pane_schedule.rows(&sc.m, &sc.view, &sc.rows), 0);
	r = &sc.rows.row[0];
	CHECK_EQ_INT(r->v[WAIT].kind, VALUE_ABSENT);
	CHECK(strstr(r->v[WAIT].text, "--every 1") != NULL);
	scene_close(&sc);
	scene_open(&sc, 1);
	add_total(&sc, 100);
	stack = scene_stack(&sc, 'S', PIPE);
	scene_sched(&sc, stack, 0, 100, 1);
	scene_waits(&sc, stack, 0, 50, 38000);
	scene_seal(&sc);
	CHECK_EQ_INT(pane_schedule.rows(&sc.m, &sc.view, &sc.rows), 0);
	CHECK_NEAR(sc.rows.row[0].v[WAIT].r, 38000, 1e-9);
	scene_close(&sc);
}

TEST(few_timed_waits_of_many_stacks_are_no_mean)
{
	uint32_t stack;
	struct scene sc;

	scene_open(&sc, 1);
	add_total(&sc, 6100);
	stack = scene_stack(&sc, 'S', PIPE);
	scene_sched(&sc, stack, 0, 100, 61);
	scene_waits(&sc, stack, 0, 5, 38000);
	scene_seal(&sc);
	CHECK_EQ_INT(pane_schedule.rows(&sc.m, &sc.view, &sc.rows), 0);
	CHECK_EQ_INT(sc.rows.row[0].v[WAIT].kind, VALUE_ABSENT);
	scene_close(&sc);
}

TEST(no_kernel_text_bounds_no_source)
{
	struct scene sc;
	struct schedule *s;

	scene_open(&sc, 1);
	scene_sched(&sc, scene_stack(&sc, 'S', "__schedule! schedule!"), 0, 5,
		    1);
	scene_seal(&sc);
	CHECK_EQ_INT(pane_schedule.rows(&sc.m, &sc.view, &sc.rows), 0);
	CHECK_EQ_STR(sc.rows.row[0].v[SOURCE].text, "(in the scheduler)");
	CHECK_EQ_INT(sc.rows.row[0].v[VIA].kind, VALUE_TEXT);
	s = NULL;
	done(&sc, s);
}

/* As many as the collector keeps; memory made once serves every frame. */
TEST(sixteen_thousand_pairs_group_without_loss)
{
	struct schedule *s = NULL, *before;
	char frames[80];
	struct scene sc;

	scene_open(&sc, 1);
	for (int i = 0; i < 16384; i++) {
		snprintf(frames, sizeof(frames), "__schedule! f%d g%d", i % 500,
			 i);
		scene_sched(&sc, scene_stack(&sc, 'S', frames),
			    scene_task(&sc, i, "t"), 1, 3);
	}
	s = make(&sc, BY_SOURCE);
	CHECK_EQ_INT(s->ngroups, 500);
	CHECK_EQ_U64(s->w, 3 * 16384);
	CHECK_EQ_INT(schedule_make(&s, &sc.m, BY_STACK), 0);
	CHECK_EQ_INT(s->ngroups, 16384);
	before = s;
	for (int by = 0; by < BY_COUNT; by++) {
		CHECK_EQ_INT(schedule_make(&s, &sc.m, by), 0);
		CHECK(s == before);
		CHECK_EQ_U64(s->w, 3 * 16384);
	}
	done(&sc, s);
}

TEST_MAIN
