// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does a build without libbpf (make BPF=0) say of the in-kernel engine?
 * That it is not there; nothing else here is ever called.
 */
#include <errno.h>
#include "bpf_why.h"

static int none(struct bpf_why *why)
{
	bpf_why_set(why, -ENOSYS, "build it with clang, bpftool and "
		    "libbpf-dev: make BPF=1", "built without it (make BPF=0)");
	return -ENOSYS;
}

int bpf_possible(const struct env *env, struct bpf_why *why)
{
	(void)env;
	return none(why);
}

int bpf_open(struct bpf **out, const char *image, struct bpf_why *why)
{
	(void)image;
	*out = NULL;
	return none(why);
}

void bpf_close(struct bpf *b)
{
	(void)b;
}
