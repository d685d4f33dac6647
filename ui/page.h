/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does the whole screen look like?  Pure: model and view to cells, at any
 * size from 0x0 on.
 */
#ifndef PAGE_H
#define PAGE_H

#include "model.h"
#include "surface.h"
#include "view.h"

struct page {			/* zeroed to begin with */
	struct surface s;	/* the result */
	struct surface pane;	/* what the pane draws into */
};

/* 0 or -ENOMEM (the page before is kept). */
int page_draw(struct page *p, int w, int h, const struct model *m,
	      struct view *v);
void page_free(struct page *p);

/* The first lines; also used by batch.c. */
void head_status(struct surface *s, int y, const struct model *m,
		 const struct view *v);
void head_numbers(struct surface *s, int y, const struct model *m);
/* The same numbers with all their digits. */
void head_line(char *buf, size_t n, const struct model *m);

/* Drawn into all of *s. */
void overlay_help(struct surface *s, struct view *v);
void overlay_sort(struct surface *s, const struct view *v);
/* One line: the prompt, the answer to the last key or the hints. */
void overlay_hints(struct surface *s, int y, const struct view *v);

#endif
