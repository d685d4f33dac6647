/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does the whole screen look like?
 *
 * Invariant: a pane draws into a surface of its own and can reach nothing
 * around it.
 */
#include <string.h>
#include "keys.h"
#include "layout.h"
#include "page.h"
#include "pane_at.h"

enum { RULE = 0x2500 };

static int tabs_width(unsigned current, int full)
{
	const struct pane *pane;
	int sum = 0;
	unsigned i;

	for (i = 0; (pane = pane_at(i)); i++)
		sum += (full || i == current ? (int)strlen(pane->title) + 2 :
					       1) + 2;
	return sum;
}

/* Where the titles do not fit, the numbers of the other panes stay. */
static void draw_tabs(struct surface *s, int y, const struct view *v)
{
	int full = tabs_width(v->pane, 1) <= s->w, x = 1;
	const struct pane *pane;
	unsigned i;

	for (i = 0; (pane = pane_at(i)); i++) {
		enum role role = i == v->pane ? ROLE_TAB_ON : ROLE_TAB;

		x += surface_printf(s, x, y, s->w - x, role, "%c",
				    pane->hotkey);
		if (full || i == v->pane)
			x += surface_printf(s, x, y, s->w - x, role, " %s",
					    pane->title);
		x += 2;
	}
}

static void draw_pane(struct surface *s, const struct model *m, struct view *v)
{
	const struct pane *pane = pane_at(v->pane);

	if (v->overlay == OVERLAY_HELP) {
		overlay_help(s, v);
		return;
	}
	if (!pane)
		return;
	if (v->p[v->pane].opened && pane->draw_open)
		pane->draw_open(s, m, v);
	else
		pane->draw(s, m, v);
	if (v->overlay == OVERLAY_SORT)
		overlay_sort(s, v);
	if (v->overlay == OVERLAY_FILTER && s->h && (s->w < 40 || s->h < 3)) {
		surface_fill(s, 0, s->h - 1, s->w, 1, ROLE_NORMAL, ' ');
		overlay_hints(s, s->h - 1, v);
	}
}

static void copy_pane(struct page *p, int y)
{
	int i;

	for (i = 0; i < p->pane.h && y + i < p->s.h; i++)
		memcpy(&p->s.cell[(size_t)(y + i) * p->s.w],
		       &p->pane.cell[(size_t)i * p->pane.w],
		       (size_t)p->pane.w * sizeof(*p->pane.cell));
}

int page_draw(struct page *p, int w, int h, const struct model *m,
	      struct view *v)
{
	struct layout_page at;
	int err;

	layout_page(w, h, &at);
	err = surface_resize(&p->pane, w, at.pane_h);
	if (!err)
		err = surface_resize(&p->s, w, h);
	if (err)
		return err;
	p->s.ascii = p->pane.ascii = v->ascii;
	if (at.status >= 0)
		head_status(&p->s, at.status, m, v);
	if (at.headline >= 0)
		head_numbers(&p->s, at.headline, m);
	if (at.tabs >= 0)
		draw_tabs(&p->s, at.tabs, v);
	if (at.rule >= 0)
		surface_fill(&p->s, 0, at.rule, w, 1, ROLE_RULE, RULE);
	if (at.foot >= 0)
		surface_fill(&p->s, 0, at.foot, w, 1, ROLE_RULE, RULE);
	if (at.pane >= 0) {
		draw_pane(&p->pane, m, v);
		copy_pane(p, at.pane);
	}
	if (at.hint >= 0)
		overlay_hints(&p->s, at.hint, v);
	return 0;
}

void page_free(struct page *p)
{
	surface_free(&p->s);
	surface_free(&p->pane);
}
