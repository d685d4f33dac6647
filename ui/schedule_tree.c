// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who called the functions that called schedule()?
 *
 * Nodes are numbers in one array; children are a list with the one found last
 * in front, since the same callers come again and again.
 */
#include "schedule_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "schedule_side.h"

enum { FIRST_NODES = 128 };

static uint32_t node_new(struct schedule_tree *t, uint32_t symbol)
{
	if (t->n == t->cap) {
		uint32_t cap = t->cap ? 2 * t->cap : FIRST_NODES;
		struct schedule_node *node =
			reallocarray(t->node, cap, sizeof(*node));

		if (!node)
			return TREE_NONE;
		t->node = node;
		t->cap = cap;
	}
	t->node[t->n] = (struct schedule_node){ .symbol = symbol };
	return t->n++;
}

static uint32_t child_get(struct schedule_tree *t, uint32_t parent,
			  uint32_t symbol)
{
	uint32_t i = t->node[parent].child, before = TREE_NONE;

	while (i && t->node[i].symbol != symbol) {
		before = i;
		i = t->node[i].next;
	}
	if (i && !before)
		return i;
	if (i)
		t->node[before].next = t->node[i].next;
	else
		i = node_new(t, symbol);
	if (!i)
		return TREE_NONE;
	t->node[i].next = t->node[parent].child;
	t->node[parent].child = i;
	return i;
}

static int tree_add(struct schedule_tree *t, const struct name *stack,
		    unsigned depth, uint64_t w)
{
	uint32_t at = TREE_ROOT;

	t->node[TREE_ROOT].w += w;
	if (!stack || stack->kind != NAME_STACK)
		return 0;
	for (unsigned i = depth; i < stack->len; i++) {
		at = child_get(t, at, stack->stack.frame[i]);
		if (!at)
			return -ENOMEM;
		t->node[at].w += w;
	}
	return 0;
}

int schedule_tree_make(struct schedule_tree *t, struct schedule *s,
		       const struct model *m, uint64_t id)
{
	struct schedule_walk walk;
	struct schedule_pair p;
	unsigned skip = !schedule_side_is_sources(s, id);
	int err = 0;

	t->n = 0;
	node_new(t, 0);			/* number 0 is no node */
	if (!node_new(t, 0))
		return -ENOMEM;
	schedule_walk(&walk, m);
	while (!err && schedule_next(&walk, &p))
		if (schedule_id(s, m, &p) == id)
			err = tree_add(t, names_get(m->newer->names, p.stack),
				       s->from.depth + skip, p.w);
	return err;
}
