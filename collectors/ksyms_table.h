/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does the text of a kallsyms file say?  Code symbols only, sorted by
 * address, and between them the holes: places where no symbol is right.
 */
#ifndef COLLECTORS_KSYMS_TABLE_H
#define COLLECTORS_KSYMS_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct ksym {
	uint64_t addr;
	uint32_t name;		/* offset in text; 0: a hole begins here */
	uint16_t module;	/* index into module, 0 = vmlinux */
	uint16_t rank;		/* of equal addresses the lowest is the name */
};

struct ksyms_table {
	struct ksym *sym;	/* by (addr, rank) */
	size_t n, cap;
	char *text;		/* names, each NUL ended; [0] is "" */
	size_t ntext, captext;
	uint32_t *module;	/* offsets in text; [0] is "" */
	size_t nmodule, capmodule;
	size_t seen;		/* code symbols, those at address 0 too */
	size_t functions;	/* code symbols that are no markers */
	/* [start, end) of the scheduler's and the locks' code; 0 unknown */
	uint64_t sched[2], lock[2];
};

/* No function is longer: an address farther from its symbol is in a hole.
 * (6.18 x86-64: the longest is 50 KiB; the alignment gaps are 1 MiB.) */
enum { KSYM_LONGEST = 128 << 10 };

/* 0 or -ENOMEM.  Lines that are no symbols are skipped. */
int ksyms_table_parse(struct ksyms_table *t, const char *text, size_t len);
void ksyms_table_free(struct ksyms_table *t);	/* accepts zeroed */
/* The best symbol that holds addr, NULL in a hole. */
const struct ksym *ksyms_table_find(const struct ksyms_table *t,
				    uint64_t addr);
const struct ksym *ksyms_table_named(const struct ksyms_table *t,
				     const char *name);	/* NULL: none */
/* in_sched_functions() of it, whose name is `folded` (ksyms_fold()). */
int ksyms_table_is_sched(const struct ksyms_table *t, const struct ksym *s,
			 const char *folded);

#endif
