/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a collector run in the kernel here, and if not: why?
 */
#ifndef COLLECTORS_ENGINE_H
#define COLLECTORS_ENGINE_H

#include "bpf.h"

/*
 * Say it: as the note "engine" of this collector where another engine will
 * serve, as the reason of its absence where none may (--engine bpf), and not
 * at all where it was not asked for (--engine perf).
 */
void engine_say(const struct env *env, const char *collector,
		const struct bpf_why *why);
/* It runs in the kernel, by these programs: note what memory their maps hold
 * there.  Adds up when a collector has several. */
void engine_runs(const struct env *env, const char *collector,
		 const struct bpf *b);

#endif
