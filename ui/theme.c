/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a role look?
 *
 * The background is the terminal's own, so that light and dark ones serve; of
 * the eight colours yellow and blue are left out, which are hard to read on
 * the one or the other.  Selected, sorted and current are told apart by
 * attributes, so that they show without colours too.
 */
#include <string.h>
#include "theme.h"

#define PLAIN(attributes)	{ COLOUR_DEFAULT, COLOUR_DEFAULT, attributes }
#define INK(colour, attributes)	{ COLOUR_##colour, COLOUR_DEFAULT, attributes }

static const struct theme themes[] = {
	{ "default", 1, {
		[ROLE_NORMAL] = PLAIN(0),
		[ROLE_TITLE] = PLAIN(LOOK_BOLD),
		[ROLE_LABEL] = PLAIN(0),
		[ROLE_HEADER] = PLAIN(LOOK_UNDERLINE),
		[ROLE_SORTED] = PLAIN(LOOK_UNDERLINE | LOOK_BOLD),
		[ROLE_SELECTED] = PLAIN(LOOK_REVERSE),
		[ROLE_HOT] = INK(RED, LOOK_BOLD),
		[ROLE_WARM] = INK(MAGENTA, 0),
		[ROLE_MISSING] = INK(CYAN, 0),
		[ROLE_WARN] = INK(RED, LOOK_BOLD),
		[ROLE_BAR] = INK(GREEN, 0),
		[ROLE_RULE] = INK(CYAN, 0),
		[ROLE_TAB] = PLAIN(0),
		[ROLE_TAB_ON] = PLAIN(LOOK_REVERSE | LOOK_BOLD),
		[ROLE_KEY] = PLAIN(LOOK_BOLD),
		[ROLE_HINT] = PLAIN(0),
		[ROLE_GAP] = INK(MAGENTA, LOOK_REVERSE),
	} },
	{ "mono", 0, {
		[ROLE_NORMAL] = PLAIN(0),
		[ROLE_TITLE] = PLAIN(LOOK_BOLD),
		[ROLE_LABEL] = PLAIN(0),
		[ROLE_HEADER] = PLAIN(LOOK_UNDERLINE),
		[ROLE_SORTED] = PLAIN(LOOK_UNDERLINE | LOOK_BOLD),
		[ROLE_SELECTED] = PLAIN(LOOK_REVERSE),
		[ROLE_HOT] = PLAIN(LOOK_BOLD),
		[ROLE_WARM] = PLAIN(0),
		[ROLE_MISSING] = PLAIN(0),
		[ROLE_WARN] = PLAIN(LOOK_BOLD),
		[ROLE_BAR] = PLAIN(0),
		[ROLE_RULE] = PLAIN(0),
		[ROLE_TAB] = PLAIN(0),
		[ROLE_TAB_ON] = PLAIN(LOOK_REVERSE | LOOK_BOLD),
		[ROLE_KEY] = PLAIN(LOOK_BOLD),
		[ROLE_HINT] = PLAIN(0),
		[ROLE_GAP] = PLAIN(LOOK_REVERSE),
	} },
};

const struct theme *theme_find(const char *name)
{
	size_t i;

	for (i = 0; name && i < sizeof(themes) / sizeof(*themes); i++)
		if (!strcmp(themes[i].name, name))
			return &themes[i];
	return &themes[0];
}
