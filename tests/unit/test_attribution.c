// SPDX-License-Identifier: GPL-2.0-or-later
/* What a stack means: source, via and class, by the kernel's own rule. */
#include "test.h"

#include "attribution.h"

static struct names *names;

/* Frames innermost first; a leading '*' marks sched or lock text. */
static struct attribution meaning(uint8_t state, const char *const *frames)
{
	struct attribution a;
	uint32_t id[16], stack;
	size_t n;

	if (!names)
		names = names_new();
	for (n = 0; frames[n]; n++)
		id[n] = frames[n][0] == '*' ?
			names_symbol(names, frames[n] + 1, 0, SYMBOL_SCHED) :
			names_symbol(names, frames[n], 0, 0);
	stack = names_stack(names, state, id, n);
	attribution_of(names, names_get(names, stack), &a);
	return a;
}

#define MEANING(state, ...) \
	meaning(state, (const char *const[]){ __VA_ARGS__, NULL })

TEST(source_is_the_first_frame_outside)
{
	struct attribution a = MEANING('S', "*__schedule", "*schedule",
				       "anon_pipe_read", "vfs_read");

	CHECK_EQ_STR(names_str(names, a.source), "anon_pipe_read");
	CHECK_EQ_STR(names_str(names, a.via), "schedule");
	CHECK_EQ_INT(a.class, CLASS_PIPE);
	CHECK_EQ_INT(a.depth, 2);
}

TEST(via_is_the_outermost_frame_inside)
{
	struct attribution a =
		MEANING('D', "*__schedule", "*schedule", "*io_schedule",
			"*bit_wait_io", "*__wait_on_bit",
			"*out_of_line_wait_on_bit", "ext4_read_bh");

	CHECK_EQ_STR(names_str(names, a.source), "ext4_read_bh");
	CHECK_EQ_STR(names_str(names, a.via), "out_of_line_wait_on_bit");
	CHECK_EQ_INT(a.class, CLASS_BLOCK_IO);
}

TEST(an_unknown_reader_that_waits_for_a_disk)
{
	CHECK_EQ_INT(MEANING('D', "*__schedule", "*schedule", "*io_schedule",
			     "some_new_fs_read").class, CLASS_BLOCK_IO);
	CHECK_EQ_INT(MEANING('D', "*__schedule", "*schedule", "*io_schedule",
			     "folio_wait_bit_common").class, CLASS_PAGE_LOCK);
}

TEST(a_lock_on_the_way_wins)
{
	CHECK_EQ_INT(MEANING('D', "*__schedule", "*schedule",
			     "*schedule_preempt_disabled",
			     "*__mutex_lock", "*mutex_lock",
			     "anon_pipe_write").class, CLASS_MUTEX);
	CHECK_EQ_INT(MEANING('D', "*__schedule", "*schedule",
			     "*rwsem_down_write_slowpath", "*down_write",
			     "do_unlinkat").class, CLASS_RWSEM);
}

TEST(preempted_is_apart_from_blocked)
{
	CHECK_EQ_INT(MEANING('R', "*__schedule", "*schedule",
			     "exit_to_user_mode_loop").class, CLASS_PREEMPTED);
	CHECK_EQ_INT(MEANING('+', "*__schedule", "*preempt_schedule_irq",
			     "irqentry_exit").class, CLASS_PREEMPTED);
	CHECK_EQ_INT(MEANING('+', "*__schedule", "*__cond_resched",
			     "anon_pipe_read").class, CLASS_PREEMPTED);
}

/* Woken before it slept: R, but it came to wait. */
TEST(a_waiter_woken_early_is_still_a_waiter)
{
	CHECK_EQ_INT(MEANING('R', "*__schedule", "*schedule", "do_wait").class,
		     CLASS_WAIT);
}

TEST(idle_and_yield_have_their_own)
{
	CHECK_EQ_INT(MEANING('R', "*__schedule", "*schedule_idle",
			     "do_idle").class, CLASS_IDLE);
	CHECK_EQ_INT(MEANING('R', "*__schedule", "*schedule",
			     "__do_sys_sched_yield").class, CLASS_YIELD);
	CHECK_EQ_INT(MEANING('R', "*__schedule", "*schedule", "*yield",
			     "some_driver").class, CLASS_YIELD);
}

TEST(a_go_between_looks_outwards)
{
	CHECK_EQ_INT(MEANING('S', "*__schedule", "*schedule",
			     "*schedule_timeout", "wait_woken",
			     "sk_wait_data", "tcp_recvmsg").class,
		     CLASS_SOCKET);
	CHECK_EQ_INT(MEANING('S', "*__schedule", "*schedule",
			     "*schedule_timeout", "wait_woken",
			     "n_tty_read").class, CLASS_TTY);
}

TEST(unknown_is_other_never_a_guess)
{
	CHECK_EQ_INT(MEANING('S', "*__schedule", "*schedule",
			     "my_pipe_read_thing", "pipe_read").class,
		     CLASS_OTHER);
	CHECK_EQ_INT(MEANING('S', "*__schedule").class, CLASS_OTHER);
	CHECK_EQ_INT(MEANING('S', "*__schedule").source, 0);
	CHECK_EQ_INT(MEANING('S', "ffffffff81234567").class, CLASS_OTHER);
}

TEST(the_class_table_is_sorted)
{
	const char *a, *b;
	size_t n = class_table_name(0, &a);

	CHECK(n > 200);
	for (size_t i = 1; i < n; i++) {
		class_table_name(i - 1, &a);
		class_table_name(i, &b);
		CHECK(strcmp(a, b) < 0);
	}
	class_table_name(n, &b);
	CHECK(!b);
}

TEST(renamed_functions_share_a_name)
{
	CHECK_EQ_STR(symbol_alias("anon_pipe_read"), "pipe_wait");
	CHECK_EQ_STR(symbol_alias("pipe_write"), "pipe_wait");
	CHECK_EQ_STR(symbol_alias("folio_remove_rmap_ptes"),
		     "page_remove_rmap");
	CHECK_EQ_STR(symbol_alias("futex_do_wait"), "futex_wait_queue");
	CHECK_EQ_STR(symbol_alias("ksm_remove_rmap_item"),
		     "ksm_remove_rmap_item");
	CHECK_EQ_STR(symbol_alias("wait_on_page_bit_common"),
		     "folio_wait_bit_common");
}

TEST(every_class_has_words)
{
	for (int c = 0; c < CLASS_COUNT; c++) {
		CHECK(class_name(c)[0]);
		CHECK(strlen(class_help(c)) > 40);
	}
	CHECK_EQ_STR(class_name(CLASS_COUNT + 5), "other");
}

TEST_MAIN
