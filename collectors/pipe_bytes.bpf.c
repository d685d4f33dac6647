// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many bytes go through each pipe?  What its reads and writes return, named
 * pipes as well; splice() moves buffers and passes both by.
 *
 * Until 6.14 the functions are pipe_read() and pipe_write(), which the reader
 * of the map exchanges for what the kernel has.
 */
#include "file.bpf.h"
#include "pipe_bytes.bpf.h"

char LICENSE[] SEC("license") = "GPL";

struct kiocb {
	struct file *ki_filp;
} READ_BY_NAME;

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, PIPE_BYTES_MOST);
	__type(key, struct pipe_key);
	__type(value, struct pipe_bytes);
} pipes SEC(".maps");

static u64 lost;		/* calls for which there was no room */

INLINE struct pipe_bytes *bytes_of(const struct kiocb *call)
{
	static const struct pipe_bytes none;
	const struct inode *inode = call->ki_filp->f_inode;
	struct pipe_key key = { .inode = inode->i_ino,
				.dev = inode->i_sb->s_dev };
	struct pipe_bytes *b = bpf_map_lookup_elem(&pipes, &key);

	if (b)
		return b;
	bpf_map_update_elem(&pipes, &key, &none, BPF_NOEXIST);
	b = bpf_map_lookup_elem(&pipes, &key);
	if (!b)
		__sync_fetch_and_add(&lost, 1);
	return b;
}

SEC("fexit/pipe_read")
int pipe_read(u64 *ctx)
{
	long n = (long)ctx[2];
	struct pipe_bytes *b = n > 0 ? bytes_of((void *)ctx[0]) : NULL;

	if (b)
		__sync_fetch_and_add(&b->read, n);
	return 0;
}

SEC("fexit/pipe_write")
int pipe_write(u64 *ctx)
{
	long n = (long)ctx[2];
	struct pipe_bytes *b = n > 0 ? bytes_of((void *)ctx[0]) : NULL;

	if (b)
		__sync_fetch_and_add(&b->written, n);
	return 0;
}
