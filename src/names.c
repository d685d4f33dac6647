/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the ids in readings stand for?
 *
 * Every entry is one piece of memory (struct, then its text or frames) that two
 * tables point to: one by contents, one by id. Memory follows the names that are
 * alive, not the ids ever given out. An entry moves in memory only when a task's
 * new comm does not fit where the old one was.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "hash.h"
#include "name_contents.h"
#include "names.h"

enum { FRAMES_MAX = 127, TASK_ROOM = 16 };
enum { NAME_LEN_MAX = UINT16_MAX };

struct entry {
	struct name name;
	uint32_t hash;		/* of the contents that make it the one */
	uint32_t epoch;
	uint32_t holds;		/* owners: names_hold() */
	size_t room;		/* bytes at data */
	uint32_t data[];	/* text with its NUL, or frames */
};

struct names {
	struct hash by_content, by_id;
	uint32_t next;		/* id; 0 = all used up */
	uint32_t epoch;
	uint64_t redefined;
};

static uint32_t entry_hash(const void *entry)
{
	return ((const struct entry *)entry)->hash;
}

static uint32_t entry_id_hash(const void *entry)
{
	return hash_number(((const struct entry *)entry)->name.id);
}

static struct entry *find_content(const struct names *n, const struct name *as,
				  uint32_t hash)
{
	struct entry *e;
	size_t at = hash;

	while ((e = hash_next(&n->by_content, hash, &at)))
		if (name_is(&e->name, as))
			break;
	return e;
}

static struct entry *find_id(const struct names *n, uint32_t id)
{
	uint32_t hash = hash_number(id);
	struct entry *e;
	size_t at = hash;

	while ((e = hash_next(&n->by_id, hash, &at)))
		if (e->name.id == id)
			break;
	return e;
}

/* ---- entries ---- */

static size_t data_bytes(const struct name *as)
{
	if (as->kind == NAME_STACK)
		return as->len * sizeof(uint32_t);
	return as->len + (size_t)1;
}

/* Write the contents of *as, which fit, under id. */
static void entry_fill(struct entry *e, const struct name *as, uint32_t id)
{
	e->name = *as;
	e->name.id = id;
	e->hash = name_hash(as);
	if (as->kind == NAME_STACK) {
		if (as->len)
			memmove(e->data, as->stack.frame,
				as->len * sizeof(uint32_t));
		e->name.stack.frame = e->data;
		e->name.text = "";
	} else {
		if (as->len)
			memmove(e->data, as->text, as->len);
		((char *)e->data)[as->len] = '\0';
		e->name.text = (char *)e->data;
	}
}

static struct entry *entry_new(const struct name *as, uint32_t id)
{
	size_t room = data_bytes(as);
	struct entry *e;

	if (as->kind == NAME_TASK && room < TASK_ROOM)
		room = TASK_ROOM;
	e = malloc(sizeof(*e) + room);
	if (!e)
		return NULL;
	e->room = room;
	e->holds = 0;
	entry_fill(e, as, id);
	return e;
}

static void entry_insert(struct names *n, struct entry *e)
{
	e->epoch = n->epoch;
	hash_put(&n->by_content, e);
	hash_put(&n->by_id, e);
}

static void entry_remove(struct names *n, struct entry *e)
{
	hash_take(&n->by_content, e);
	hash_take(&n->by_id, e);
}

static void entry_forget(struct names *n, struct entry *e)
{
	entry_remove(n, e);
	free(e);
}

static int entry_add(struct names *n, const struct name *as, uint32_t id)
{
	struct entry *e;

	if (hash_reserve(&n->by_content) || hash_reserve(&n->by_id))
		return -ENOMEM;
	e = entry_new(as, id);
	if (!e)
		return -ENOMEM;
	entry_insert(n, e);
	return 0;
}

/* Other contents under the same id; on -ENOMEM the old ones stay. */
static int entry_redefine(struct names *n, struct entry *e,
			  const struct name *as)
{
	uint32_t id = e->name.id;
	struct entry *bigger = e;

	if (data_bytes(as) > e->room) {
		bigger = entry_new(as, id);
		if (!bigger)
			return -ENOMEM;
	}
	entry_remove(n, e);
	if (bigger == e) {
		entry_fill(e, as, id);
	} else {
		bigger->holds = e->holds;
		free(e);
	}
	entry_insert(n, bigger);
	n->redefined++;
	return 0;
}

/*
 * The id of these contents, made if new. A task whose new comm finds no memory
 * keeps the old one: it is still the same task.
 */
static uint32_t names_intern(struct names *n, const struct name *as)
{
	struct entry *e = find_content(n, as, name_hash(as));
	struct name changed = *as;
	uint32_t id;

	if (!e) {
		if (!n->next || entry_add(n, as, n->next))
			return 0;
		return n->next++;
	}
	id = e->name.id;
	e->epoch = n->epoch;
	changed.version = e->name.version + 1;
	if (!name_same(&e->name, as))
		entry_redefine(n, e, &changed);
	return id;
}

static int kind_is(const struct names *n, uint32_t id, enum name_kind kind)
{
	const struct entry *e = find_id(n, id);

	return e && e->name.kind == kind;
}

/* May *as stand in the table: does what it refers to exist? */
static int definition_valid(const struct names *n, const struct name *as)
{
	size_t i;

	if (!as->id || as->kind < NAME_TEXT || as->kind > NAME_TASK)
		return 0;
	if (as->kind == NAME_SYMBOL && as->symbol.module)
		return kind_is(n, as->symbol.module, NAME_TEXT);
	if (as->kind != NAME_STACK)
		return 1;
	if (as->len > FRAMES_MAX)
		return 0;
	for (i = 0; i < as->len; i++)
		if (!kind_is(n, as->stack.frame[i], NAME_SYMBOL))
			return 0;
	return 1;
}

/* ---- what the header promises ---- */

struct names *names_new(void)
{
	struct names *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->next = 1;
	n->by_content.of = entry_hash;
	n->by_id.of = entry_id_hash;
	return n;
}

void names_free(struct names *n)
{
	size_t i;

	if (!n)
		return;
	for (i = 0; i < n->by_id.size; i++)
		free(n->by_id.slot[i]);
	hash_free(&n->by_id);
	hash_free(&n->by_content);
	free(n);
}

uint32_t names_text(struct names *n, const char *text, size_t len)
{
	struct name as = { .kind = NAME_TEXT, .text = text };

	as.len = len < NAME_LEN_MAX ? len : NAME_LEN_MAX;
	return names_intern(n, &as);
}

uint32_t names_symbol(struct names *n, const char *text, uint32_t module,
		      uint32_t flags)
{
	struct name as = { .kind = NAME_SYMBOL, .text = text };

	as.len = strnlen(text, NAME_LEN_MAX);
	as.symbol.module = module;
	as.symbol.flags = flags;
	return names_intern(n, &as);
}

uint32_t names_stack(struct names *n, uint8_t state, const uint32_t *frame,
		     size_t nframes)
{
	struct name as = { .kind = NAME_STACK };

	as.len = nframes < FRAMES_MAX ? nframes : FRAMES_MAX;
	as.stack.frame = frame;
	as.stack.state = state;
	return names_intern(n, &as);
}

uint32_t names_task(struct names *n, int32_t tid, uint64_t start,
		    int32_t tgid, const char *comm, size_t len)
{
	struct name as = { .kind = NAME_TASK, .text = comm };

	as.len = len < NAME_LEN_MAX ? len : NAME_LEN_MAX;
	as.task.tid = tid;
	as.task.tgid = tgid;
	as.task.start = start;
	return names_intern(n, &as);
}

int names_define(struct names *n, const struct name *as)
{
	struct entry *e;
	int err;

	if (!definition_valid(n, as))
		return -EINVAL;
	e = find_id(n, as->id);
	if (e && e->name.version == as->version &&
	    name_same(&e->name, as)) {
		e->epoch = n->epoch;
		return 0;
	}
	err = e ? entry_redefine(n, e, as) : entry_add(n, as, as->id);
	if (!err && n->next && as->id >= n->next)
		n->next = as->id + 1;
	return err;
}

const struct name *names_get(const struct names *n, uint32_t id)
{
	const struct entry *e = find_id(n, id);

	return e ? &e->name : NULL;
}

const char *names_str(const struct names *n, uint32_t id)
{
	const struct entry *e = find_id(n, id);

	return e && e->name.kind != NAME_STACK ? e->name.text : "?";
}

void names_hold(struct names *n, uint32_t id)
{
	struct entry *e = find_id(n, id);

	if (e)
		e->holds++;
}

void names_drop(struct names *n, uint32_t id)
{
	struct entry *e = find_id(n, id);

	if (!e)
		return;
	if (e->holds > 1) {
		e->holds--;
		return;
	}
	entry_forget(n, e);
}

size_t names_count(const struct names *n)
{
	return n->by_id.count;
}

uint64_t names_redefined(const struct names *n)
{
	return n->redefined;
}

void names_epoch(struct names *n)
{
	const struct hash *h = &n->by_id;
	const struct entry *e;
	size_t i = 0;

	while (i < h->size) {
		e = h->slot[i];
		if (e && e->epoch != n->epoch)
			entry_forget(n, find_id(n, e->name.id)); /* refills i */
		else
			i++;
	}
	n->epoch++;
}
