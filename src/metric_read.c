/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of our metrics does a recording mean by an id?
 *
 * By its name, and only where unit and scopes agree. The dynamic ones of the
 * recording (a kernel's keys) are made here too; all others are kept out.
 */
#include <errno.h>
#include <string.h>
#include "sample_read.h"

enum { NAME_MAX_BYTES = 128, WORD_MAX_BYTES = 16 };

struct words {			/* as read, each a string */
	char name[NAME_MAX_BYTES], unit[WORD_MAX_BYTES], kind[WORD_MAX_BYTES];
	char scope[WORD_MAX_BYTES], sub[WORD_MAX_BYTES];
};

/* A word of printable ASCII; anything else reads as "". */
static int get_word(struct wire_in *in, char *word, size_t room)
{
	const char *text;
	size_t i, len;
	int err = wire_get_text(in, &text, &len);

	*word = '\0';
	if (err || len >= room)
		return err;
	for (i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return 0;
	memcpy(word, text, len);
	word[len] = '\0';
	return 0;
}

static int find_unit(const char *name)
{
	int u;

	for (u = UNIT_COUNT; u <= UNIT_CENTI; u++)
		if (!strcmp(unit_name(u), name))
			return u;
	return -1;
}

static int find_kind(const char *name)
{
	int k;

	for (k = COUNTER; k <= GAUGE; k++)
		if (!strcmp(kind_name(k), name))
			return k;
	return -1;
}

static int same_meaning(const struct metric_info *m, const struct words *w)
{
	return !strcmp(unit_name(m->unit), w->unit) &&
	       !strcmp(scope_name(m->scope), w->scope) &&
	       !strcmp(scope_name(m->sub), w->sub);
}

/* Our id for it, METRIC_NONE to keep it out. */
static uint16_t our_id(uint16_t id, const struct words *w)
{
	uint16_t ours = metric_find(w->name);
	int unit = find_unit(w->unit), kind = find_kind(w->kind);

	if (ours != METRIC_NONE)
		return same_meaning(metric_info(ours), w) ? ours : METRIC_NONE;
	if (id < METRIC_DYNAMIC || !w->name[0] || unit < 0 || kind < 0 ||
	    strcmp(w->scope, scope_name(SCOPE_NONE)) ||
	    strcmp(w->sub, scope_name(SCOPE_NONE)))
		return METRIC_NONE;
	return metric_dynamic(w->name, unit, kind);
}

static int read_one(uint16_t *map, struct wire_in *in)
{
	struct words w;
	uint64_t id;
	size_t more;
	int err = wire_get_tuple(in, 6, &more);

	if (!err)
		err = wire_get_uint(in, &id, METRIC_DYNAMIC_MAX - 1);
	if (!err)
		err = get_word(in, w.name, sizeof(w.name));
	if (!err)
		err = get_word(in, w.unit, sizeof(w.unit));
	if (!err)
		err = get_word(in, w.kind, sizeof(w.kind));
	if (!err)
		err = get_word(in, w.scope, sizeof(w.scope));
	if (!err)
		err = get_word(in, w.sub, sizeof(w.sub));
	if (!err)
		err = wire_end_tuple(in, more);
	if (err)
		return err;
	map[id] = our_id(id, &w);
	return 0;
}

int metric_read(uint16_t *map, struct wire_in *in)
{
	size_t n;
	int err = wire_get_array(in, &n);

	while (!err && n--)
		err = read_one(map, in);
	return err;
}
