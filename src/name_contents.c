/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When are two names the same?
 */
#include <string.h>
#include "hash.h"
#include "name_contents.h"

uint32_t name_hash(const struct name *n)
{
	uint64_t key[2] = { n->kind, 0 };

	switch (n->kind) {
	case NAME_STACK:
		return hash_bytes(n->stack.state + 256u, n->stack.frame,
				  n->len * sizeof(uint32_t));
	case NAME_TASK:
		key[0] |= (uint64_t)(uint32_t)n->task.tid << 32;
		key[1] = n->task.start;
		return hash_bytes(NAME_TASK, key, sizeof(key));
	case NAME_SYMBOL:
		return hash_bytes(n->symbol.module * 8 + n->symbol.flags,
				  n->text, n->len);
	default:
		return hash_bytes(n->kind, n->text, n->len);
	}
}

int name_is(const struct name *a, const struct name *b)
{
	if (a->kind != b->kind)
		return 0;
	switch (a->kind) {
	case NAME_TASK:
		return a->task.tid == b->task.tid &&
		       a->task.start == b->task.start;
	case NAME_STACK:
		return a->len == b->len && a->stack.state == b->stack.state &&
		       !memcmp(a->stack.frame, b->stack.frame,
			       a->len * sizeof(uint32_t));
	case NAME_SYMBOL:
		if (a->symbol.module != b->symbol.module ||
		    a->symbol.flags != b->symbol.flags)
			return 0;
		break;
	}
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

int name_same(const struct name *a, const struct name *b)
{
	if (!name_is(a, b))
		return 0;
	return a->kind != NAME_TASK ||
	       (a->task.tgid == b->task.tgid && a->len == b->len &&
		!memcmp(a->text, b->text, a->len));
}
