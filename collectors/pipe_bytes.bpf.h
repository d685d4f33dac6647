/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the program that counts bytes of pipes and its reader say to each
 * other?  A hash map from struct pipe_key to struct pipe_bytes.
 */
#ifndef COLLECTORS_PIPE_BYTES_BPF_H
#define COLLECTORS_PIPE_BYTES_BPF_H

enum { PIPE_BYTES_MOST = 4096 };	/* pipes; then the longest unused go */

struct pipe_key {
	__u64 inode;
	__u32 dev;		/* s_dev of its file system */
	__u32 rest;		/* 0 */
};

struct pipe_bytes {		/* they only grow */
	__u64 read, written;
};

#endif
