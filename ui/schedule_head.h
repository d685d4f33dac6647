/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line above the table of the Schedule pane.
 */
#ifndef SCHEDULE_HEAD_H
#define SCHEDULE_HEAD_H

#include "schedule_rows.h"
#include "surface.h"

void schedule_head(struct surface *s, int y, const struct schedule *sc);

#endif
