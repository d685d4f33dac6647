/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a key do?  The actions of key_table: each changes the view and
 * returns enum present_result.
 */
#ifndef ACT_H
#define ACT_H

#include "pane.h"
#include "view.h"

int act_quit(struct view *v, const struct pane *pane, int key);
int act_redraw(struct view *v, const struct pane *pane, int key);
int act_help(struct view *v, const struct pane *pane, int key);
int act_leave(struct view *v, const struct pane *pane, int key);
int act_hotkey(struct view *v, const struct pane *pane, int key);
int act_tab(struct view *v, const struct pane *pane, int key);
int act_back_tab(struct view *v, const struct pane *pane, int key);
int act_walk(struct view *v, const struct pane *pane, int key);
int act_open(struct view *v, const struct pane *pane, int key);
int act_back(struct view *v, const struct pane *pane, int key);
int act_filter(struct view *v, const struct pane *pane, int key);
int act_drop_filter(struct view *v, const struct pane *pane, int key);
int act_rub(struct view *v, const struct pane *pane, int key);
int act_type(struct view *v, const struct pane *pane, int key);
int act_sort(struct view *v, const struct pane *pane, int key);
int act_pick(struct view *v, const struct pane *pane, int key);
int act_picked(struct view *v, const struct pane *pane, int key);
int act_sort_next(struct view *v, const struct pane *pane, int key);
int act_reverse(struct view *v, const struct pane *pane, int key);
int act_window(struct view *v, const struct pane *pane, int key);
int act_interval(struct view *v, const struct pane *pane, int key);
int act_pause(struct view *v, const struct pane *pane, int key);
int act_step(struct view *v, const struct pane *pane, int key);
int act_pipe_bytes(struct view *v, const struct pane *pane, int key);
int act_by(struct view *v, const struct pane *pane, int key);

#endif
