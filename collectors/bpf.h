/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a collector get its program into the kernel?  x.bpf.c is built into
 * an image called "x"; it is opened (nothing happens), fitted, loaded, and its
 * programs attached one by one.  All ends with the process: nothing is pinned.
 *
 * A build without libbpf (make BPF=0) has the same functions; opening gives
 * -ENOSYS there.  All return 0 or -errno unless said otherwise.
 */
#ifndef COLLECTORS_BPF_H
#define COLLECTORS_BPF_H

#include <stddef.h>
#include <stdint.h>
#include "collector.h"

enum { BPF_WORDS = 160 };

struct bpf;

struct bpf_why {		/* why it does not run here, and what helps */
	int err;		/* -errno */
	char why[HEALTH_WHY], remedy[HEALTH_WHY];	/* remedy "": none */
};

/*
 * Is the in-kernel engine possible at all?  0; else -errno with *why filled:
 * built without, --engine perf, no BTF, no CAP_BPF + CAP_PERFMON, lockdown.
 */
int bpf_possible(const struct env *env, struct bpf_why *why);

/* -ENOENT: no image of that name was built in. */
int bpf_open(struct bpf **out, const char *image, struct bpf_why *why);
void bpf_close(struct bpf *b);			/* accepts NULL */

/* ---- before bpf_load() ---- */
/* Does this kernel's BTF have the tracepoint, function, struct or
 * "struct.member"? */
int bpf_kernel_has(const struct bpf *b, const char *name);
void bpf_leave_out(struct bpf *b, const char *program);	/* do not load it */
/* Do not make this map (a type the kernel lacks). */
void bpf_leave_out_map(struct bpf *b, const char *map);
int bpf_resize(struct bpf *b, const char *map, uint32_t entries);
/* Attach this program to another function of the kernel (fentry, fexit). */
int bpf_retarget(struct bpf *b, const char *program, const char *function);
/*
 * Load.  A program the kernel refuses is left out if its name is in optional[]
 * (NULL ended, may be NULL; bpf_refused() tells why); else -errno, *why with
 * the verifier's last line.
 */
int bpf_load(struct bpf *b, const char *const optional[], struct bpf_why *why);

/* ---- any time: the memory of ".rodata" (write before loading), ".data",
 * ".bss", or of an array map made with BPF_F_MMAPABLE (after loading; elements
 * are at multiples of their size rounded up to 8).  NULL: none. */
void *bpf_memory(const struct bpf *b, const char *map, size_t *bytes);

/* ---- after bpf_load() ---- */
int bpf_loaded(const struct bpf *b, const char *program);
const struct bpf_why *bpf_refused(const struct bpf *b, const char *program);
/* By its section: tracepoint, raw tracepoint, fentry.  -EALREADY: it is. */
int bpf_attach(struct bpf *b, const char *program);
int bpf_attach_perf(struct bpf *b, const char *program, int perf_fd);
void bpf_detach(struct bpf *b, const char *program);
/* Run a raw tracepoint or syscall program now, on this CPU (TEST_RUN). */
int bpf_run(struct bpf *b, const char *program);
/* A descriptor that reads what an iterator program writes; the caller's. */
int bpf_iterate(struct bpf *b, const char *program);
/* Take all records that are there: how many, or -errno. */
int bpf_ring_drain(struct bpf *b, const char *map,
		   void (*fn)(void *arg, const void *data, size_t size),
		   void *arg);
double bpf_ring_fill(struct bpf *b, const char *map);	/* 0..1 */
/* Look up / walk a hash map.  next: key NULL gives the first; -ENOENT: end. */
int bpf_map_get(const struct bpf *b, const char *map, const void *key,
		void *value);
int bpf_map_next(const struct bpf *b, const char *map, const void *key,
		 void *next);
/* Runs of all its programs that the kernel skipped (recursion), since 5.12. */
uint64_t bpf_skipped(const struct bpf *b);
size_t bpf_map_bytes(const struct bpf *b);	/* memory of all its maps */

#endif
