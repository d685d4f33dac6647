/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which programs were built in?  The table is made by the Makefile, one line
 * for each collectors/X.bpf.c, from the skeletons of bpftool.
 */
#ifndef COLLECTORS_BPF_IMAGES_H
#define COLLECTORS_BPF_IMAGES_H

#include <stddef.h>

struct bpf_image {
	const char *name;			/* "sched", of sched.bpf.c */
	const void *(*elf)(size_t *bytes);
};

extern const struct bpf_image bpf_images[];	/* NULL ended */

#endif
