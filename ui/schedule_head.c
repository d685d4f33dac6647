// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many switches were there, how surely are they known, and how were they?
 *
 * The in-kernel engine counts how each one was, so those shares are exact;
 * else they are of the stacks taken and carry an interval.  What it missed
 * stands before them: a narrow line may lose shares, never a warning.
 */
#include "schedule_head.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "units.h"
#include "words.h"

#define UNTIMED_SHARE 0.01

/* "blocked 78%": as the kernel counted them all. */
static int piece_exact(struct surface *s, int x, int y, const char *name,
		       const struct delta *part, const struct schedule *sc)
{
	char buf[48], number[16];

	if (part->state != DELTA_OK || !part->diff || !sc->switches.diff)
		return x;
	snprintf(number, sizeof(number), "%.0f", 100 * (double)part->diff /
		 (double)sc->switches.diff);
	snprintf(buf, sizeof(buf), "%s %s%%", name,
		 strcmp(number, "0") ? number : "<1");
	return words_piece(s, x, y, 2, ROLE_NORMAL, buf);
}

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

/* What the in-kernel engine could not time or see: where it matters. */
static int draw_missing(struct surface *s, int x, int y,
			const struct schedule *sc)
{
	char buf[64], n[32];

	if (sc->untimed.state == DELTA_OK &&
	    (double)sc->untimed.diff > UNTIMED_SHARE * (double)sc->waits) {
		units_exact(n, sizeof(n), sc->untimed.diff);
		snprintf(buf, sizeof(buf), "%s waits untimed", n);
		x = words_piece(s, x, y, 2, ROLE_WARN, buf);
	}
	if (sc->skipped.state == DELTA_OK && sc->skipped.diff) {
		units_exact(n, sizeof(n), sc->skipped.diff);
		snprintf(buf, sizeof(buf), "%s runs skipped", n);
		x = words_piece(s, x, y, 2, ROLE_WARN, buf);
	}
	return x;
}

static const char *const kind_names[SCHEDULE_KINDS] = {
	[KIND_BLOCKED] = "blocked", [KIND_PREEMPTED] = "preempted",
	[KIND_YIELDED] = "yielded", [KIND_IDLE] = "idle",
};

static void draw_exact(struct surface *s, int x, int y,
		       const struct schedule *sc)
{
	for (int i = 0; i < SCHEDULE_KINDS; i++)
		x = piece_exact(s, x, y, kind_names[i], &sc->kind[i], sc);
}

static void draw_sampled(struct surface *s, int x, int y,
			 const struct schedule *sc)
{
	const uint64_t known = sc->w - sc->ended;
	const uint64_t part[SCHEDULE_KINDS] = {
		known - sc->preempted - sc->yielded - sc->idle,
		sc->preempted, sc->yielded, sc->idle,
	};

	for (int i = 0; i < SCHEDULE_KINDS; i++)
		x = piece_share(s, x, y, kind_names[i], part[i], sc);
}

void schedule_head(struct surface *s, int y, const struct schedule *sc)
{
	char buf[96], rate[32];
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
	if (sc->w) {
		x = draw_coverage(s, x, y, sc);
		x = draw_missing(s, x, y, sc);
	}
	if (sc->is_kernels)
		draw_exact(s, x, y, sc);
	else if (sc->nameless)
		words_piece(s, x, y, 2, ROLE_WARN, "no names: see doctor");
	else if (sc->w)
		draw_sampled(s, x, y, sc);
}
