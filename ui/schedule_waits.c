// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long did the waits of an opened row take?
 *
 * A cell for each power of two of nanoseconds, from the first that is not
 * empty to the last: a bar, and its share.  Cells have one width, so that
 * nothing moves but the bars.  1us stands for 1,024 ns, and so on.
 */
#include "schedule_opened.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "units.h"
#include "words.h"

enum { FIRST_POWER = 9, POWERS = 64 - FIRST_POWER };	/* 9: below 1,024 ns */
enum { CELL_MIN = 6, CELL_MAX = 9, SUMMARY_H = 4, EIGHTHS = 8 };

struct powers {			/* buckets by powers of two */
	uint64_t n[POWERS], most, all;
	int first, last;
};

static void powers_make(struct powers *p, const struct histogram *h)
{
	memset(p, 0, sizeof(*p));
	p->first = POWERS;
	p->all = h->all;
	for (unsigned b = 0; b < BUCKETS; b++) {
		uint64_t low = bucket_low(b);
		int power = low ? 63 - __builtin_clzll(low) : 0;
		int i = power < FIRST_POWER ? 0 : power - FIRST_POWER;

		if (!h->n[b])
			continue;
		p->n[i] += h->n[b];
		p->most = p->n[i] > p->most ? p->n[i] : p->most;
		p->first = i < p->first ? i : p->first;
		p->last = i > p->last ? i : p->last;
	}
}

/* "<1us", "1us", "2us" ... "512us", "1ms" ... "1s": the lower edge. */
static void power_name(char *buf, size_t n, int i)
{
	static const char *const unit[] = { "us", "ms", "s", "Ks", "Ms", "Gs" };

	if (!i)
		snprintf(buf, n, "<1us");
	else
		snprintf(buf, n, "%d%s", 1 << (i - 1) % 10,
			 unit[(i - 1) / 10]);
}

/* As long as its part of w cells; never nothing for something. */
static void draw_bar(struct surface *s, int x, int y, int w, double part)
{
	static const uint32_t eighth[EIGHTHS] = {
		0, 0x258f, 0x258e, 0x258d, 0x258c, 0x258b, 0x258a, 0x2589
	};
	int length = (int)ceil(part * w * EIGHTHS);
	int whole = length / EIGHTHS, rest = length % EIGHTHS;

	if (s->ascii) {
		whole = (length + EIGHTHS - 1) / EIGHTHS;
		rest = 0;
	}
	surface_fill(s, x, y, whole, 1, ROLE_BAR, s->ascii ? '#' : 0x2588);
	if (rest)
		surface_fill(s, x + whole, y, 1, 1, ROLE_BAR, eighth[rest]);
}

static void draw_powers(struct surface *s, int x, int y, int cell,
			const struct powers *p, int from, int to, bool shares)
{
	char buf[16];

	for (int i = from; i < to; i++, x += cell) {
		double share = (double)p->n[i] / (double)p->all;

		power_name(buf, sizeof(buf), i);
		surface_text(s, x, y, cell - 1, ROLE_LABEL, buf);
		draw_bar(s, x, y + 1, cell - 1,
			 (double)p->n[i] / (double)p->most);
		if (!shares)
			continue;
		line_share(buf, sizeof(buf), share);
		surface_text(s, x, y + 2, cell - 1, ROLE_NORMAL,
			     p->n[i] ? buf : "0");
	}
}

/* In as many groups of lines as the width asks for; without the shares where
 * they do not fit, not at all where that does not either. */
static int draw_histogram(struct surface *s, int x, int y, int w, int h,
			  const struct histogram *waits)
{
	struct powers p;
	int n, cell, per_line, groups, lines;

	powers_make(&p, waits);
	n = p.last - p.first + 1;
	cell = w / n > CELL_MAX ? CELL_MAX : w / n < CELL_MIN ? CELL_MIN : w / n;
	per_line = w / cell;
	if (per_line < 1)
		return 0;
	groups = (n + per_line - 1) / per_line;
	lines = 3 * groups <= h ? 3 : 2;
	if (lines * groups > h)
		return 0;
	for (int i = 0; i < groups; i++) {
		int from = p.first + i * per_line, to = from + per_line;

		draw_powers(s, x, y + i * lines, cell, &p, from,
			    to <= p.last ? to : p.last + 1, lines == 3);
	}
	return lines * groups;
}

/* 95 % reach of rate times mean, as a part of it: that of the row's share and
 * that of the mean, which are independent. */
static double total_reach(const struct opened *o, const struct histogram *h)
{
	double low, high, share = schedule_share(o->s, o->g->w, &low, &high);

	return hypot(wilson_reach(share, low, high) / share,
		     histogram_mean_reach(h));
}

static void summary_text(char *buf, size_t n, const struct surface *s,
			 const struct opened *o, const struct histogram *h)
{
	const struct schedule_group *g = o->g;
	double avg = (double)g->wait_ns / (double)g->waits, reach;
	char count[32], v[4][16], number[16], sign[8], total[96] = "";

	reach = total_reach(o, h);
	snprintf(sign, sizeof(sign), s->ascii ? "+-" : "±");
	units_exact(count, sizeof(count), g->waits);
	units_ns(v[0], sizeof(v[0]), avg);
	units_ns(v[1], sizeof(v[1]), histogram_quantile(h, .5));
	units_ns(v[2], sizeof(v[2]), h->all >= 100 ?
		 histogram_quantile(h, .99) : NAN);
	units_ns(v[3], sizeof(v[3]), avg * o->per_s);
	if (!isnan(reach) && !isnan(o->per_s))
		snprintf(total, sizeof(total), ", %s/s %s%.0f%% in all", v[3],
			 sign, ceil(100 * reach));
	line_share(number, sizeof(number), g->wait_ns ?
		   (double)g->queued_ns / (double)g->wait_ns : NAN);
	snprintf(buf, n, "%s wait%s timed: avg %s, p50 %s, p99 %s%s, %s of it "
		 "on the run queue", count, g->waits == 1 ? "" : "s", v[0],
		 v[1], v[2], total, number);
}

int opened_waits(struct surface *s, int x, int y, int w, int h,
		 const struct opened *o, const struct histogram *waits)
{
	struct surface none = { .w = s->w };
	char buf[256];
	int used;

	if (!o->s->is_kernels || !o->g->waits || !waits->all || h < 1)
		return 0;
	summary_text(buf, sizeof(buf), s, o, waits);
	used = words_draw(&none, 0, 0, w, SUMMARY_H, ROLE_NORMAL, buf);
	if (used > h || used == SUMMARY_H)	/* whole or not at all */
		return 0;
	words_draw(s, x, y, w, used, ROLE_NORMAL, buf);
	return used + draw_histogram(s, x, y + used, w, h - used, waits);
}
