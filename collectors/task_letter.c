// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which letter has a state in /proc/TID/stat and in sched_switch?
 */
#include "task_letter.h"

enum {
	REPORTED = 0x7f,	/* TASK_REPORT */
	IDLE = 0x402,		/* TASK_IDLE: uninterruptible, no load */
	TOLD_AS_D = 0x9000,	/* TASK_RTLOCK_WAIT since 5.15, TASK_FROZEN since
				 * 6.1; __task_state_index() calls both D */
};

char task_letter(uint32_t state)
{
	static const char letter[] = "RSDTtXZP";
	uint32_t told = state & REPORTED, i = 0;

	if ((state & IDLE) == IDLE)
		return 'I';
	if (state & TOLD_AS_D)
		return 'D';
	for (; told; told >>= 1)	/* none: waking, new: R */
		i++;
	return letter[i];
}
