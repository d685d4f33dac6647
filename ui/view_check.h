/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the pane and column that the options name exist?
 */
#ifndef VIEW_CHECK_H
#define VIEW_CHECK_H

#include "options.h"

/* 0, or exit status 2 after one line on stderr. */
int view_check(const struct options *opt);

#endif
