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
#include "table.h"
#include "units.h"
#include "words.h"

enum { HEAD_LINES = 1 };

/* "blocked 78±2%": a share and how far its interval reaches, in points. */
static int piece_share(struct surface *s, int x, int y, const char *name,
		       uint64_t part, const struct schedule *sc)
{
	double share = (double)part / (double)sc->w, lo, hi;
	char buf[48], number[16], reach[16] = "";

	if (!part)
		return x;
	snprintf(number, sizeof(number), "%.0f", 100 * share);
	wilson_interval((double)part, (double)sc->w, (double)sc->w2, &lo, &hi);
	if (!sc->exact)
		snprintf(reach, sizeof(reach), "%s%.0f", s->ascii ? "+-" : "±",
			 ceil(100 * wilson_reach(share, lo, hi)));
	snprintf(buf, sizeof(buf), "%s %s%s%%", name,
		 strcmp(number, "0") ? number : "<1", reach);
	return words_piece(s, x, y, 2, ROLE_NORMAL, buf);
}

static int draw_coverage(struct surface *s, int x, int y,
			 const struct schedule *sc)
{
	char buf[160], n[32], lost[32], every[32] = "every one";
	bool is_lost = sc->lost.state == DELTA_OK && sc->lost.diff;

	if (!sc->exact && sc->n)
		snprintf(every, sizeof(every), "1 in %.0f",
			 (double)sc->w / (double)sc->n);
	units_exact(n, sizeof(n), sc->n);
	units_exact(lost, sizeof(lost), sc->lost.diff);
	snprintf(buf, sizeof(buf), "%s stack%s, %s, %s lost%s", n,
		 sc->n == 1 ? "" : "s", every,
		 sc->lost.state == DELTA_OK ? lost : "?",
		 is_lost ? ": less certain" : "");
	if (x + text_width(buf, s->ascii) > s->w)	/* never silent */
		snprintf(buf, sizeof(buf), "%s, %s lost", every,
			 sc->lost.state == DELTA_OK ? lost : "?");
	return words_piece(s, x, y, 2, is_lost ? ROLE_WARN : ROLE_NORMAL, buf);
}

static void draw_totals(struct surface *s, int y, const struct schedule *sc)
{
	char buf[96], rate[32];
	uint64_t known = sc->w - sc->ended;
	int x = s->w < 40 ? 0 : 1;

	if (sc->switches.state == DELTA_OK) {
		units_exact(rate, sizeof(rate),
			    (uint64_t)(delta_rate(sc->switches) + .5));
		snprintf(buf, sizeof(buf), sc->unseen > 0 ?
			 "%s/s seen, %.0f%% hidden by the kernel" :
			 "%s/s exact", rate, 100 * sc->unseen);
		x = words_piece(s, x, y, 2, sc->unseen > 0 ? ROLE_WARN :
				ROLE_LABEL, buf);
	}
	if (!sc->w)
		return;
	x = draw_coverage(s, x, y, sc);
	if (sc->nameless) {
		words_piece(s, x, y, 2, ROLE_WARN, "no names: see doctor");
		return;
	}
	x = piece_share(s, x, y, "blocked", known - sc->preempted -
			sc->yielded - sc->idle, sc);
	x = piece_share(s, x, y, "preempted", sc->preempted, sc);
	x = piece_share(s, x, y, "yielded", sc->yielded, sc);
	piece_share(s, x, y, "idle", sc->idle, sc);
}

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
		draw_totals(s, y++, sc);
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
		.columns = schedule_columns[view->by], .rows = rows, .view = view,
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
		draw_totals(s, 0, rows->schedule);
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
