/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does the overview say, before anybody asks how it looks?  Blocks of
 * lines of up to three figures; the screen, text and JSON are made of them.
 */
#ifndef OVERVIEW_H
#define OVERVIEW_H

#include <stdbool.h>
#include "model.h"
#include "rows.h"

enum overview_form {
	FIGURE_NONE,		/* nothing stands there */
	FIGURE_ABSENT,		/* "-": why says the reason */
	FIGURE_RATE,		/* v per second, total in the window */
	FIGURE_SHARE,		/* v of 1 */
	FIGURE_PLUS_MINUS,	/* half an interval of a share, v of 1 */
	FIGURE_NS, FIGURE_NS_RATE /* ns per second */,
	FIGURE_DEPTH, FIGURE_CPUS, FIGURE_COUNT,
};

struct overview_figure {
	enum overview_form form;
	double v;
	uint64_t total;		/* FIGURE_RATE */
	const char *why;	/* lives as long as the model, or NULL */
};

enum { OVERVIEW_CELLS = 4, OVERVIEW_LINES = 192 };

struct overview_line {
	char name[40];
	struct overview_figure f[OVERVIEW_CELLS];
	char note[24];
	const char *words;	/* a reason in place of all figures */
	bool is_optional;	/* left off the screen when absent: many
				 * kernels have no such thing */
};

enum overview_block {
	BLOCK_CPU, BLOCK_RUNQ, BLOCK_SCHEDULE, BLOCK_COUNTERS, BLOCK_VMSTAT,
	BLOCK_DELAY, BLOCK_PRESSURE, BLOCK_INTERRUPTS, BLOCK_COUNT
};

struct overview {
	struct overview_line line[OVERVIEW_LINES];
	int n;
	int first[BLOCK_COUNT + 1];	/* lines of each block */
	const char *title[BLOCK_COUNT];	/* as it is today */
	bool has_depth_p99;		/* depths have a fourth figure */
};

struct overview_info {		/* one per block */
	const char *name, *title;	/* "run queue", "RUN QUEUE" */
	const char *cell[OVERVIEW_CELLS];	/* their titles, NULL ended */
	const char *note;		/* title of the notes, NULL none */
	int name_width, cell_width;
	int cells_min;		/* dropped last of all */
	int reserve;		/* lines it keeps where there is little room */
	void (*make)(struct overview *o, const struct model *m,
		     struct rows *rows);
};

extern const struct overview_info overview_info[BLOCK_COUNT];

/* All blocks; rows lends its schedule grouping and keeps texts. */
void overview_make(struct overview *o, const struct model *m,
		   struct rows *rows);
/* A new line with this name; the last one again when all are used. */
struct overview_line *overview_line(struct overview *o, const char *name);
/* A line that is a reason. */
void overview_words(struct overview *o, const char *words);
struct overview_figure figure_of(enum overview_form form, double v);
struct overview_figure figure_rate(const struct model *m, uint16_t metric);
struct overview_figure figure_absent(const char *why);
char *figure_text(char *buf, size_t n, const struct overview_figure *f);

extern const struct column overview_columns[];
int overview_fill(const struct model *m, const struct view *view,
		  struct rows *rows);
/* Deepest mean (or present) queue of each `per` CPUs, NAN where none was read;
 * cells used, at most max. */
int overview_depths(const struct model *m, int per, double *cell, int max);
int overview_cpus(const struct model *m);	/* those cells are about */

/* The heat strip of run queues: its lines, 0 when nothing was read. */
int overview_strip_height(const struct model *m, int w, int h);
void overview_strip(struct surface *s, int x, int y, int w,
		    const struct model *m);

/* Makers of the larger blocks, each in its own file. */
void overview_counters(struct overview *o, const struct model *m,
		       struct rows *rows);
void overview_cpu(struct overview *o, const struct model *m,
		  struct rows *rows);
void overview_runq(struct overview *o, const struct model *m,
		   struct rows *rows);
void overview_delay(struct overview *o, const struct model *m,
		    struct rows *rows);

#endif
