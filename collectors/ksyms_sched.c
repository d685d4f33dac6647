// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is this function the scheduler's or a lock's own, so that who called it is
 * the source of a schedule()?  By where it lies, as wchan does, else by name.
 */
#include <stdio.h>
#include <string.h>
#include "ksyms_table.h"

enum { NAME = 512 };

/*
 * in_sched_functions() for kernels whose table lacks the markers: what stood
 * between them in six kernels, 3.1 to 6.18.  A final '*' stands for any rest.
 */
static const char *const sched_name[] = {
	"__cond_resched", "__cond_resched_softirq", "__down", "__down_*",
	"__mutex_*", "__percpu_down_read", "__rt_mutex_*", "__schedule",
	"__up", "__wait_for_common", "__wait_on_bit", "__wait_on_bit_lock",
	"__ww_mutex_*", "_cond_resched", "_raw_read_*", "_raw_spin_*",
	"_raw_write_*", "bit_wait", "bit_wait_io", "bit_wait_io_timeout",
	"bit_wait_timeout", "cond_resched", "console_conditional_schedule",
	"do_nanosleep", "down", "down_interruptible", "down_killable",
	"down_read", "down_read_interruptible", "down_read_killable",
	"down_timeout", "down_trylock", "down_write", "down_write_killable",
	"hrtimer_nanosleep_restart", "io_schedule", "io_schedule_timeout",
	"ldsem_down_*", "mutex_lock", "mutex_lock_*", "mutex_trylock",
	"mutex_unlock", "out_of_line_wait_on_*", "percpu_down_write",
	"preempt_schedule", "preempt_schedule_common",
	"preempt_schedule_context", "preempt_schedule_irq",
	"preempt_schedule_notrace", "rt_mutex_*",
	"rwsem_down_*", "schedule", "schedule_hrtimeout",
	"schedule_hrtimeout_range", "schedule_hrtimeout_range_clock",
	"schedule_idle", "schedule_preempt_disabled", "schedule_rtlock",
	"schedule_timeout", "schedule_timeout_*", "schedule_user",
	"sleep_on", "sleep_on_timeout", "task_blocks_on_rt_mutex", "up",
	"usleep_range_state", "wait_for_common", "wait_for_common_io",
	"wait_for_completion", "wait_for_completion_*", "ww_mutex_*",
	"yield", "yield_to",
};

static int name_matches(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	if (pattern[n - 1] == '*')
		return !strncmp(pattern, name, n - 1);
	return !strcmp(pattern, name);
}

static int is_sched_name(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(sched_name) / sizeof(*sched_name); i++)
		if (name_matches(sched_name[i], name))
			return 1;
	return 0;
}

static int in_range(const uint64_t range[2], uint64_t addr)
{
	return range[0] && addr >= range[0] && addr < range[1];
}

const struct ksym *ksyms_table_named(const struct ksyms_table *t,
				     const char *name)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->sym[i].name && !strcmp(t->text + t->sym[i].name, name))
			return &t->sym[i];
	return NULL;
}

/* A cold part lies elsewhere; whether it is the scheduler's its parent says. */
static const struct ksym *parent_of(const struct ksyms_table *t,
				    const struct ksym *s)
{
	const char *cold = strstr(t->text + s->name, ".cold");
	const struct ksym *parent;
	char name[NAME];

	if (!cold)
		return s;
	snprintf(name, sizeof(name), "%.*s",
		 (int)(cold - (t->text + s->name)), t->text + s->name);
	parent = ksyms_table_named(t, name);
	return parent ? parent : s;
}

int ksyms_table_is_sched(const struct ksyms_table *t, const struct ksym *s,
			 const char *folded)
{
	uint64_t addr;

	if (s->module)
		return 0;
	addr = parent_of(t, s)->addr;
	if (in_range(t->sched, addr) || in_range(t->lock, addr))
		return 1;
	if (t->sched[0] && t->sched[1] && t->lock[0] && t->lock[1])
		return 0;
	return is_sched_name(folded);
}
