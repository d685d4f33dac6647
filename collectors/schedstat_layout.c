// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which number of a /proc/schedstat line is what, by version?  show_schedstat()
 * in kernel/sched/stats.c prints them:
 *
 * 15  2.6.30  groups idle, busy, newly idle of 8 numbers
 * 16  6.10    enum cpu_idle_type was turned round: busy, idle, newly idle
 * 17  6.14    the imbalance is four numbers, and the domain has a name
 */
#include "metric.h"
#include "schedstat_layout.h"

const uint16_t schedstat_cpu[SCHEDSTAT_CPU_FIELDS] = {
	SCHEDSTAT_YIELD,
	METRIC_NONE,		/* of the O(1) scheduler; 0 since 3.10 */
	SCHEDSTAT_SCHEDULE, SCHEDSTAT_IDLE, SCHEDSTAT_WAKEUPS,
	SCHEDSTAT_LOCAL_WAKEUPS,
	SCHEDSTAT_RUN, SCHEDSTAT_DELAY, SCHEDSTAT_SLICES,
};

static const uint16_t busy[] = {
	SD_BUSY_CALLS, SD_BUSY_BALANCED, SD_BUSY_FAILED, SD_BUSY_IMBALANCE,
	SD_BUSY_GAINED, SD_BUSY_HOT_GAINED, SD_BUSY_NOBUSYQ, SD_BUSY_NOBUSYG,
};
static const uint16_t idle[] = {
	SD_IDLE_CALLS, SD_IDLE_BALANCED, SD_IDLE_FAILED, SD_IDLE_IMBALANCE,
	SD_IDLE_GAINED, SD_IDLE_HOT_GAINED, SD_IDLE_NOBUSYQ, SD_IDLE_NOBUSYG,
};
static const uint16_t newidle[] = {
	SD_NEWIDLE_CALLS, SD_NEWIDLE_BALANCED, SD_NEWIDLE_FAILED,
	SD_NEWIDLE_IMBALANCE, SD_NEWIDLE_GAINED, SD_NEWIDLE_HOT_GAINED,
	SD_NEWIDLE_NOBUSYQ, SD_NEWIDLE_NOBUSYG,
};
static const uint16_t busy17[] = {
	SD_BUSY_CALLS, SD_BUSY_BALANCED, SD_BUSY_FAILED, SD_BUSY_IMB_LOAD,
	SD_BUSY_IMB_UTIL, SD_BUSY_IMB_TASK, SD_BUSY_IMB_MISFIT,
	SD_BUSY_GAINED, SD_BUSY_HOT_GAINED, SD_BUSY_NOBUSYQ, SD_BUSY_NOBUSYG,
};
static const uint16_t idle17[] = {
	SD_IDLE_CALLS, SD_IDLE_BALANCED, SD_IDLE_FAILED, SD_IDLE_IMB_LOAD,
	SD_IDLE_IMB_UTIL, SD_IDLE_IMB_TASK, SD_IDLE_IMB_MISFIT,
	SD_IDLE_GAINED, SD_IDLE_HOT_GAINED, SD_IDLE_NOBUSYQ, SD_IDLE_NOBUSYG,
};
static const uint16_t newidle17[] = {
	SD_NEWIDLE_CALLS, SD_NEWIDLE_BALANCED, SD_NEWIDLE_FAILED,
	SD_NEWIDLE_IMB_LOAD, SD_NEWIDLE_IMB_UTIL, SD_NEWIDLE_IMB_TASK,
	SD_NEWIDLE_IMB_MISFIT, SD_NEWIDLE_GAINED, SD_NEWIDLE_HOT_GAINED,
	SD_NEWIDLE_NOBUSYQ, SD_NEWIDLE_NOBUSYG,
};
/* the last numbers of a domain line, the same in all three */
static const uint16_t tail[] = {
	SD_ALB_COUNT, SD_ALB_FAILED, SD_ALB_PUSHED,
	SD_SBE_COUNT, SD_SBE_BALANCED, SD_SBE_PUSHED,
	SD_SBF_COUNT, SD_SBF_BALANCED, SD_SBF_PUSHED,
	SD_TTWU_REMOTE, SD_TTWU_AFFINE, SD_TTWU_BALANCE,
};

static const struct schedstat_layout layouts[] = {
	{ 15, 0, 36, 8, { idle, busy, newidle } },
	{ 16, 0, 36, 8, { busy, idle, newidle } },
	{ 17, 1, 45, 11, { busy17, idle17, newidle17 } },
};

const struct schedstat_layout *schedstat_layout_of(unsigned version)
{
	size_t i;

	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].version == version)
			return layouts + i;
	return NULL;
}

uint16_t schedstat_domain_metric(const struct schedstat_layout *layout,
				 size_t i)
{
	size_t group = i / layout->per_group;

	if (group < 3)
		return layout->group[group][i % layout->per_group];
	return tail[i - 3 * layout->per_group];
}
