// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which letter has a state in /proc/TID/stat and in sched_switch?
 */
#include "task_letter.h"

enum {
	REPORTED = 0x7f,	/* TASK_REPORT */
	DEAD = 0x80,		/* TASK_DEAD: told by exit_state */
	IDLE = 0x402,		/* TASK_IDLE: uninterruptible, no load */
};

char task_letter(uint32_t state)
{
	static const char letter[] = "RSDTtXZP";
	uint32_t told = state & REPORTED, i = 0;

	if ((state & IDLE) == IDLE)
		return 'I';
	if (!told && state & ~(uint32_t)DEAD)	/* lock of RT, frozen */
		return 'D';
	for (; told; told >>= 1)
		i++;
	return letter[i];
}
