// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why does a collector not run in the kernel here?
 */
#include "engine.h"

void engine_say(const struct env *env, const char *collector,
		const struct bpf_why *why)
{
	if (env->opt->engine == ENGINE_BPF)
		health_set(env->health, collector, "", 0, -1, HEALTH_ABSENT,
			   -why->err, why->remedy, "in-kernel engine: %s",
			   why->why);
	else
		health_set(env->health, collector, "engine", 0, -1,
			   HEALTH_NOTE, -why->err, why->remedy,
			   "not in the kernel: %s", why->why);
}
