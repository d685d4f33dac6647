/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has one stack one id, whether it is met the first time or again?
 */
#include "sched_stacks.h"
#include "test.h"

static const char symbols[] =
	"1000 T inner\n2000 T middle\n3000 T outer\n4000 D data\n"
	"5000 T __traceiter_sched_switch\n6000 T bpf_trace_run4\n";

static struct sched_stacks s;
static struct ksyms *k;
static struct names *names;

static void begin(void)
{
	sched_stacks_free(&s);
	ksyms_free(k);
	names_free(names);
	names = names_new();
	CHECK(names);
	CHECK_EQ_INT(ksyms_parse(&k, symbols, strlen(symbols)), 0);
	CHECK_EQ_INT(sched_stacks_init(&s, k, names), 0);
}

static uint32_t id_of(uint8_t state, uint64_t a, uint64_t b, int room)
{
	uint64_t ip[] = { a, b };

	return sched_stacks_id(&s, state, ip, 2, room);
}

TEST(a_stack_met_again_has_the_same_id)
{
	uint32_t id;

	begin();
	id = id_of('S', 0x1010, 0x2010, 1);
	CHECK(id);
	CHECK_EQ_INT(id_of('S', 0x1010, 0x2010, 1), id);
	CHECK_EQ_STR(names_str(names, names_get(names, id)->stack.frame[1]),
		     "middle");
}

TEST(state_and_order_tell_stacks_apart)
{
	uint32_t id;

	begin();
	id = id_of('S', 0x1010, 0x2010, 1);
	CHECK(id_of('D', 0x1010, 0x2010, 1) != id);
	CHECK(id_of('S', 0x2010, 0x1010, 1) != id);
	CHECK(id_of('S', 0x1010, 0x3010, 1) != id);
}

/* __traceiter_* comes when somebody else begins to trace; a program loaded
 * after the symbols were read has no name. */
TEST(frames_of_tracing_before_a_stack_do_not_belong_to_it)
{
	static const uint64_t ip[] = { 0x9000000000, 0x6010, 0x5010, 0x1010,
				       0x2010 };
	uint32_t id;

	begin();
	id = id_of('S', 0x1010, 0x2010, 1);
	CHECK_EQ_INT(sched_stacks_id(&s, 'S', ip, 5, 1), id);
	CHECK_EQ_INT(sched_stacks_id(&s, 'S', ip + 2, 3, 1), id);
	CHECK(id_of('S', 0x9000000000, 0x1010, 1) != id);
}

TEST(two_places_in_the_same_functions_are_one_stack)
{
	uint32_t id;

	begin();
	id = id_of('S', 0x1010, 0x2010, 1);
	CHECK_EQ_INT(id_of('S', 0x1020, 0x2020, 1), id);
}

TEST(without_room_only_known_stacks_have_an_id)
{
	uint32_t id;

	begin();
	id = id_of('S', 0x1010, 0x2010, 1);
	CHECK_EQ_INT(id_of('S', 0x1010, 0x2010, 0), id);
	CHECK_EQ_INT(id_of('S', 0x1010, 0x3010, 0), 0);
}

TEST(a_dropped_stack_gets_a_new_id)
{
	uint32_t id, again;

	begin();
	id = id_of('S', 0x1010, 0x2010, 1);
	names_drop(names, id);
	sched_stacks_forget(&s);
	again = id_of('S', 0x1010, 0x2010, 1);
	CHECK(again && again != id);
	CHECK(names_get(names, again));
}

TEST(a_stack_without_frames_is_a_stack)
{
	begin();
	CHECK(sched_stacks_id(&s, '+', NULL, 0, 1));
}

TEST(more_addresses_than_the_cache_holds_give_the_same_ids)
{
	uint32_t id;
	uint64_t i;

	begin();
	id = id_of('S', 0x1010, 0x2010, 1);
	for (i = 0; i < 200000; i++)
		CHECK_EQ_INT(id_of('S', 0x1000 + i % 0x1000,
				   0x2001 + i / 0x1000, 1), id);
	sched_stacks_free(&s);
	sched_stacks_free(&s);
	ksyms_free(k);
	names_free(names);
}

TEST_MAIN
