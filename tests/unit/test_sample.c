/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a sample give back what was put in, and does the metric table hold?
 */
#include "health.h"
#include "metric.h"
#include "sample.h"
#include "test.h"

static struct sample s;

static void fresh(void)
{
	sample_free(&s);
	CHECK_EQ_INT(sample_init(&s), 0);
}

static uint64_t value_of(uint16_t metric, uint32_t key, uint32_t sub)
{
	const struct reading *r = sample_find(&s, metric, key, sub);

	if (!r)
		FAIL("no reading (%u, %u, %u)", metric, key, sub);
	return r->value;
}

/* C20: totals beyond 2^53 and 2^63 stay exact. */
TEST(c20_values_are_exact_to_64_bits)
{
	static const uint64_t v[] = { 0, 9007199254740993u, 1804193978928u,
				      (uint64_t)1 << 63, UINT64_MAX };
	size_t i;

	fresh();
	for (i = 0; i < 5; i++)
		sample_add(&s, VM_PGFAULT, i, 0, v[i]);
	sample_seal(&s);
	for (i = 0; i < 5; i++)
		CHECK_EQ_U64(value_of(VM_PGFAULT, i, 0), v[i]);
}

TEST(seal_sorts_and_keeps_the_last_of_equals)
{
	fresh();
	sample_add(&s, 9, 2, 1, 1);
	sample_add(&s, 9, 1, 5, 2);
	sample_add(&s, 3, UINT32_MAX, 0, 3);
	sample_add(&s, 9, 1, 5, 4);
	sample_add(&s, 9, 1, 4, 5);
	sample_add(&s, 9, 1, 5, 6);
	CHECK(!s.sorted);
	sample_seal(&s);
	CHECK_EQ_U64(s.n, 4);
	CHECK_EQ_U64(value_of(3, UINT32_MAX, 0), 3);
	CHECK_EQ_U64(value_of(9, 1, 4), 5);
	CHECK_EQ_U64(value_of(9, 1, 5), 6);
	CHECK_EQ_U64(value_of(9, 2, 1), 1);
	CHECK(!sample_find(&s, 9, 1, 6));
	CHECK(!sample_find(&s, 10, 0, 0));
}

TEST(equal_neighbours_count_as_disorder)
{
	fresh();
	sample_add(&s, 1, 0, 0, 1);
	sample_add(&s, 1, 0, 0, 2);
	sample_seal(&s);
	CHECK_EQ_U64(s.n, 1);
	CHECK_EQ_U64(value_of(1, 0, 0), 2);
}

TEST(seal_orders_anything)
{
	size_t i, n, x;

	fresh();
	for (i = 0; i < 20000; i++) {
		x = i * 7919 % (11 * 97 * 7);
		sample_add(&s, x % 11, x / 11 % 97, x / 1067, i);
	}
	sample_seal(&s);
	CHECK_EQ_U64(s.n, 11 * 97 * 7);
	for (i = 1; i < s.n; i++)
		CHECK(s.v[i - 1].metric * 1000000u + s.v[i - 1].key * 1000u +
		      s.v[i - 1].sub < s.v[i].metric * 1000000u +
		      s.v[i].key * 1000u + s.v[i].sub);
	CHECK(sample_range(&s, 0, &n) == s.v);
	CHECK_EQ_U64(n, 97 * 7);
	CHECK(sample_range(&s, 10, &n) == s.v + 10 * 97 * 7);
	CHECK_EQ_U64(n, 97 * 7);
	CHECK(!sample_range(&s, 11, &n));
	CHECK_EQ_U64(n, 0);
}

/* Collectors append in any order; two may read one metric, the later holds. */
TEST(seal_puts_blocks_of_metrics_together)
{
	static const uint16_t order[] = { 40, 300, 7, 41, 6, 7, 299 };
	uint32_t i, key;

	fresh();
	for (i = 0; i < 7; i++)
		for (key = 0; key < 500; key++)
			sample_add(&s, order[i], key * (1 + i / 5), 0, i);
	sample_seal(&s);
	CHECK_EQ_U64(s.n, 6 * 500 + 250);
	for (i = 1; i < s.n; i++)
		CHECK(s.v[i - 1].metric < s.v[i].metric ||
		      (s.v[i - 1].metric == s.v[i].metric &&
		       s.v[i - 1].key < s.v[i].key));
	CHECK_EQ_U64(value_of(7, 499, 0), 2);
	CHECK_EQ_U64(value_of(7, 498, 0), 5);
	CHECK_EQ_U64(value_of(7, 998, 0), 5);
	CHECK_EQ_U64(value_of(300, 499, 0), 1);
}

TEST(range_at_the_highest_id)
{
	size_t n;

	fresh();
	CHECK(!sample_range(&s, 1, &n));
	sample_add(&s, UINT16_MAX, 1, 0, 1);
	sample_add(&s, UINT16_MAX, 2, 0, 2);
	CHECK(sample_range(&s, UINT16_MAX, &n) == s.v);
	CHECK_EQ_U64(n, 2);
}

/* A fixed set of tasks: after the first samples nothing is allocated. */
TEST(reset_keeps_memory)
{
	struct reading *v;
	size_t cap;
	uint32_t i;
	int round;

	fresh();
	for (round = 0, v = NULL, cap = 0; round < 3; round++) {
		sample_reset(&s);
		for (i = 0; i < 10000; i++)
			sample_add(&s, 9999 - i, 0, 0, i);
		sample_seal(&s);
		CHECK(!round || (v == s.v && cap == s.cap));
		v = s.v;
		cap = s.cap;
	}
}

TEST(copy_is_independent)
{
	struct sample t;

	fresh();
	sample_add(&s, 5, 6, 7, 8);
	s.seq = 3;
	s.wall_ns = -5;
	s.utc_offset_s = -3600;
	health_set(s.health, "vmstat", "", 0, -1, HEALTH_OK, 0, NULL, "ok");
	CHECK_EQ_INT(sample_init(&t), 0);
	CHECK_EQ_INT(sample_copy(&t, &s), 0);
	sample_reset(&s);
	CHECK_EQ_U64(s.n + s.seq + s.health->n, 0);
	CHECK_EQ_U64(t.n, 1);
	CHECK_EQ_U64(sample_find(&t, 5, 6, 7)->value, 8);
	CHECK_EQ_U64(t.seq, 3);
	CHECK_EQ_INT(t.wall_ns, -5);
	CHECK_EQ_INT(t.utc_offset_s, -3600);
	CHECK_EQ_U64(t.health->n, 1);
	sample_free(&t);
	sample_free(&s);
	sample_free(&s);
}

TEST(the_table_is_whole)
{
	const struct metric_info *m;
	uint16_t id;

	CHECK(!metric_info(METRIC_NONE));
	CHECK(!metric_info(METRIC_FIXED));
	for (id = METRIC_NONE + 1; id < METRIC_FIXED; id++) {
		m = metric_info(id);
		CHECK(m && m->name && m->help[0]);
		CHECK_EQ_U64(metric_find(m->name), id);
		CHECK(strcmp(unit_name(m->unit), "?"));
		CHECK(strcmp(kind_name(m->kind), "?"));
		CHECK(strcmp(scope_name(m->scope), "?"));
	}
	CHECK_EQ_STR(metric_info(VM_PGFAULT)->name, "vm.pgfault");
	CHECK_EQ_U64(metric_find("vm.no_such_key"), METRIC_NONE);
}

TEST(dynamic_metrics_end_at_4096)
{
	char name[32];
	uint16_t first, id;
	int i;

	CHECK_EQ_U64(metric_dynamic("vm.pgfault", UNIT_COUNT, GAUGE),
		     VM_PGFAULT);
	first = metric_dynamic("vm.key0", UNIT_PAGES, GAUGE);
	CHECK_EQ_U64(first, METRIC_DYNAMIC);
	for (i = 0; i < 4096; i++) {
		snprintf(name, sizeof(name), "vm.key%d", i);
		id = metric_dynamic(name, UNIT_PAGES, GAUGE);
		CHECK_EQ_U64(id, METRIC_DYNAMIC + i);
		CHECK_EQ_STR(metric_info(id)->name, name);
	}
	CHECK_EQ_U64(metric_end(), METRIC_DYNAMIC_MAX);
	CHECK_EQ_U64(metric_dynamic("vm.one_more", UNIT_COUNT, COUNTER), 0);
	CHECK_EQ_U64(metric_find("vm.key4095"), METRIC_DYNAMIC_MAX - 1);
	CHECK_EQ_STR(unit_name(metric_info(first)->unit), "pages");
}

TEST_MAIN
