// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does the overview say as rows, for text and JSON?  One row per figure;
 * a share and its interval stay together, in the note.
 */
#include "overview.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { COL_BLOCK, COL_NAME, COL_VALUE, COL_UNIT, COL_PER_S, COL_NOTE };

const struct column overview_columns[] = {
	[COL_BLOCK] = { "block", "BLOCK", "the part of the overview", 10, 0, 0,
		FORM_TEXT, 1 },
	[COL_NAME] = { "name", "NAME", "what was counted or read", 26, 1, 0,
		FORM_TEXT, 1 },
	[COL_VALUE] = { "value", "VALUE",
		"as read now, or what was added in the window", 14, 0, 0,
		FORM_COUNT, -1 },
	[COL_UNIT] = { "unit", "UNIT", "of the value", 5, 0, 0, FORM_TEXT, 1 },
	[COL_PER_S] = { "per_s", "/s", "value per second", 12, 0, 1,
		FORM_COUNT, -1 },
	[COL_NOTE] = { "note", "NOTE", "a ratio, a part of all, or the reason "
		"why there is no value", 26, 2, 2, FORM_TEXT, 1 },
	{ 0 }
};

static const struct {
	const char *unit;
	double scale;
} units[] = {
	[FIGURE_NONE] = { "", 1 },
	[FIGURE_ABSENT] = { "", 1 },
	[FIGURE_RATE] = { "", 1 },
	[FIGURE_SHARE] = { "%", 100 },
	[FIGURE_PLUS_MINUS] = { "%", 100 },
	[FIGURE_NS] = { "ns", 1 },
	[FIGURE_NS_RATE] = { "ns", 1 },
	[FIGURE_DEPTH] = { "tasks", 1 },
	[FIGURE_CPUS] = { "cpus", 1 },
	[FIGURE_COUNT] = { "", 1 },
};

static uint64_t id_of(enum overview_block b, const char *name, int cell)
{
	uint64_t hash = 0xcbf29ce484222325ull ^ (uint64_t)b << 8 ^
			(uint64_t)cell;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3ull;
	return hash;
}

static void set_value(struct row *row, const struct overview_figure *f)
{
	double v = f->v * units[f->form].scale;

	row->v[COL_UNIT] = value_text(units[f->form].unit);
	row->v[COL_PER_S] = value_absent(f->form == FIGURE_ABSENT ? f->why :
					 "not a rate");
	if (f->form == FIGURE_ABSENT) {
		row->v[COL_VALUE] = value_absent(f->why);
		return;
	}
	if (f->form == FIGURE_NS_RATE)
		row->v[COL_VALUE] = value_absent("only a rate");
	if (f->form == FIGURE_RATE || f->form == FIGURE_NS_RATE)
		row->v[COL_PER_S] = value_real(v);
	if (f->form == FIGURE_RATE)
		row->v[COL_VALUE] = value_u64(f->total);
	else if (f->form == FIGURE_COUNT)
		row->v[COL_VALUE] = value_u64((uint64_t)v);
	else if (f->form != FIGURE_NS_RATE)
		row->v[COL_VALUE] = value_real(v);
}

static const char *note_of(struct rows *rows, const struct overview_line *l,
			   const struct overview_figure *f, bool source)
{
	char share[16], half[16];

	if (source)
		return rows_printf(rows, "%s ±%s  %s",
				   figure_text(share, sizeof(share), &l->f[0]),
				   figure_text(half, sizeof(half), &l->f[1]),
				   l->note);
	if (f->form == FIGURE_ABSENT && f->why)
		return rows_text(rows, f->why);
	return rows_text(rows, l->note);
}

static void add_figure(struct rows *rows, enum overview_block b,
		       const struct overview_line *l, int cell)
{
	const char *const *title = overview_info[b].cell;
	bool source = b == BLOCK_SCHEDULE, single = !title[1] || source;
	struct row *row;

	if (l->f[cell].form == FIGURE_NONE)
		return;
	row = rows_add(rows, id_of(b, l->name, cell));
	if (!row)
		return;
	row->v[COL_BLOCK] = value_text(overview_info[b].name);
	row->v[COL_NAME] = value_text(rows_printf(rows, "%s%s%s", l->name,
						  single ? "" : " ",
						  single ? "" : title[cell]));
	set_value(row, &l->f[cell]);
	row->v[COL_NOTE] = value_text(note_of(rows, l, &l->f[cell], source));
}

static void add_words(struct rows *rows, enum overview_block b,
		      const char *words)
{
	struct row *row = rows_add(rows, id_of(b, "", 0));

	if (!row)
		return;
	row->v[COL_BLOCK] = value_text(overview_info[b].name);
	row->v[COL_VALUE] = value_absent(words);
	row->v[COL_NOTE] = value_text(rows_text(rows, words));
}

int overview_fill(const struct model *m, const struct view *view,
		  struct rows *rows)
{
	struct overview o;

	(void)view;
	overview_make(&o, m, rows);
	for (int b = 0; b < BLOCK_COUNT; b++)
		for (int i = o.first[b]; i < o.first[b + 1]; i++) {
			const struct overview_line *l = &o.line[i];

			if (l->words)
				add_words(rows, b, l->words);
			for (int c = b == BLOCK_SCHEDULE ? 2 : 0;
			     c < OVERVIEW_CELLS && !l->words; c++)
				add_figure(rows, b, l, c);
		}
	return rows->err;
}
