/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who called the functions that called schedule()?  The stacks of one row
 * merged into a tree, from the source outwards.
 */
#ifndef SCHEDULE_TREE_H
#define SCHEDULE_TREE_H

#include "schedule_rows.h"

enum { TREE_NONE = 0, TREE_ROOT = 1 };

struct schedule_node {
	uint32_t symbol, child, next;	/* child, next: numbers of nodes */
	uint64_t w;
};

struct schedule_tree {		/* zeroed is empty; memory is reused */
	struct schedule_node *node;
	uint32_t n, cap;
};

/* 0 or -ENOMEM; children stand in no order.  Of a row that is a source, the
 * root stands for it; of others, the sources are the root's children. */
int schedule_tree_make(struct schedule_tree *t, struct schedule *s,
		       const struct model *m, uint64_t id);

#endif
