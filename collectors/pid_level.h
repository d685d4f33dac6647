/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How deep below the machine's does stalltop's pid namespace lie?  A task has
 * one tid for each level; /proc shows that of the reader's.
 */
#ifndef COLLECTORS_PID_LEVEL_H
#define COLLECTORS_PID_LEVEL_H

#include "bpf.h"

/* 0: the machine's own, or it cannot be told. */
uint32_t pid_level(const struct env *env);

#endif
