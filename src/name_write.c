/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which names does a sample need that its block has not said yet?
 *
 * Each is an array that begins [id, kind, version, ...]: a text goes on [bytes],
 * a symbol [bytes, module, flags], a stack [state, [frames]], a task [comm, tid,
 * tgid, start]. They stand in the order in which the readings first named them,
 * kind by kind, so that what a name is made of is before it, and never in the
 * order of a hash table. All names of the block are looked up again only when
 * some name was redefined.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "hash.h"
#include "name_write.h"

enum { SLOTS_FIRST = 256 };

static void slot_put(struct name_writer *w, size_t index)
{
	size_t i = hash_number(w->named[index].id) & (w->nslot - 1);

	while (w->slot[i])
		i = (i + 1) & (w->nslot - 1);
	w->slot[i] = index + 1;
}

static int slots_grow(struct name_writer *w)
{
	size_t i, nslot = w->nslot ? w->nslot * 2 : SLOTS_FIRST;
	uint32_t *slot = calloc(nslot, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(w->slot);
	w->slot = slot;
	w->nslot = nslot;
	for (i = 0; i < w->nnamed; i++)
		slot_put(w, i);
	return 0;
}

static int name_stands(const struct name_writer *w, uint32_t id)
{
	size_t i;

	if (!w->nslot)
		return 0;
	for (i = hash_number(id) & (w->nslot - 1); w->slot[i];
	     i = (i + 1) & (w->nslot - 1))
		if (w->named[w->slot[i] - 1].id == id)
			return 1;
	return 0;
}

static void name_fresh(struct name_writer *w, uint32_t index)
{
	uint32_t *fresh = array_reserve(w->fresh, w->nfresh + 1, &w->capfresh,
					sizeof(*fresh));

	if (!fresh) {
		w->err = -ENOMEM;
		return;
	}
	w->fresh = fresh;
	fresh[w->nfresh++] = index;
}

static void name_add(struct name_writer *w, const struct name *name)
{
	struct named *n = array_reserve(w->named, w->nnamed + 1, &w->capnamed,
					sizeof(*n));

	if (n)
		w->named = n;
	if (!n || ((w->nnamed + 1) * 2 > w->nslot && slots_grow(w))) {
		w->err = -ENOMEM;
		return;
	}
	n += w->nnamed;
	n->id = name->id;
	n->kind = name->kind;
	n->version = name->version;
	slot_put(w, w->nnamed);
	name_fresh(w, w->nnamed++);
}

static void write_symbol(const struct name *n, struct wire_out *o)
{
	wire_array(o, 6);
	wire_uint(o, n->id);
	wire_uint(o, n->kind);
	wire_uint(o, n->version);
	wire_text(o, n->text, n->len);
	wire_uint(o, n->symbol.module);
	wire_uint(o, n->symbol.flags);
}

static void write_stack(const struct name *n, struct wire_out *o)
{
	size_t i;

	wire_array(o, 5);
	wire_uint(o, n->id);
	wire_uint(o, n->kind);
	wire_uint(o, n->version);
	wire_uint(o, n->stack.state);
	wire_array(o, n->len);
	for (i = 0; i < n->len; i++)
		wire_uint(o, n->stack.frame[i]);
}

static void write_task(const struct name *n, struct wire_out *o)
{
	wire_array(o, 7);
	wire_uint(o, n->id);
	wire_uint(o, n->kind);
	wire_uint(o, n->version);
	wire_text(o, n->text, n->len);
	wire_int(o, n->task.tid);
	wire_int(o, n->task.tgid);
	wire_uint(o, n->task.start);
}

static void write_text(const struct name *n, struct wire_out *o)
{
	wire_array(o, 4);
	wire_uint(o, n->id);
	wire_uint(o, n->kind);
	wire_uint(o, n->version);
	wire_text(o, n->text, n->len);
}

void name_write_begin(struct name_writer *w, const struct names *names)
{
	if (w->nslot)
		memset(w->slot, 0, w->nslot * sizeof(*w->slot));
	w->nnamed = w->nfresh = 0;
	w->names = names;
	w->redefined = names_redefined(names);
	w->err = 0;
}

void name_write_next(struct name_writer *w)
{
	uint64_t redefined = names_redefined(w->names);
	const struct name *name;
	size_t i, n = redefined == w->redefined ? 0 : w->nnamed;

	w->nfresh = 0;
	for (i = 0; i < n; i++) {
		name = names_get(w->names, w->named[i].id);
		if (!name || name->version == w->named[i].version)
			continue;
		w->named[i].version = name->version;
		w->named[i].kind = name->kind;
		name_fresh(w, i);
	}
	w->redefined = redefined;
}

void name_write_use(struct name_writer *w, uint32_t id)
{
	const struct name *name;
	size_t i;

	if (!id || w->err || name_stands(w, id))
		return;
	name = names_get(w->names, id);
	if (!name)
		return;
	name_add(w, name);
	if (name->kind == NAME_SYMBOL)
		name_write_use(w, name->symbol.module);
	if (name->kind == NAME_STACK)
		for (i = 0; i < name->len; i++)
			name_write_use(w, name->stack.frame[i]);
}

void name_write(const struct name_writer *w, struct wire_out *o)
{
	static void (*const write[])(const struct name *, struct wire_out *) = {
		[NAME_TEXT] = write_text, [NAME_SYMBOL] = write_symbol,
		[NAME_STACK] = write_stack, [NAME_TASK] = write_task,
	};
	const struct named *n;
	size_t i, kind;

	wire_array(o, w->nfresh);
	for (kind = NAME_TEXT; kind <= NAME_TASK; kind++)
		for (i = 0; i < w->nfresh; i++) {
			n = &w->named[w->fresh[i]];
			if (n->kind == kind)
				write[kind](names_get(w->names, n->id), o);
		}
}

void name_write_free(struct name_writer *w)
{
	free(w->named);
	free(w->slot);
	free(w->fresh);
	memset(w, 0, sizeof(*w));
}
