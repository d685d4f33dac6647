/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When are two names the same?  Ids and versions say nothing here.
 */
#ifndef NAME_CONTENTS_H
#define NAME_CONTENTS_H

#include <stdint.h>
#include "names.h"

/* Of what makes it the one entry: of a task tid and start time alone. */
uint32_t name_hash(const struct name *n);
/* Are these the same thing (for a task: whatever it is called now)? */
int name_is(const struct name *a, const struct name *b);
/* The same thing, and defined alike. */
int name_same(const struct name *a, const struct name *b);

#endif
