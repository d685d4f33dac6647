/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is the reason why a collector does not run in the kernel found where it is
 * looked for: a note where another engine serves, the whole where none may?
 */
#include <errno.h>
#include "engine.h"
#include "test.h"

static struct options opt;
static struct health health;
static struct env env = { .opt = &opt, .health = &health };
static const struct bpf_why why = { -EPERM, "no right", "a right" };

TEST(engine_says_a_note_beside_another_engine)
{
	opt.engine = ENGINE_AUTO;
	engine_say(&env, "sched", &why);
	CHECK_EQ_U64(health.n, 1);
	CHECK_EQ_STR(health.item->part, "engine");
	CHECK_EQ_INT(health.item->level, HEALTH_NOTE);
	CHECK_EQ_INT(health.item->err, EPERM);
	CHECK_EQ_STR(health.item->why, "not in the kernel: no right");
	CHECK_EQ_STR(health.item->remedy, "a right");
	CHECK(!health_why(&health, "sched", 0, -1));
	health_free(&health);
}

TEST(engine_says_absent_where_no_other_may)
{
	opt.engine = ENGINE_BPF;
	engine_say(&env, "sched", &why);
	CHECK(health_why(&health, "sched", SCHED_SWITCHES, 0));
	CHECK_EQ_STR(health.item->part, "");
	CHECK_EQ_INT(health.item->level, HEALTH_ABSENT);
	CHECK_EQ_STR(health.item->why, "in-kernel engine: no right");
	health_free(&health);
}

TEST(engine_says_nothing_where_the_other_was_asked_for)
{
	opt.engine = ENGINE_PERF;
	engine_say(&env, "sched", &why);
	CHECK_EQ_U64(health.n, 0);
}

TEST_MAIN
