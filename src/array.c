/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is there room for one more?
 */
#include <stdlib.h>
#include "array.h"

enum { ELEMENTS_FIRST = 16 };

void *array_reserve(void *array, size_t n, size_t *cap, size_t size)
{
	size_t more = *cap ? *cap : ELEMENTS_FIRST;
	void *bigger;

	if (array && n <= *cap)
		return array;
	while (more < n)
		more *= 2;
	bigger = reallocarray(array, more, size);
	if (bigger)
		*cap = more;
	return bigger;
}
