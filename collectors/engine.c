// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does a collector run in the kernel here, and if not: why?
 */
#include "engine.h"

void engine_say(const struct env *env, const char *collector,
		const struct bpf_why *why)
{
	if (env->opt->engine == ENGINE_PERF)
		return;		/* asked for: nothing to be said */
	if (env->opt->engine == ENGINE_BPF)
		health_set(env->health, collector, "", 0, -1, HEALTH_ABSENT,
			   -why->err, why->remedy, "in-kernel engine: %s",
			   why->why);
	else
		health_set(env->health, collector, "engine", 0, -1,
			   HEALTH_NOTE, -why->err, why->remedy,
			   "not in the kernel: %s", why->why);
}

void engine_runs(const struct env *env, const char *collector,
		 const struct bpf *b)
{
	struct health_cost *cost = health_cost(env->health, collector);
	unsigned ncpu = env->host->cpus;

	if (!cost)
		return;
	cost->map_bytes += bpf_map_bytes(b);
	cost->map_cpu_bytes += bpf_map_cpu_bytes(b, ncpu);
}
