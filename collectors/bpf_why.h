/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why is a BPF program refused here, in words, and what would help?
 */
#ifndef COLLECTORS_BPF_WHY_H
#define COLLECTORS_BPF_WHY_H

#include "bpf.h"

/* The user asked for the other engine: -ECANCELED. */
int bpf_why_not_asked(struct bpf_why *why);
/* bpf(2) itself failed with err (-errno) for a program that does nothing. */
void bpf_why_refused(struct bpf_why *why, const struct env *env, int err);
/* Has the kernel what programs need of it: no lockdown, types?  0 or -errno. */
int bpf_why_kernel(struct bpf_why *why, const struct env *env);
/* A program failed to load with err; log is the verifier's, may be "". */
void bpf_why_program(struct bpf_why *why, int err, const char *program,
		     const char *log);
/* err, and what it is about; remedy may be NULL. */
void bpf_why_set(struct bpf_why *why, int err, const char *remedy,
		 const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* The line of a verifier's log that says what is wrong; buf when none. */
const char *bpf_why_line(const char *log, char *buf, size_t n);
/* Is this capability among the effective ones of this process? */
int bpf_why_capable(const struct env *env, unsigned cap);

#endif
