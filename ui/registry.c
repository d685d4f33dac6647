// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which panes are there?  In the order of their tabs.
 */
#include <stddef.h>

#include "pane.h"
#include "panes.h"

const struct pane *const pane_table[] = {
	&pane_overview,
	&pane_schedule,
	NULL
};
