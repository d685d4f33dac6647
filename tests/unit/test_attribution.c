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

/* ---- wakers ------------------------------------------------------------------ */

static const char *waker(enum waker_kind kind, const char *const *frames)
{
	uint32_t id[16], stack;
	struct waker w;
	size_t n;

	if (!names)
		names = names_new();
	for (n = 0; frames[n]; n++)
		id[n] = names_symbol(names, frames[n], 0, 0);
	stack = names_stack(names, 0, id, n);
	waker_of(names, names_get(names, stack), &w);
	CHECK_EQ_INT(w.kind, kind);
	return w.source ? names_str(names, w.source) : "";
}

#define WAKER(kind, ...) waker(kind, (const char *const[]){ __VA_ARGS__, NULL })

/* Stacks as kernels 6.18, 5.10 and 3.13 gave them. */
TEST(the_waker_is_the_first_frame_outside_the_plumbing)
{
	CHECK_EQ_STR(WAKER(WAKER_TASK, "try_to_wake_up",
			   "autoremove_wake_function", "__wake_up_common",
			   "__wake_up_sync_key", "anon_pipe_write",
			   "vfs_write"), "anon_pipe_write");
	CHECK_EQ_STR(WAKER(WAKER_TASK, "try_to_wake_up",
			   "default_wake_function", "__wake_up_common",
			   "__wake_up_common_lock", "__wake_up_sync_key",
			   "pipe_write"), "pipe_write");
	CHECK_EQ_STR(WAKER(WAKER_TASK, "try_to_wake_up", "wake_up_q",
			   "futex_wake", "do_futex"), "futex_wake");
	CHECK_EQ_STR(WAKER(WAKER_TASK, "try_to_wake_up", "wake_up_q",
			   "__mutex_unlock_slowpath", "anon_pipe_read"),
		     "anon_pipe_read");
	CHECK_EQ_STR(WAKER(WAKER_TASK, "try_to_wake_up", "kick_pool",
			   "__queue_work", "queue_work_on",
			   "ext4_put_io_end_defer"), "ext4_put_io_end_defer");
}

TEST(a_timer_is_no_task)
{
	CHECK_EQ_STR(WAKER(WAKER_TIMER, "try_to_wake_up", "hrtimer_wakeup",
			   "__hrtimer_run_queues", "hrtimer_interrupt",
			   "__sysvec_apic_timer_interrupt",
			   "sysvec_apic_timer_interrupt",
			   "asm_sysvec_apic_timer_interrupt", "vfs_write"),
		     "__hrtimer_run_queues");
	WAKER(WAKER_TIMER, "try_to_wake_up", "process_timeout",
	      "call_timer_fn", "__run_timers", "run_timer_softirq",
	      "handle_softirqs", "__irq_exit_rcu");
	WAKER(WAKER_TIMER, "try_to_wake_up", "hrtimer_wakeup",
	      "__hrtimer_run_queues", "hrtimer_interrupt",
	      "arch_timer_handler_virt", "el1_interrupt",
	      "el1h_64_irq_handler", "el1h_64_irq", "do_idle");
}

/* What is handled on the way out of an interrupt is the interrupt's; what a
 * task sends to a local socket is its own. */
TEST(an_interrupt_is_no_task_but_a_local_send_is)
{
	CHECK_EQ_STR(WAKER(WAKER_INTERRUPT, "try_to_wake_up",
			   "wake_page_function", "__wake_up_common",
			   "folio_wake_bit", "__read_end_io",
			   "blk_done_softirq", "handle_softirqs",
			   "__irq_exit_rcu", "common_interrupt",
			   "asm_common_interrupt", "do_idle"),
		     "__read_end_io");
	WAKER(WAKER_INTERRUPT, "try_to_wake_up", "complete",
	      "virtblk_done", "vring_interrupt", "do_IRQ", "ret_from_intr");
	CHECK_EQ_STR(WAKER(WAKER_TASK, "try_to_wake_up",
			   "autoremove_wake_function", "__wake_up_common",
			   "__wake_up_sync_key", "sock_def_readable",
			   "tcp_rcv_established", "tcp_v4_do_rcv",
			   "net_rx_action", "handle_softirqs", "do_softirq",
			   "__local_bh_enable_ip", "tcp_sendmsg"),
		     "tcp_rcv_established");
}

TEST(a_stack_of_plumbing_alone_has_no_waker)
{
	CHECK_EQ_STR(WAKER(WAKER_TASK, "try_to_wake_up", "wake_up_process"),
		     "");
}

TEST(the_table_of_wakers_can_be_searched)
{
	const char *name, *before = "";
	size_t n = wake_table_name(0, &name);

	CHECK(n > 100);
	for (size_t i = 0; i < n; i++) {
		wake_table_name(i, &name);
		if (strcmp(before, name) >= 0)
			FAIL("%s is not behind %s", name, before);
		CHECK(wake_frame_of(name) != WAKE_SOURCE);
		before = name;
	}
	CHECK_EQ_INT(wake_table_name(n, &name), n);
	CHECK(!name);
	CHECK_EQ_INT(wake_frame_of("anon_pipe_write"), WAKE_SOURCE);
}

TEST_MAIN
