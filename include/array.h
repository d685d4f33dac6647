/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is there room for one more?  Growth of arrays, by doubling.
 */
#ifndef ARRAY_H
#define ARRAY_H

#include <stddef.h>

/*
 * The array with room for n elements of `size` bytes, *cap of them; NULL when
 * memory is short, and then the old one still stands.
 */
void *array_reserve(void *array, size_t n, size_t *cap, size_t size);

#endif
