/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which letter has a state in /proc/TID/stat and in sched_switch?
 */
#ifndef COLLECTORS_TASK_LETTER_H
#define COLLECTORS_TASK_LETTER_H

#include <stdint.h>

/* state: __state | exit_state of the kernel (include/linux/sched.h; the bits
 * are the same since 4.14).  __task_state_index(), task_index_to_char(). */
char task_letter(uint32_t state);

#endif
