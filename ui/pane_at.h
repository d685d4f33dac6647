/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which pane stands at which place of pane_table?
 */
#ifndef PANE_AT_H
#define PANE_AT_H

#include "pane.h"

/* NULL past the last. */
static inline const struct pane *pane_at(unsigned index)
{
	for (const struct pane *const *p = pane_table; *p; p++)
		if (!index--)
			return *p;
	return NULL;
}

#endif
