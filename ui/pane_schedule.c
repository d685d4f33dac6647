// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who calls schedule(), and what does it cost?
 *
 * One line says how many switches there were (exact), how many stacks stand
 * for them and how the switches were; the table says who.  Where there is no
 * table, the reason stands in its place.
 */
#include "pane_schedule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "health.h"
#include "panes.h"
#include "rows.h"
#include "schedule_head.h"
#include "table.h"
#include "units.h"
#include "words.h"

enum { HEAD_LINES = 1 };

/* What is known all the same, why there is no table, and the remedy. */
static void draw_reason(struct surface *s, const struct model *m,
			const struct schedule *sc)
{
	const struct health_item *item = m->newer && m->newer->health ?
		health_why(m->newer->health, "sched", SCHED_SWITCHES, -1) :
		NULL;
	double per_s = delta_rate(model_sum(m, STAT_SWITCHES));
	int x = s->w < 40 ? 0 : 1, w = s->w - 2 * x, y = 0;
	char buf[32];

	if (sc->switches.state == DELTA_OK)
		schedule_head(s, y++, sc);
	else if (!isnan(per_s))
		surface_printf(s, x, y++, w, ROLE_LABEL,
			       "%s/s exact, of all CPUs (/proc/stat)",
			       units_exact(buf, sizeof(buf),
					   (uint64_t)(per_s + .5)));
	if (y && s->h > 4)
		y++;
	if (!m->older) {
		surface_text(s, x, y, w, ROLE_MISSING,
			     "counting: rates come with the next sample");
	} else if (sc->switches.state == DELTA_OK) {
		surface_text(s, x, y, w, ROLE_MISSING,
			     "no stack taken in this window");
	} else {
		surface_text(s, x, y++, w, ROLE_MISSING,
			     "who calls schedule() is not known here:");
		y += words_draw(s, x + 2, y, w - 2, s->h - y, ROLE_MISSING,
				model_why(m, SCHED_SWITCHES, -1));
		if (item)
			words_draw(s, x + 2, y, w - 2, s->h - y, ROLE_NORMAL,
				   item->remedy);
	}
}

static void draw(struct surface *s, const struct model *m, struct view *view)
{
	struct rows own = { 0 }, *rows = view->scratch ? view->scratch : &own;
	struct table t = {
		.columns = schedule_columns(view->by, true),
		.rows = rows, .view = view,
		.pv = &view->p[view->pane], .series = m->series,
		.default_sort = "share",
	};
	int x = s->w < 40 ? 0 : 1;

	rows_reset(rows);
	if (schedule_fill(m, view, rows) < 0) {
		surface_text(s, x, 0, s->w - x, ROLE_WARN, "out of memory");
	} else if (!rows->n) {
		draw_reason(s, m, rows->schedule);
	} else {
		schedule_head(s, 0, rows->schedule);
		t.columns = schedule_columns(view->by,
					     rows->schedule->is_kernels);
		table_draw(s, x, HEAD_LINES, s->w - x, s->h - HEAD_LINES, &t);
	}
	if (rows == &own)
		rows_free(&own);
}

const struct pane pane_schedule = {
	.name = "schedule",
	.title = "Schedule",
	.hotkey = '2',
	.columns = schedule_source_columns,
	.rows = schedule_fill,
	.draw = draw,
	.draw_open = schedule_draw_open,
	.default_sort = "share",
};
