/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why does a collector not run in the kernel here?
 */
#ifndef COLLECTORS_ENGINE_H
#define COLLECTORS_ENGINE_H

#include "bpf.h"

/*
 * Say it: as the note "engine" of this collector where another engine will
 * serve, as the reason of its absence where none may (--engine bpf).
 */
void engine_say(const struct env *env, const char *collector,
		const struct bpf_why *why);

#endif
