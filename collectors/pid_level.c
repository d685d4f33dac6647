// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How deep below the machine's does stalltop's pid namespace lie?
 */
#include <fcntl.h>
#include <sys/stat.h>
#include "pid_level.h"

/* Inode of the first pid namespace (PROC_PID_INIT_INO, since 3.8). */
#define MACHINES_OWN 0xeffffffcu

uint32_t pid_level(const struct env *env)
{
	struct bpf_why why;
	struct stat st;
	struct bpf *b;
	int level = -1;

	if (fstatat(env->proc_fd, "self/ns/pid", &st, 0) ||
	    st.st_ino == MACHINES_OWN)
		return 0;
	if (bpf_open(&b, "level", &why))
		return 0;
	if (!bpf_load(b, &why))
		level = bpf_run(b, "pid_level");
	bpf_close(b);
	return level > 0 ? (uint32_t)level : 0;
}
