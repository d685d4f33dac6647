// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Letters of states, as the kernel's own table has them.
 */
#include "test.h"
#include "task_letter.h"

TEST(each_state_has_its_letter)
{
	static const struct { uint32_t state; char letter; } known[] = {
		{ 0, 'R' }, { 1, 'S' }, { 2, 'D' }, { 4, 'T' }, { 8, 't' },
		{ 0x10, 'X' }, { 0x20, 'Z' }, { 0x40, 'P' },
		{ 0x402, 'I' },		/* TASK_IDLE */
		{ 0x102, 'D' },		/* TASK_KILLABLE */
		{ 0x2001, 'S' },	/* freezable */
		{ 0x80 | 0x10, 'X' },	/* do_task_dead() */
		{ 0x1000, 'D' },	/* TASK_RTLOCK_WAIT */
		{ 0x8000, 'D' },	/* TASK_FROZEN */
		{ 0x200, 'R' },		/* TASK_WAKING */
		{ 0x800, 'R' },		/* TASK_NEW */
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		CHECK_EQ_INT(task_letter(known[i].state), known[i].letter);
}

TEST_MAIN
