/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What works here, what does not, why, and what is the remedy?
 */
#ifndef DOCTOR_H
#define DOCTOR_H

#include <stdio.h>
#include "collector.h"
#include "source.h"

/* Take two samples of a live source and print its health; 0 or -errno. */
int doctor_run(FILE *f, struct source *src,
	       const struct collector *const *table);
/* Every metric, dynamic ones after a sample of `src` has named them. */
int doctor_list_metrics(FILE *f, struct source *src);

#endif
