/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which options are there?  All of them, with what their arguments may be; the
 * parser, --help and the man page's test read this table.
 */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct option_row {
	int letter;		/* 0 none */
	const char *name;
	const char *arg;	/* NULL none, "[X]" optional */
	const char *noun;	/* what the argument is */
	/* 0, -EINVAL (not what noun says) or -ERANGE */
	int (*set)(void *to, const struct option_row *row, const char *arg);
	size_t to;		/* offset in struct options */
	uint64_t min, max;	/* of a number, or a command's enum value */
	const char *right;	/* what would be accepted */
	const char *help;
};

struct option_word {		/* a word that stands for a value */
	const char *text;
	int value;
};

enum { OPTION_ROWS = 25 };

/* window_ns as long as -w was not given */
#define OPTION_WINDOW_UNSET UINT64_MAX

extern const struct option_row option_table[OPTION_ROWS];
extern const struct option_word option_commands[];	/* ended by NULL */

/* The entry of that text, or NULL. */
const struct option_word *option_word(const struct option_word *table,
				      const char *text);

#endif
