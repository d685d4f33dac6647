// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which functions only pass a wake-up on, and which say that an interrupt
 * did it?
 *
 * Looked up exactly, by binary search: sorted by strcmp().  Kernels differ;
 * names of 3.x to 6.18, x86 and arm64.  A function that is not here is taken
 * for the waker's source, which is the safe side.
 */
#include "attribution.h"

#include <stdlib.h>
#include <string.h>

struct wake_name {
	const char *name;
	enum wake_frame kind;
};

#define PLUMBING(name)	{ name, WAKE_PLUMBING }
#define TIMER(name)	{ name, WAKE_TIMER }
#define ENTRY(name)	{ name, WAKE_INTERRUPT }

static const struct wake_name names[] = {
	ENTRY("__common_interrupt"), ENTRY("__el0_irq_handler_common"),
	PLUMBING("__futex_wake_mark"), ENTRY("__handle_domain_irq"),
	TIMER("__hrtimer_run_queues"), ENTRY("__irq_exit_rcu"),
	PLUMBING("__irq_wake_thread"), PLUMBING("__kthread_unpark"),
	PLUMBING("__mutex_unlock_slowpath"), PLUMBING("__percpu_up_read"),
	PLUMBING("__pollwake"), PLUMBING("__queue_delayed_work"),
	PLUMBING("__queue_work"), TIMER("__run_hrtimer"),
	TIMER("__run_timer_base"), TIMER("__run_timers"),
	PLUMBING("__rwsem_do_wake"), PLUMBING("__rwsem_mark_wake"),
	PLUMBING("__send_signal"), PLUMBING("__send_signal_locked"),
	PLUMBING("__sk_wake_async"), ENTRY("__sysvec_apic_timer_interrupt"),
	ENTRY("__sysvec_call_function"), ENTRY("__sysvec_call_function_single"),
	ENTRY("__sysvec_hyperv_stimer0"), ENTRY("__sysvec_irq_work"),
	ENTRY("__sysvec_reschedule_ipi"), PLUMBING("__traceiter_sched_wakeup"),
	PLUMBING("__traceiter_sched_waking"), PLUMBING("__up"),
	PLUMBING("__up_read"), PLUMBING("__up_write"), PLUMBING("__wake_up"),
	PLUMBING("__wake_up_bit"), PLUMBING("__wake_up_common"),
	PLUMBING("__wake_up_common_lock"), PLUMBING("__wake_up_locked"),
	PLUMBING("__wake_up_locked_key"),
	PLUMBING("__wake_up_locked_key_bookmark"),
	PLUMBING("__wake_up_locked_sync_key"),
	PLUMBING("__wake_up_on_current_cpu"), PLUMBING("__wake_up_parent"),
	PLUMBING("__wake_up_pollfree"), PLUMBING("__wake_up_sync"),
	PLUMBING("__wake_up_sync_key"), PLUMBING("__ww_mutex_unlock"),
	ENTRY("__xen_evtchn_do_upcall"), PLUMBING("aio_poll_wake"),
	TIMER("alarmtimer_fired"), ENTRY("apic_timer_interrupt"),
	ENTRY("arch_timer_handler_phys"), ENTRY("arch_timer_handler_virt"),
	ENTRY("asm_common_interrupt"), ENTRY("asm_exc_nmi"),
	ENTRY("asm_sysvec_apic_timer_interrupt"),
	ENTRY("asm_sysvec_call_function"),
	ENTRY("asm_sysvec_call_function_single"),
	ENTRY("asm_sysvec_hyperv_callback"), ENTRY("asm_sysvec_hyperv_stimer0"),
	ENTRY("asm_sysvec_irq_work"), ENTRY("asm_sysvec_kvm_asyncpf_interrupt"),
	ENTRY("asm_sysvec_posted_msi_notification"),
	ENTRY("asm_sysvec_reschedule_ipi"),
	ENTRY("asm_sysvec_spurious_apic_interrupt"),
	ENTRY("asm_sysvec_thermal"), ENTRY("asm_sysvec_xen_hvm_callback"),
	PLUMBING("autoremove_wake_function"), PLUMBING("blk_mq_dispatch_wake"),
	ENTRY("call_function_interrupt"),
	ENTRY("call_function_single_interrupt"), ENTRY("call_on_irq_stack"),
	PLUMBING("call_rwsem_wake"), TIMER("call_timer_fn"),
	ENTRY("common_interrupt"), PLUMBING("complete"),
	PLUMBING("complete_all"), PLUMBING("complete_on_current_cpu"),
	PLUMBING("complete_signal"), PLUMBING("complete_with_flags"),
	PLUMBING("default_wake_function"), PLUMBING("delayed_work_timer_fn"),
	ENTRY("do_IRQ"), ENTRY("do_interrupt_handler"), ENTRY("do_nmi"),
	PLUMBING("downgrade_write"), ENTRY("el0_interrupt"), ENTRY("el0_irq"),
	ENTRY("el0t_32_irq"), ENTRY("el0t_32_irq_handler"),
	ENTRY("el0t_64_irq"), ENTRY("el0t_64_irq_handler"),
	ENTRY("el1_interrupt"), ENTRY("el1_irq"), ENTRY("el1h_64_irq"),
	ENTRY("el1h_64_irq_handler"), ENTRY("el1t_64_irq"),
	ENTRY("el1t_64_irq_handler"), PLUMBING("end_buffer_async_write"),
	PLUMBING("end_page_writeback"), ENTRY("end_repeat_nmi"),
	PLUMBING("ep_autoremove_wake_function"), PLUMBING("ep_poll_callback"),
	PLUMBING("ep_poll_safewake"), PLUMBING("ep_poll_wakeup_proc"),
	ENTRY("exc_nmi"), TIMER("expire_timers"), PLUMBING("folio_end_read"),
	PLUMBING("folio_end_writeback"), PLUMBING("folio_unlock"),
	PLUMBING("folio_wake"), PLUMBING("folio_wake_bit"),
	ENTRY("fred_extint"), ENTRY("fred_sysvec_apic_timer_interrupt"),
	ENTRY("fred_sysvec_call_function"),
	ENTRY("fred_sysvec_call_function_single"),
	ENTRY("fred_sysvec_irq_work"), ENTRY("fred_sysvec_reschedule_ipi"),
	PLUMBING("futex_wake_mark"), ENTRY("gic_handle_irq"),
	ENTRY("handle_IPI"), ENTRY("handle_domain_irq"),
	TIMER("hrtimer_interrupt"), TIMER("hrtimer_run_queues"),
	TIMER("hrtimer_run_softirq"), PLUMBING("hrtimer_wakeup"),
	ENTRY("hyperv_callback_vector"), PLUMBING("insert_work"),
	PLUMBING("io_poll_wake"), PLUMBING("io_wake_function"),
	PLUMBING("iocg_wake_fn"), ENTRY("ipi_handler"), ENTRY("irq_exit"),
	ENTRY("irq_exit_rcu"), PLUMBING("irq_wake_thread"),
	ENTRY("irq_work_interrupt"), TIMER("it_real_fn"), PLUMBING("kick_pool"),
	PLUMBING("kthread_insert_work"), PLUMBING("kthread_queue_work"),
	PLUMBING("kthread_unpark"), PLUMBING("kyber_domain_wake"),
	ENTRY("local_apic_timer_interrupt"), PLUMBING("mark_wake_futex"),
	PLUMBING("mark_wakeup_next_waiter"),
	PLUMBING("memcg_oom_wake_function"), PLUMBING("mod_delayed_work_on"),
	PLUMBING("mutex_unlock"), ENTRY("nmi"),
	PLUMBING("percpu_rwsem_wake_function"), PLUMBING("percpu_up_read"),
	PLUMBING("percpu_up_write"),
	PLUMBING("perf_trace_sched_wakeup_template"), PLUMBING("pollwake"),
	TIMER("posix_timer_fn"), PLUMBING("process_timeout"),
	PLUMBING("queue_delayed_work_on"), PLUMBING("queue_work_on"),
	PLUMBING("raise_softirq"), PLUMBING("raise_softirq_irqoff"),
	PLUMBING("rcuwait_wake_up"), PLUMBING("receiver_wake_function"),
	ENTRY("reschedule_interrupt"), ENTRY("ret_from_intr"),
	PLUMBING("rq_qos_wake_function"),
	PLUMBING("rt_mutex_adjust_prio_chain"),
	PLUMBING("rt_mutex_futex_unlock"), PLUMBING("rt_mutex_postunlock"),
	PLUMBING("rt_mutex_slowunlock"), PLUMBING("rt_mutex_unlock"),
	TIMER("run_hrtimer_softirq"), ENTRY("run_ksoftirqd"),
	TIMER("run_posix_cpu_timers"), TIMER("run_timer_base"),
	TIMER("run_timer_softirq"), PLUMBING("rwsem_do_wake"),
	PLUMBING("rwsem_mark_wake"), PLUMBING("rwsem_wake"),
	PLUMBING("sbitmap_queue_wake_up"), PLUMBING("sbitmap_wake_queue"),
	PLUMBING("sbq_wake_up"), ENTRY("scheduler_ipi"),
	PLUMBING("send_signal"), PLUMBING("send_signal_locked"),
	PLUMBING("signal_wake_up"), PLUMBING("signal_wake_up_state"),
	PLUMBING("sk_stream_write_space"), PLUMBING("sk_wake_async"),
	ENTRY("smp_apic_timer_interrupt"), ENTRY("smp_call_function_interrupt"),
	ENTRY("smp_call_function_single_interrupt"),
	ENTRY("smp_irq_work_interrupt"), ENTRY("smp_reschedule_interrupt"),
	PLUMBING("sock_def_error_report"), PLUMBING("sock_def_readable"),
	PLUMBING("sock_def_wakeup"), PLUMBING("sock_def_write_space"),
	PLUMBING("sock_wake_async"), PLUMBING("sock_wfree"),
	PLUMBING("swake_up"), PLUMBING("swake_up_all"),
	PLUMBING("swake_up_all_locked"), PLUMBING("swake_up_locked"),
	PLUMBING("swake_up_one"), PLUMBING("synchronous_wake_function"),
	ENTRY("sysvec_apic_timer_interrupt"), ENTRY("sysvec_call_function"),
	ENTRY("sysvec_call_function_single"), ENTRY("sysvec_hyperv_callback"),
	ENTRY("sysvec_hyperv_stimer0"), ENTRY("sysvec_irq_work"),
	ENTRY("sysvec_kvm_asyncpf_interrupt"),
	ENTRY("sysvec_posted_msi_notification"), ENTRY("sysvec_reschedule_ipi"),
	ENTRY("sysvec_spurious_apic_interrupt"), ENTRY("sysvec_thermal"),
	ENTRY("sysvec_xen_hvm_callback"), PLUMBING("tcp_data_ready"),
	TIMER("tick_nohz_handler"), TIMER("tick_sched_timer"),
	TIMER("timerfd_tmrproc"), TIMER("timerfd_triggered"),
	PLUMBING("trace_event_raw_event_sched_wakeup_template"),
	PLUMBING("try_to_wake_up"), PLUMBING("ttwu_do_activate"),
	PLUMBING("ttwu_do_wakeup"), PLUMBING("ttwu_queue"),
	PLUMBING("ttwu_queue_wakelist"), PLUMBING("unix_dgram_peer_wake_relay"),
	PLUMBING("unix_write_space"), PLUMBING("unlock_buffer"),
	PLUMBING("unlock_page"), PLUMBING("up"), PLUMBING("up_read"),
	PLUMBING("up_write"), PLUMBING("userfaultfd_wake_function"),
	PLUMBING("var_wake_function"), PLUMBING("wake_atomic_t_function"),
	PLUMBING("wake_bit_function"), PLUMBING("wake_page_function"),
	PLUMBING("wake_q_add"), PLUMBING("wake_q_add_safe"),
	PLUMBING("wake_threads_waitq"), PLUMBING("wake_up_all_idle_cpus"),
	PLUMBING("wake_up_atomic_t"), PLUMBING("wake_up_bit"),
	PLUMBING("wake_up_if_idle"), PLUMBING("wake_up_klogd"),
	PLUMBING("wake_up_new_task"), PLUMBING("wake_up_page"),
	PLUMBING("wake_up_page_bit"), PLUMBING("wake_up_partner"),
	PLUMBING("wake_up_process"), PLUMBING("wake_up_q"),
	PLUMBING("wake_up_state"), PLUMBING("wake_up_var"),
	PLUMBING("wake_up_worker"), PLUMBING("wake_userfault"),
	PLUMBING("wakeup_softirqd"), PLUMBING("woken_wake_function"),
	PLUMBING("ww_mutex_unlock"), ENTRY("xen_evtchn_do_upcall"),
	ENTRY("xen_hvm_callback_vector"),
};

static int compare(const void *name, const void *entry)
{
	return strcmp(name, ((const struct wake_name *)entry)->name);
}

enum wake_frame wake_frame_of(const char *name)
{
	const struct wake_name *found =
		bsearch(name, names, sizeof(names) / sizeof(*names),
			sizeof(*names), compare);

	return found ? found->kind : WAKE_SOURCE;
}

size_t wake_table_name(size_t i, const char **name)
{
	size_t n = sizeof(names) / sizeof(*names);

	*name = i < n ? names[i].name : NULL;
	return n;
}
