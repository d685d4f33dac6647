/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which kernel function is at this address?  /proc/kallsyms, read once and
 * again when an address falls outside all that is known (module, BPF program).
 */
#ifndef COLLECTORS_KSYMS_H
#define COLLECTORS_KSYMS_H

#include <stddef.h>
#include <stdint.h>
#include "collector.h"

struct ksyms;

enum ksyms_state {
	KSYMS_OK, KSYMS_HIDDEN /* all addresses zero: kptr_restrict */,
	KSYMS_ABSENT /* no file */, KSYMS_EMPTY
};

/* Parse a table's text; names are interned on look-up only. 0 or -ENOMEM. */
int ksyms_parse(struct ksyms **out, const char *text, size_t len);
/* Read kallsyms below proc_fd, which must outlive *out.  *state says how good
 * it is; with any but KSYMS_OK the table is empty and all is hex.  0 or -errno
 * (out of memory, a read error). */
int ksyms_load(struct ksyms **out, int proc_fd, enum ksyms_state *state);
/* The same, of env's proc_fd, one table for all collectors of that env: read
 * by the first, freed with the last. */
int ksyms_share(struct ksyms **out, const struct env *env,
		enum ksyms_state *state);
void ksyms_free(struct ksyms *k);	/* accepts NULL */
size_t ksyms_count(const struct ksyms *k);
/*
 * Symbol id (names_symbol) of the function holding addr; suffixes folded
 * (.isra.N .part.N .constprop.N .llvm.N, .cold is its parent), __pfx_ and
 * data skipped, SYMBOL_SCHED by the kernel's in_sched_functions() rule;
 * an address in a hole gives a SYMBOL_BARE hex name.  0: out of memory.
 */
uint32_t ksyms_symbol(struct ksyms *k, struct names *n, uint64_t addr);
/* Stack id of these return addresses, innermost first. */
uint32_t ksyms_stack(struct ksyms *k, struct names *n, uint8_t state,
		     const uint64_t *ip, size_t nip);
/* Fold suffixes of one symbol's text into buf; returns buf. */
char *ksyms_fold(const char *symbol, char *buf, size_t n);
/* The name as the kernel has it, "" in a hole; never reads symbols again. */
const char *ksyms_name(const struct ksyms *k, uint64_t addr);
/* Address of an exactly named function, 0 if none. */
uint64_t ksyms_address(const struct ksyms *k, const char *symbol);

#endif
