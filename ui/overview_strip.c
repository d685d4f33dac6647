// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How deep is the run queue of each CPU, at a glance?
 *
 * One cell per CPU, or the deepest of so many; at most a sixth of the height
 * and one line that says so.  A depth of 4 fills a cell, so that an idle box
 * looks idle; a CPU without a reading (offline) is "x".
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "overview.h"

enum { STRIP_CELLS = 512, STRIP_LABEL = 8, FULL_DEPTH = 4 };

static int strip_cells(int w)
{
	return w > STRIP_LABEL ? w - STRIP_LABEL : 1;
}

/* CPUs per cell, a power of two, so that all fit. */
static int strip_per(int cpus, int cells)
{
	int per = 1;

	while ((cpus + per - 1) / per > cells)
		per *= 2;
	return per;
}

static int strip_lines(const struct model *m, int w, int h)
{
	int cpus = overview_cpus(m), width = strip_cells(w), per;
	int most = h / 6 > 1 ? h / 6 : 1;

	while (most > 1 && most * width > STRIP_CELLS)
		most--;
	per = strip_per(cpus, most * width);
	return ((cpus + per - 1) / per + width - 1) / width;
}

static void draw_strip_line(struct surface *s, int x, int y, int w, int cpu,
			    int last, const double *v, int n)
{
	double top = FULL_DEPTH;
	char label[32];

	for (int i = 0; i < n; i++)
		top = v[i] > top ? v[i] : top;
	snprintf(label, sizeof(label), "cpu%d-%d", cpu, last);
	if (strlen(label) >= STRIP_LABEL)
		snprintf(label, sizeof(label), "cpu%d", cpu);
	surface_text(s, x, y, STRIP_LABEL - 1, ROLE_LABEL, label);
	x += STRIP_LABEL;
	w -= STRIP_LABEL;
	surface_spark(s, x, y, n < w ? n : w, ROLE_BAR, v, (size_t)n, top);
	for (int i = 0; i < n && i < w; i++)
		if (isnan(v[i]))
			surface_text(s, x + i, y, 1, ROLE_MISSING, "x");
}

int overview_strip_height(const struct model *m, int w, int h)
{
	int lines = strip_lines(m, w, h);

	return lines + (overview_cpus(m) > lines * strip_cells(w));
}

void overview_strip(struct surface *s, int x, int y, int w,
		    const struct model *m)
{
	int cpus = overview_cpus(m), width = strip_cells(w);
	int lines = strip_lines(m, w, s->h);
	int per = strip_per(cpus, lines * width), n;
	double cell[STRIP_CELLS];
	char text[48];

	n = overview_depths(m, per, cell, STRIP_CELLS);
	for (int i = 0; i * width < n; i++) {
		int from = i * width, to = from + width < n ? from + width : n;
		int last = to * per < cpus ? to * per : cpus;

		draw_strip_line(s, x, y + i, w, from * per, last - 1,
				cell + from, to - from);
	}
	snprintf(text, sizeof(text), "each cell: deepest of %d", per);
	if (per > 1)
		surface_text(s, x, y + lines, w, ROLE_LABEL, text);
}
