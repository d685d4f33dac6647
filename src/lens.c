/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which two samples does the user look at?
 *
 * The older one trails the newest through the history: going on by one sample
 * costs one sample's decoding, a jump seeks its block.  Each cursor owns the
 * names of the one sample got from it, so there is one per sample that is held:
 * older, newer, and a walk for the trends.
 */
#include <errno.h>
#include <string.h>
#include "lens.h"
#include "series.h"

enum { HISTORY_MAX = 32 << 20 };

/* Sample `seq`, or the oldest kept after it; NULL = none. */
static struct sample *sample_fetch(struct source *cursor, struct sample *s,
				   uint64_t seq)
{
	if (!seq)
		return NULL;
	if (s->seq == seq)
		return s;
	if ((s->seq + 1 != seq || !s->seq) && cursor->seek(cursor, seq))
		goto none;
	if (cursor->next(cursor, s) == 1)
		return s;
none:
	s->seq = 0;
	return NULL;
}

static const struct sample *lens_live(const struct lens *l, unsigned ago)
{
	return l->count > ago ? &l->live[l->at ^ ago] : NULL;
}

/*
 * The newest sample at least a window older than `newer`.  A quarter of the
 * interval is forgiven: timers are late by more or less.
 */
static const struct sample *lens_older(struct lens *l, const struct view *v,
				       const struct sample *newer)
{
	uint64_t slack = v->interval_ns / 4, at, seq;
	const struct sample *s;

	if (!v->window_ns)
		return l->first.seq < newer->seq ? &l->first : NULL;
	if (newer == lens_live(l, 0) &&
	    (!l->history || v->window_ns <= v->interval_ns + slack))
		return lens_live(l, 1);
	at = newer->mono_ns + slack;
	seq = history_at(l->history, at > v->window_ns ? at - v->window_ns : 0);
	if (seq >= newer->seq)
		seq = newer->seq - 1;
	s = sample_fetch(l->old_cursor, &l->older, seq);
	return s && s->seq < newer->seq ? s : NULL;
}

static void lens_look(struct lens *l, const struct view *v,
		      const struct sample *newer)
{
	model_update(&l->model, lens_older(l, v, newer), newer, l->series);
	l->model.planned_ns = v->window_ns && v->window_ns < v->interval_ns ?
			      v->interval_ns : v->window_ns;
}

/* Where the series of sample `seq` begins: its trends, and the window's
 * largest depths, as far as they are kept. */
static uint64_t series_from(const struct lens *l, const struct view *v,
			    uint64_t seq, uint64_t mono_ns)
{
	uint64_t from = seq > SERIES_KEEP ? seq - SERIES_KEEP : 1, window = 1;

	if (v->window_ns && mono_ns > v->window_ns)
		window = history_at(l->history, mono_ns - v->window_ns);
	window = window > 1 ? window - 1 : 1;	/* timers are late */
	if (window < from)
		from = window;
	return seq > PEAKS_KEEP && from < seq - PEAKS_KEEP ? seq - PEAKS_KEEP
							   : from;
}

/* The trends up to sample `seq`, out of the history. */
static void series_rebuild(struct lens *l, const struct view *v, uint64_t seq,
			   uint64_t mono_ns)
{
	uint64_t from = series_from(l, v, seq, mono_ns);
	struct sample *prev = NULL, *cur = &l->walk[0];

	series_clear(l->series);
	l->series_seq = seq;
	if (l->walk_cursor->seek(l->walk_cursor, from))
		return;
	while (l->walk_cursor->next(l->walk_cursor, cur) == 1 &&
	       cur->seq <= seq) {
		if (prev)
			prev->names = cur->names;	/* its own are gone */
		series_add(l->series, prev, cur);
		prev = cur;
		cur = cur == &l->walk[0] ? &l->walk[1] : &l->walk[0];
	}
}

static const struct sample *lens_pause(struct lens *l, struct view *v)
{
	uint64_t first = history_first(l->history);
	uint64_t last = history_last(l->history);
	int64_t seq = (int64_t)(v->seq ? v->seq : last) + v->step;
	const struct sample *s;

	if (first < last)		/* the oldest has none to differ from */
		first++;
	if (seq > (int64_t)last)
		seq = last;
	if (seq < (int64_t)first)
		seq = first;
	history_pin(l->history, seq);
	s = sample_fetch(l->new_cursor, &l->newer, seq);
	return s ? s : lens_live(l, 0);
}

/* ---- what the loop calls ---------------------------------------------- */

int lens_open(struct lens *l, const struct options *opt, int keep)
{
	struct sample *s[] = { &l->live[0], &l->live[1], &l->first, &l->older,
			       &l->newer, &l->walk[0], &l->walk[1] };
	size_t i;

	memset(l, 0, sizeof(*l));
	for (i = 0; i < sizeof(s) / sizeof(s[0]); i++)
		if (sample_init(s[i]))
			goto out;
	l->series = series_new();
	if (!l->series)
		goto out;
	if (!keep)
		return 0;
	l->history = history_new(opt->history_ns, HISTORY_MAX);
	if (!l->history)
		goto out;
	l->old_cursor = history_cursor(l->history);
	l->new_cursor = history_cursor(l->history);
	l->walk_cursor = history_cursor(l->history);
	if (l->old_cursor && l->new_cursor && l->walk_cursor)
		return 0;
out:
	lens_close(l);
	return -ENOMEM;
}

void lens_close(struct lens *l)
{
	struct source *cursors[] = { l->old_cursor, l->new_cursor,
				     l->walk_cursor };
	struct sample *s[] = { &l->live[0], &l->live[1], &l->first, &l->older,
			       &l->newer, &l->walk[0], &l->walk[1] };
	size_t i;

	for (i = 0; i < sizeof(cursors) / sizeof(cursors[0]); i++)
		if (cursors[i])
			cursors[i]->close(cursors[i]);
	for (i = 0; i < sizeof(s) / sizeof(s[0]); i++)
		sample_free(s[i]);
	series_free(l->series);
	history_free(l->history);
	memset(l, 0, sizeof(*l));
}

struct sample *lens_room(struct lens *l)
{
	return &l->live[l->at ^ 1];
}

/* A sample that finds no room beside the paused block is missing when one
 * steps there; what is newest is shown all the same. */
static int history_keep(struct lens *l, const struct sample *s)
{
	int err = history_add(l->history, s);

	return err == -ENOSPC || err == -EFBIG ? 0 : err;
}

int lens_add(struct lens *l, const struct view *v)
{
	const struct sample *now;
	int err = 0;

	l->at ^= 1;
	l->count++;
	now = lens_live(l, 0);
	if (l->count == 1)
		err = sample_copy(&l->first, now);
	if (l->history && !err)
		err = history_keep(l, now);
	if (v->paused)
		return err;
	series_add(l->series, lens_live(l, 1), now);
	l->series_seq = now->seq;
	lens_look(l, v, now);
	return err;
}

void lens_move(struct lens *l, struct view *v)
{
	const struct sample *newer = lens_live(l, 0);

	if (!newer)
		return;
	if (v->paused && l->history)
		newer = lens_pause(l, v);
	else if (l->history)
		history_pin(l->history, 0);
	v->seq = v->paused ? newer->seq : 0;
	v->step = 0;
	if (l->history && (v->paused || l->series_seq != newer->seq))
		series_rebuild(l, v, newer->seq, newer->mono_ns);
	lens_look(l, v, newer);
}
