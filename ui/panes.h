/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line per pane_*.c; registry.c puts them in order.
 */
#ifndef PANES_H
#define PANES_H

#include "pane.h"

extern const struct pane pane_overview, pane_schedule;

#endif
