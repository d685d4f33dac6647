// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How deep does the pid namespace of who calls this lie?  Run by hand.
 */
#include "core.bpf.h"

char LICENSE[] SEC("license") = "GPL";

SEC("raw_tp/sched_switch")
int pid_level(void *ctx)
{
	const struct task_struct *self = (void *)bpf_get_current_task();

	return BPF_CORE_READ(self, thread_pid, level);
}
