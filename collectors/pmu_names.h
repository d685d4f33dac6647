/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events do the PMUs of this box have, and how does the kernel take
 * them?  pmu_names.c alone includes libpfm4.
 */
#ifndef COLLECTORS_PMU_NAMES_H
#define COLLECTORS_PMU_NAMES_H

#include <stddef.h>
#include <stdio.h>
#include "perf.h"

/*
 * The event named as libpfm4 does (PMU::EVENT:UMASK:modifier), as perf's
 * usual ones (cycles, dTLB-load-misses) or raw (rHEX); who is counted may be
 * one word: cycles:uk.  0; -ENOENT: no such event; -EINVAL: a part of it is
 * wrong; -ENOSYS: no libpfm4.  Words in why.
 */
int pmu_names_code(const char *name, struct perf_code *code, char *why,
		   size_t nwhy);
/*
 * A line for each event and unit mask of the PMUs present whose name matches:
 * "name description".  Returns how many, or -errno.
 */
long pmu_names_list(FILE *f, const char *pattern);
/*
 * Does the name match?  A pattern with * ? or [ as the shell does, any other
 * as a part of the name; case is ignored, NULL and "" match all.
 */
int pmu_names_match(const char *name, const char *pattern);
/* One line of such a list; control characters of the text become blanks. */
void pmu_names_line(FILE *f, const char *name, const char *text);

#endif
