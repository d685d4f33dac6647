/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a missing number find its reason?
 */
#include "health.h"
#include "test.h"

static struct health h;

static void fresh(void)
{
	health_free(&h);
}

TEST(setting_replaces_and_bumps_only_on_change)
{
	fresh();
	health_set(&h, "vmstat", "", 0, -1, HEALTH_OK, 0, NULL, "%d keys", 192);
	CHECK_EQ_U64(h.version, 1);
	health_set(&h, "vmstat", "", 0, -1, HEALTH_OK, 0, "", "%d keys", 192);
	CHECK_EQ_U64(h.version, 1);
	health_set(&h, "vmstat", NULL, 0, -1, HEALTH_ABSENT, -13, "run as root",
		   "denied");
	CHECK_EQ_U64(h.version, 2);
	CHECK_EQ_U64(h.n, 1);
	CHECK_EQ_INT(h.item[0].err, 13);
	CHECK_EQ_STR(h.item[0].why, "denied");
	CHECK_EQ_STR(h.item[0].remedy, "run as root");
	health_clear(&h, "vmstat", "", 0, 3);
	CHECK_EQ_U64(h.version, 2);
	health_clear(&h, "vmstat", "", 0, -1);
	CHECK_EQ_U64(h.n, 0);
	CHECK_EQ_U64(h.version, 3);
}

TEST(long_words_are_cut)
{
	char text[1000];

	fresh();
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	health_set(&h, text, text, 0, -1, HEALTH_NOTE, 0, text, "%s", text);
	health_set(&h, text, text, 0, -1, HEALTH_NOTE, 0, text, "%s", text);
	CHECK_EQ_U64(h.n, 1);
	CHECK_EQ_U64(strlen(h.item[0].why), HEALTH_WHY - 1);
	CHECK_EQ_U64(strlen(h.item[0].remedy), HEALTH_WHY - 1);
	CHECK_EQ_U64(strlen(h.item[0].part), HEALTH_PART - 1);
	CHECK_EQ_U64(strlen(h.item[0].collector), HEALTH_COLLECTOR - 1);
	CHECK(health_cost(&h, text) == health_cost(&h, text));
}

TEST(the_most_exact_reason_wins)
{
	fresh();
	CHECK(!health_why(&h, "counters", 7, 3));
	health_set(&h, "counters", "", 0, -1, HEALTH_OK, 0, NULL, "10 events");
	CHECK(!health_why(&h, "counters", 7, 3));
	health_set(&h, "counters", "", 0, -1, HEALTH_PARTLY, 0, NULL, "some");
	health_set(&h, "counters", "cycles", 0, -1, HEALTH_ABSENT, 2, NULL,
		   "no PMU");
	CHECK_EQ_STR(health_why(&h, "counters", 7, 3)->why, "some");
	health_set(&h, "counters", "", 0, 3, HEALTH_ABSENT, 0, NULL, "offline");
	CHECK_EQ_STR(health_why(&h, "counters", 7, 3)->why, "offline");
	CHECK_EQ_STR(health_why(&h, "counters", 7, 2)->why, "some");
	health_set(&h, "counters", "", 7, -1, HEALTH_ABSENT, 0, NULL, "seven");
	CHECK_EQ_STR(health_why(&h, "counters", 7, 3)->why, "seven");
	CHECK_EQ_STR(health_why(&h, "counters", 8, 3)->why, "offline");
	health_set(&h, "counters", "", 7, 3, HEALTH_ABSENT, 0, NULL, "both");
	CHECK_EQ_STR(health_why(&h, "counters", 7, 3)->why, "both");
	CHECK(!health_why(&h, "stat", 7, 3));
}

TEST(copy_is_independent_and_repeatable)
{
	struct health to = { 0 };
	struct health_cost *c;
	int i;

	fresh();
	for (i = 0; i < 40; i++) {
		health_set(&h, "stat", "", 0, i, HEALTH_ABSENT, 0, NULL,
			   "cpu %d", i);
		CHECK_EQ_INT(health_copy(&to, &h), 0);
		CHECK_EQ_U64(to.n, i + 1);
		CHECK_EQ_STR(health_why(&to, "stat", 0, i)->why,
			     health_why(&h, "stat", 0, i)->why);
	}
	c = health_cost(&h, "stat");
	c->lost = 9;
	CHECK_EQ_INT(health_copy(&to, &h), 0);
	c->lost = 10;
	CHECK_EQ_U64(health_cost(&to, "stat")->lost, 9);
	CHECK_EQ_U64(to.version, 40);
	health_free(&h);
	CHECK_EQ_INT(health_copy(&to, &h), 0);
	CHECK_EQ_U64(to.n + to.ncost, 0);
	health_free(&to);
}

TEST_MAIN
