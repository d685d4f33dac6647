/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the kernel's open files do our programs read?
 */
#ifndef COLLECTORS_FILE_BPF_H
#define COLLECTORS_FILE_BPF_H

#include "core.bpf.h"

enum { MODE_TYPE = 0170000, MODE_FIFO = 0010000 };	/* also a pipe() */

struct super_block {
	unsigned int s_dev;
} READ_BY_NAME;

struct inode {
	unsigned short i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
} READ_BY_NAME;

struct file {
	struct inode *f_inode;
	void *private_data;
} READ_BY_NAME;

#endif
