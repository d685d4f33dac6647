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
int bpf_kernel_has(struct bpf *b, const char *name);
/* How many arguments has this tracepoint?  -ENOENT: there is none. */
int bpf_trace_args(struct bpf *b, const char *tracepoint);
void bpf_leave_out(struct bpf *b, const char *program);	/* do not load it */
int bpf_resize(struct bpf *b, const char *map, uint32_t entries);
/* Attach this program to another function of the kernel (fentry, fexit). */
int bpf_retarget(struct bpf *b, const char *program, const char *function);
/* All programs or none; *why names the one refused, with the verifier's last
 * line. */
int bpf_load(struct bpf *b, struct bpf_why *why);

/* ---- any time: the memory of ".rodata" (write before loading), ".data",
 * ".bss", or of an array map made with BPF_F_MMAPABLE (after loading; elements
 * are at multiples of their size rounded up to 8).  NULL: none. */
void *bpf_memory(struct bpf *b, const char *map, size_t *bytes);
/* A variable of such a section; the program declares it static.  NULL: none. */
void *bpf_variable(struct bpf *b, const char *section, const char *name);

/* ---- after bpf_load() ---- */
/* By its section: tracepoint, raw tracepoint, fentry.  -EALREADY: it is. */
int bpf_attach(struct bpf *b, const char *program);
int bpf_attach_perf(struct bpf *b, const char *program, int perf_fd);
void bpf_detach(struct bpf *b, const char *program);
/* Run a raw tracepoint or syscall program now, on this CPU (TEST_RUN). */
int bpf_run(struct bpf *b, const char *program);
/* A descriptor that reads what an iterator program writes; the caller's. */
int bpf_iterate(struct bpf *b, const char *program);
/* Take the records that are there, at most a ring full of them: how many, or
 * -errno; *fill: how full the ring was, 0..1 (may be NULL). */
int bpf_ring_drain(struct bpf *b, const char *map,
		   void (*fn)(void *arg, const void *data, size_t size),
		   void *arg, double *fill);
/* Look up / walk a hash map.  next: key NULL gives the first; -ENOENT: end. */
int bpf_map_get(const struct bpf *b, const char *map, const void *key,
		void *value);
int bpf_map_next(const struct bpf *b, const char *map, const void *key,
		 void *next);
/* Runs of all its programs that the kernel skipped (recursion), since 5.12. */
uint64_t bpf_skipped(const struct bpf *b);
size_t bpf_map_bytes(const struct bpf *b);	/* memory of all its maps */
/* What of it a CPU more would add, where there are ncpu: per-CPU maps, and
 * arrays with one element for each CPU or each pair of them. */
size_t bpf_map_cpu_bytes(const struct bpf *b, unsigned ncpu);

#endif
