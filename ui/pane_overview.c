// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is it the scheduler, the memory, the CPUs, the hardware?
 *
 * Blocks in columns, as many as the width holds.  Their places depend on the
 * size alone; where the height is short the longest block loses lines first,
 * and where it is very short each block is one line.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "overview.h"
#include "panes.h"
#include "words.h"

enum { COLUMNS_MAX = 4, STACKED = 4, HEADLINE_H = 10, LABEL = 12 };
enum { NOTE_MIN = 8, NAME_MAX_W = 26 };

struct plan_column {
	int min, max;		/* width */
	int n;
	enum overview_block block[STACKED];
};

static const struct plan {
	int from;		/* of surfaces this wide or wider */
	int n;
	struct plan_column column[COLUMNS_MAX];
} plans[] = {
	{ 150, 4, {
		{ 40, 44, 1, { BLOCK_COUNTERS } },
		{ 20, 22, 2, { BLOCK_CPU, BLOCK_VMSTAT } },
		{ 30, 36, 4, { BLOCK_RUNQ, BLOCK_DELAY, BLOCK_PRESSURE,
			       BLOCK_INTERRUPTS } },
		{ 50, 64, 1, { BLOCK_SCHEDULE } } } },
	{ 80, 3, {
		{ 34, 44, 2, { BLOCK_COUNTERS, BLOCK_SCHEDULE } },
		{ 18, 22, 2, { BLOCK_CPU, BLOCK_VMSTAT } },
		{ 23, 36, 4, { BLOCK_RUNQ, BLOCK_DELAY, BLOCK_PRESSURE,
			       BLOCK_INTERRUPTS } } } },
	{ 56, 2, {
		{ 28, 36, 2, { BLOCK_CPU, BLOCK_SCHEDULE } },
		{ 24, 36, 4, { BLOCK_RUNQ, BLOCK_DELAY, BLOCK_PRESSURE,
			       BLOCK_VMSTAT } } } },
};

/* ---- one block -------------------------------------------------------------------- */

struct shape {			/* of a block at some width */
	int name, cells, note;	/* columns, number, columns */
};

/* The block as it is today. */
static struct overview_info info_of(const struct overview *o,
				    enum overview_block b)
{
	struct overview_info info = overview_info[b];

	if (b == BLOCK_RUNQ && !o->has_depth_p99)
		info.cell[OVERVIEW_CELLS - 1] = NULL;
	return info;
}

static int cells_of(const struct overview_info *info)
{
	int n = 0;

	while (n < OVERVIEW_CELLS && info->cell[n])
		n++;
	return n;
}

static struct shape shape_of(const struct overview_info *info, int w)
{
	struct shape s = { .cells = cells_of(info) };
	int spare;

	while (s.cells > info->cells_min && w - s.cells * info->cell_width <
	       info->name_width)
		s.cells--;
	s.name = w - s.cells * info->cell_width;
	spare = s.name - info->name_width - 1;
	if (!info->note || spare < NOTE_MIN)
		return s;
	if (s.name - 1 - NAME_MAX_W >= NOTE_MIN + 4)
		s.note = s.name - 1 - NAME_MAX_W;
	else
		s.note = spare < NOTE_MIN + 4 ? spare : NOTE_MIN + 4;
	s.name -= s.note + 1;
	return s;
}

static void draw_title(struct surface *s, int x, int y, int w,
		       const struct overview_info *info, const char *title)
{
	struct shape at = shape_of(info, w);

	surface_fill(s, x, y, w, 1, ROLE_HEADER, ' ');
	for (int i = 0; i < at.cells; i++)
		surface_right(s, x + at.name + i * info->cell_width, y,
			      info->cell_width, ROLE_HEADER, info->cell[i]);
	surface_text(s, x, y, w, ROLE_HEADER, title);
	if (at.note)
		surface_text(s, x + w - at.note, y, at.note, ROLE_HEADER,
			     info->note);
}

/* "stalled-cycles-frontend" is an event's name; "frontend" is what matters. */
static const char *short_name(const char *name, int w)
{
	const char *common = "stalled-cycles-";

	if ((int)strlen(name) > w && !strncmp(name, common, strlen(common)))
		return name + strlen(common);
	return name;
}

static bool is_shown(const struct overview_line *l)
{
	return !l->is_optional || l->f[0].form != FIGURE_ABSENT;
}

static void draw_line(struct surface *s, int x, int y, int w,
		      const struct overview_info *info,
		      const struct overview_line *l)
{
	struct shape at = shape_of(info, w);
	char buf[32];

	surface_text(s, x, y, at.name, ROLE_LABEL, short_name(l->name, at.name));
	for (int i = 0; i < at.cells; i++)
		surface_right(s, x + at.name + i * info->cell_width, y,
			      info->cell_width,
			      l->f[i].form == FIGURE_ABSENT ? ROLE_MISSING :
							      ROLE_NORMAL,
			      figure_text(buf, sizeof(buf), &l->f[i]));
	surface_text(s, x + w - at.note, y, at.note,
		     l->f[0].form == FIGURE_ABSENT ? ROLE_MISSING :
						     ROLE_NORMAL, l->note);
}

/* ---- columns of blocks -------------------------------------------------------------- */

struct drawing {
	struct surface *s;
	const struct model *m;
	const struct overview *o;
};

static int words_height(int w, const char *words)
{
	struct surface none = { .w = w };

	return words_draw(&none, 0, 0, w, 3, ROLE_NORMAL, words);
}

/* Lines below the title that block b would like to have. */
static int block_height(const struct drawing *d, enum overview_block b, int w)
{
	int h = b == BLOCK_RUNQ ? overview_strip_height(d->m, w, d->s->h) : 0;
	int most = b == BLOCK_SCHEDULE ? d->s->h / 3 : d->s->h;

	for (int i = d->o->first[b]; i < d->o->first[b + 1]; i++)
		h += d->o->line[i].words ?
		     words_height(w, d->o->line[i].words) :
		     is_shown(&d->o->line[i]);
	return h < most ? h : most;
}

static void draw_block(const struct drawing *d, enum overview_block b, int x,
		       int y, int w, int h)
{
	const struct overview_info today = info_of(d->o, b), *info = &today;
	int strip = b == BLOCK_RUNQ ? overview_strip_height(d->m, w, d->s->h) : 0;
	int end = y + 1 + h - strip;

	draw_title(d->s, x, y++, w, info, d->o->title[b]);
	for (int i = d->o->first[b]; i < d->o->first[b + 1] && y < end; i++) {
		const struct overview_line *l = &d->o->line[i];

		if (l->words)
			y += words_draw(d->s, x, y, w, end - y < 3 ?
					end - y : 3, ROLE_MISSING, l->words);
		else if (is_shown(l))
			draw_line(d->s, x, y++, w, info, l);
	}
	if (strip)
		overview_strip(d->s, x, y, w, d->m);
}

/* Take lines from the longest block until all fit; then leave blocks out. */
static int fit_blocks(const struct plan_column *c, int *h, int room)
{
	int n = c->n;

	for (;;) {
		int sum = 2 * n - 1, longest = -1;

		for (int i = 0; i < n; i++) {
			sum += h[i];
			if (h[i] > overview_info[c->block[i]].reserve &&
			    (longest < 0 || h[i] > h[longest]))
				longest = i;
		}
		if (sum <= room || n == 1)
			return n;
		if (longest >= 0)
			h[longest]--;
		else
			n--;
	}
}

static void draw_column(const struct drawing *d, const struct plan_column *c,
			int x, int w)
{
	int h[STACKED], n, y = 0;

	for (int i = 0; i < c->n; i++)
		h[i] = block_height(d, c->block[i], w);
	n = fit_blocks(c, h, d->s->h);
	for (int i = 0; i < n; i++) {
		draw_block(d, c->block[i], x, y, w, h[i]);
		y += h[i] + 2;
	}
}

static void draw_columns(const struct drawing *d, const struct plan *p)
{
	int gap = d->s->w >= 100 ? 4 : 2, x = 1, w;
	int spare = d->s->w - 1 - gap * (p->n - 1);

	for (int i = 0; i < p->n; i++)
		spare -= p->column[i].min;
	for (int i = 0; i < p->n; i++) {
		const struct plan_column *c = &p->column[i];
		int more = spare / (p->n - i);

		w = c->min + (more < c->max - c->min ? more : c->max - c->min);
		spare -= w - c->min;
		draw_column(d, c, x, w);
		x += w + gap;
	}
}

/* ---- one line per block -------------------------------------------------------------- */

static int draw_piece(struct surface *s, int x, int y, const char *name,
		      const struct overview_figure *f)
{
	char buf[80], value[32];

	figure_text(value, sizeof(value), f);
	snprintf(buf, sizeof(buf), "%s%s%s", name, name[0] ? " " : "", value);
	return words_piece(s, x, y, 2, f->form == FIGURE_ABSENT ?
			   ROLE_MISSING : ROLE_NORMAL, buf);
}

/* A share and its interval are one piece. */
static int draw_source(struct surface *s, int x, int y,
		       const struct overview_line *l)
{
	char buf[96], share[16], half[16];

	snprintf(buf, sizeof(buf), "%s %s ±%s", l->name,
		 figure_text(share, sizeof(share), &l->f[0]),
		 figure_text(half, sizeof(half), &l->f[1]));
	return words_piece(s, x, y, 2, ROLE_NORMAL, buf);
}

static void draw_headline(const struct drawing *d, enum overview_block b, int y)
{
	const struct overview_info today = info_of(d->o, b), *info = &today;
	const struct overview_line *l = &d->o->line[d->o->first[b]];
	const struct overview_line *end = &d->o->line[d->o->first[b + 1]];
	int x = LABEL;

	surface_text(d->s, 0, y, LABEL - 1, ROLE_LABEL, info->title);
	if (l < end && l->words) {
		surface_text(d->s, x, y, d->s->w - x, ROLE_MISSING, l->words);
		return;
	}
	if (b == BLOCK_RUNQ) {
		for (int i = 0; l < end && i < cells_of(info); i++)
			x = draw_piece(d->s, x, y, info->cell[i], &l->f[i]);
		return;
	}
	for (; l < end && !l->words; l++)
		x = l->f[0].form == FIGURE_CPUS ? x :	/* says little */
		    b == BLOCK_SCHEDULE ? draw_source(d->s, x, y, l) :
		    draw_piece(d->s, x, y, l->name, &l->f[0]);
	if (d->o->title[b] != info->title)
		words_piece(d->s, x, y, 0, ROLE_NORMAL,
			    d->o->title[b] + strlen(info->title) + 1);
}

static void draw(struct surface *s, const struct model *m, struct view *view)
{
	struct rows own = { 0 }, *rows = view->scratch ? view->scratch : &own;
	struct overview o;
	struct drawing d = { s, m, &o };
	size_t i = 0, n = sizeof(plans) / sizeof(*plans);

	rows_reset(rows);
	overview_make(&o, m, rows);
	while (i < n && plans[i].from > s->w)
		i++;
	if (i < n && s->h >= HEADLINE_H)
		draw_columns(&d, &plans[i]);
	else
		for (int b = 0; b < BLOCK_COUNT; b++)
			draw_headline(&d, b, b);
	if (rows == &own)
		rows_free(&own);
}

const struct pane pane_overview = {
	.name = "overview",
	.title = "Overview",
	.hotkey = '1',
	.columns = overview_columns,
	.rows = overview_fill,
	.draw = draw,
};
