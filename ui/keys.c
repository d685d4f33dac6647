/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which keys are there, where do they work and what do they say of themselves?
 *
 * Invariants: the first entry that has the key and works here and now is
 * taken; a key that has none changes nothing.
 */
#include <string.h>
#include "act.h"
#include "keys.h"
#include "pane_at.h"
#include "present.h"

enum { WALKING = IN_TABLE | IN_OPEN | IN_HELP };

const struct key key_table[] = {
	/* typing comes first: it takes nearly every key */
	{ { PRESS_ENTER, '\n' }, 0, "Enter", "Enter\tkeep", NULL, IN_FILTER, 1,
	  act_leave },
	{ { PRESS_ESC }, 0, "Esc", "Esc\tclear", NULL, IN_FILTER, 2,
	  act_drop_filter },
	{ { PRESS_BACKSPACE, '\b', PRESS_CTRL_U }, 0, "Backspace", NULL, NULL,
	  IN_FILTER, 0, act_rub },
	{ { PRESS_UP, PRESS_DOWN }, 0, "Up Down", NULL, NULL, IN_FILTER, 0,
	  act_walk },
	{ { ' ' }, 0x10ffff, "text", NULL, NULL, IN_FILTER, 0, act_type },

	{ { PRESS_UP, 'k' }, 0, "k Up", "Up Down\tchoose", NULL, IN_SORT, 2,
	  act_pick },
	{ { PRESS_DOWN, 'j' }, 0, "j Down", NULL, NULL, IN_SORT, 0, act_pick },
	{ { PRESS_ENTER, '\n', ' ' }, 0, "Enter", "Enter\tsort", NULL, IN_SORT,
	  1, act_picked },
	{ { PRESS_ESC, 's', 'q' }, 0, "Esc", "Esc\tleave", NULL, IN_SORT, 3,
	  act_leave },

	{ { PRESS_ESC, '?', 'q' }, 0, "Esc", "Esc\tleave", NULL, IN_HELP, 1,
	  act_leave },
	{ { 'h', PRESS_F1, PRESS_ENTER }, 0, "h", NULL, NULL, IN_HELP, 0,
	  act_leave },

	{ { '?', 'h', PRESS_F1 }, 0, "? h F1", "?\thelp",
	  "this help", IN_PAGE, 0, act_help },
	{ { '1' }, '9', "1 .. 9", NULL,
	  "the pane with that number", IN_PAGE, 0, act_hotkey },
	{ { PRESS_TAB, PRESS_RIGHT }, 0, "Tab Right", NULL,
	  "the next pane", IN_PAGE, 0, act_tab },
	{ { PRESS_BACKTAB, PRESS_LEFT }, 0, "Shift-Tab Left", NULL,
	  "the pane before", IN_PAGE, 0, act_back_tab },
	{ { PRESS_ESC, PRESS_BACKSPACE, '\b' }, 0, "Esc Backspace", "Esc\tback",
	  "back to the table", IN_OPEN, 1, act_back },
	{ { '/' }, 0, "/", "/\tfilter",
	  "show only rows whose text holds what is typed", IN_TABLE, 4,
	  act_filter },
	{ { PRESS_ESC, PRESS_BACKSPACE, '\b' }, 0, "Esc Backspace",
	  "Esc\tall rows", "clear the filter", IN_FILTERED, 2, act_back },
	{ { 's' }, 0, "s", "s\tsort",
	  "choose the column to sort by", IN_TABLE, 5, act_sort },
	{ { '<', '>' }, 0, "< >", NULL,
	  "sort by the column to the left, to the right", IN_TABLE, 0,
	  act_sort_next },
	{ { 'r', 'I' }, 0, "r I", "r\treverse",
	  "turn the order of the rows round", IN_TABLE, 9, act_reverse },
	{ { PRESS_ENTER, '\n' }, 0, "Enter", "Enter\topen",
	  "open the row: what stands behind it", IN_OPENABLE, 3, act_open },
	{ { PRESS_UP, 'k' }, 0, "k Up", "Up Down\tscroll",
	  "the row above", WALKING, 8, act_walk },
	{ { PRESS_DOWN, 'j' }, 0, "j Down", NULL,
	  "the row below", WALKING, 0, act_walk },
	{ { PRESS_PGUP }, 0, "PgUp", NULL, "a page up", WALKING, 0, act_walk },
	{ { PRESS_PGDN }, 0, "PgDn", NULL,
	  "a page down", WALKING, 0, act_walk },
	{ { PRESS_HOME, 'g' }, 0, "g Home", NULL,
	  "the first row", WALKING, 0, act_walk },
	{ { PRESS_END, 'G' }, 0, "G End", NULL,
	  "the last row", WALKING, 0, act_walk },
	{ { 'w' }, 0, "w", "w\twindow",
	  "sum the rows up over 1 s, 10 s, 60 s or all that is kept", IN_PAGE,
	  6, act_window },
	{ { 't' }, 0, "t", "t\tby source/stack/task",
	  "one row per source, per stack or per task", IN_SCHEDULE, 7, act_by },
	{ { ' ' }, 0, "Space", "Space\tpause",
	  "pause, and go on with the newest", IN_PAGE, 5, act_pause },
	{ { '[', ']' }, 0, "[ ]", "[ ]\tstep",
	  "pause, and step one sample back, on", IN_PAGE, 10, act_step },
	{ { '{', '}' }, 0, "{ }", NULL,
	  "pause, and go one minute back, on", IN_PAGE, 0, act_step },
	{ { '+', '-' }, 0, "+ -", NULL,
	  "a longer, a shorter time between samples", IN_PAGE, 0,
	  act_interval },
	{ { 'B' }, 0, "B", NULL,
	  "count the bytes of pipes, or no longer", IN_PAGE, 0,
	  act_pipe_bytes },
	{ { PRESS_CTRL_L }, 0, "Ctrl-L", NULL,
	  "draw everything again", ~0u, 0, act_redraw },
	{ { PRESS_CTRL_Z }, 0, "Ctrl-Z", NULL,
	  "stop; fg comes back", 0, 0, NULL },
	{ { 'q' }, 0, "q Ctrl-C", "q\tquit", "leave stalltop", IN_PAGE, 1,
	  act_quit },
	{ .label = NULL }
};

unsigned key_where(const struct view *v)
{
	static const unsigned overlay[] = {
		[OVERLAY_HELP] = IN_HELP, [OVERLAY_FILTER] = IN_FILTER,
		[OVERLAY_SORT] = IN_SORT,
	};
	const struct pane *pane = pane_at(v->pane);
	const struct pane_view *pv = &v->p[v->pane];
	unsigned where = IN_PAGE | IN_TABLE;

	if (v->overlay)
		return overlay[v->overlay];
	if (!pane || !pane->columns || !pane->default_sort)
		return IN_PAGE;		/* drawn of other things than rows */
	if (pv->opened)
		return IN_PAGE | IN_OPEN;
	if (pane->draw_open)
		where |= IN_OPENABLE;
	if (pv->filter[0])
		where |= IN_FILTERED;
	if (!strcmp(pane->name, "schedule"))
		where |= IN_SCHEDULE;
	return where;
}

static int has_key(const struct key *k, int key)
{
	size_t i;

	if (k->to)
		return key >= k->key[0] && key <= k->to;
	for (i = 0; i < 3 && k->key[i]; i++)
		if (k->key[i] == key)
			return 1;
	return 0;
}

const struct key *key_find(int key, unsigned where)
{
	const struct key *k;

	for (k = key_table; k->label; k++)
		if (k->run && (k->where & where) && has_key(k, key))
			return k;
	return NULL;
}

int view_key(struct view *v, const struct model *m, int key)
{
	const struct key *k = key_find(key, key_where(v));

	(void)m;
	if (!k)
		return 0;
	v->message[0] = '\0';
	return k->run(v, pane_at(v->pane), key);
}
