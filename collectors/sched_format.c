/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a sched_switch format file become offsets and letters?  The mask of
 * preempted tasks stands in it as a C expression ("... & 2048 ? "+"",
 * "(((0x0000 | ... | 0x0040) + 1) << 1)"): it is worked out, not guessed from
 * the kernel's version.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sched_format.h"

enum { RECORD_MAX = 4096, DEPTH_MAX = 32, TEXT_MAX = 16384 };

/* ---- the expression: numbers, ( ), + -, <<, | in C's precedence ---------- */

struct expr {
	const char *p;
	int depth, bad;
};

static uint64_t expr_or(struct expr *e);

static char expr_peek(struct expr *e)
{
	while (isspace((unsigned char)*e->p))
		e->p++;
	return *e->p;
}

static uint64_t expr_atom(struct expr *e)
{
	uint64_t v;
	char *end;

	if (expr_peek(e) == '(') {
		if (++e->depth > DEPTH_MAX) {
			e->bad = 1;
			return 0;
		}
		e->p++;
		v = expr_or(e);
		if (expr_peek(e) == ')')
			e->p++;
		else
			e->bad = 1;
		e->depth--;
		return v;
	}
	if (!isdigit((unsigned char)*e->p)) {
		e->bad = 1;
		return 0;
	}
	v = strtoull(e->p, &end, 0);
	while (*end && strchr("uUlL", *end))
		end++;
	e->p = end;
	return v;
}

static uint64_t expr_sum(struct expr *e)
{
	uint64_t v = expr_atom(e);
	char c;

	while (!e->bad && ((c = expr_peek(e)) == '+' || c == '-')) {
		e->p++;
		v = c == '+' ? v + expr_atom(e) : v - expr_atom(e);
	}
	return v;
}

static uint64_t expr_shift(struct expr *e)
{
	uint64_t v = expr_sum(e), by;

	while (!e->bad && expr_peek(e) == '<' && e->p[1] == '<') {
		e->p += 2;
		by = expr_sum(e);
		v = by < 64 ? v << by : 0;
	}
	return v;
}

static uint64_t expr_or(struct expr *e)
{
	uint64_t v = expr_shift(e);

	while (!e->bad && expr_peek(e) == '|') {
		e->p++;
		v |= expr_shift(e);
	}
	return v;
}

/* ---- print fmt --------------------------------------------------------- */

/* The last `what` before `end`. */
static const char *last_before(const char *p, const char *what,
			       const char *end)
{
	const char *last = NULL;

	while ((p = strstr(p, what)) && p < end)
		last = p++;
	return last;
}

static uint64_t preempted_bit(const char *fmt)
{
	static const char state[] = "prev_state &";
	const char *plus = strstr(fmt, "? \"+\"");
	const char *from = plus ? last_before(fmt, state, plus) : NULL;
	struct expr e = { .p = from ? from + sizeof(state) - 1 : NULL };
	uint64_t v;

	if (!from)
		return 0;
	v = expr_or(&e);
	return e.bad ? 0 : v;
}

/* { 0x0001, "S" }, ... of __print_flags() */
static void letters_parse(struct sched_format *f, const char *fmt)
{
	const char *p = strstr(fmt, "__print_flags("), *end;
	char *after;
	uint64_t bit;

	end = p ? strstr(p, ") :") : NULL;
	if (!end)
		return;
	while ((p = strchr(p, '{')) && p < end && f->nstate < 32) {
		bit = strtoull(++p, &after, 0);
		if (after == p)
			continue;
		p = after + strspn(after, " ,");
		if (p[0] != '"' || !isalpha((unsigned char)p[1]))
			continue;
		f->state[f->nstate].bit = bit;
		f->state[f->nstate++].letter = p[1];
	}
}

/* ---- fields ------------------------------------------------------------ */

static int number_after(const char *line, const char *end, const char *what,
			unsigned *v)
{
	const char *p = strstr(line, what);

	if (!p || p >= end)
		return 0;
	p += strlen(what);
	if (!isdigit((unsigned char)*p))
		return 0;
	*v = (unsigned)strtoul(p, NULL, 10);
	return *v <= RECORD_MAX;
}

/* Is the name that this declaration ends with `name`? */
static int declares(const char *decl, const char *end, const char *name)
{
	const char *bracket = memchr(decl, '[', (size_t)(end - decl));
	size_t n = strlen(name);

	if (bracket && bracket[1] != ']')	/* char prev_comm[16] */
		end = bracket;
	return (size_t)(end - decl) > n && !memcmp(end - n, name, n) &&
	       (isspace((unsigned char)end[-(long)n - 1]) ||
		end[-(long)n - 1] == ']');
}

static int field_find(const char *text, const char *name,
		      struct sched_field *field)
{
	static const char key[] = "field:";
	const char *p = text, *semi, *eol;

	while ((p = strstr(p, key))) {
		p += sizeof(key) - 1;
		semi = strchr(p, ';');
		eol = strchr(p, '\n');
		if (!semi || !eol || semi > eol)
			continue;
		if (!declares(p, semi, name))
			continue;
		field->dynamic = !strncmp(p, "__data_loc", 10);
		return number_after(semi, eol, "offset:", &field->offset) &&
		       number_after(semi, eol, "size:", &field->size);
	}
	return 0;
}

static int fields_parse(struct sched_format *f, const char *text)
{
	const struct {
		const char *name;
		struct sched_field *to;
		unsigned min, max;	/* bytes */
	} want[] = {
		{ "prev_comm", &f->prev_comm, 4, 64 },
		{ "prev_pid", &f->prev_pid, 4, 4 },
		{ "prev_state", &f->prev_state, 4, 8 },
		{ "next_comm", &f->next_comm, 4, 64 },
		{ "next_pid", &f->next_pid, 4, 4 },
	};
	const struct sched_field *at;
	size_t i;

	for (i = 0; i < sizeof(want) / sizeof(*want); i++) {
		at = want[i].to;
		if (!field_find(text, want[i].name, want[i].to))
			snprintf(f->why, sizeof(f->why),
				 "its format has no field %s", want[i].name);
		else if (at->size < want[i].min || at->size > want[i].max ||
			 (at->dynamic && at->size != 4))
			snprintf(f->why, sizeof(f->why),
				 "its field %s has %u bytes", want[i].name,
				 at->size);
		if (f->why[0])
			return -EINVAL;
		if (at->offset + at->size > f->need)
			f->need = at->offset + at->size;
	}
	if (f->prev_state.size == 4 || f->prev_state.size == 8)
		return 0;
	snprintf(f->why, sizeof(f->why), "its field prev_state has %u bytes",
		 f->prev_state.size);
	return -EINVAL;
}

static enum sched_shift shift_of(const char *release)
{
	unsigned major, minor;

	if (!release || sscanf(release, "%u.%u", &major, &minor) != 2)
		return SHIFT_NO;
	return major == 4 && minor >= 14 && minor <= 19 ? SHIFT_UNKNOWN
							: SHIFT_NO;
}

static uint64_t number_at(const char *raw, const struct sched_field *at)
{
	uint64_t v8;
	uint32_t v4;

	if (at->size == 8) {
		memcpy(&v8, raw + at->offset, sizeof(v8));
		return v8;
	}
	memcpy(&v4, raw + at->offset, sizeof(v4));
	return v4;
}

static const char *comm_at(const char *raw, size_t nraw,
			   const struct sched_field *at, size_t *len)
{
	size_t offset = at->offset, size = at->size;
	uint64_t where;

	if (at->dynamic) {
		where = number_at(raw, at);
		offset = where & 0xffff;
		size = where >> 16;
		if (offset > nraw || size > nraw - offset)
			offset = size = 0;
	}
	*len = strnlen(raw + offset, size);
	return raw + offset;
}

uint8_t sched_format_letter(const struct sched_format *f, uint64_t state)
{
	uint64_t unknown = state;
	uint8_t letter = 0;
	int noload = 0;
	size_t i;

	if (f->preempted && state & f->preempted)
		return '+';
	if (f->shift == SHIFT_UNKNOWN)
		return '?';
	if (f->shift == SHIFT_YES)
		unknown = state >>= 1;
	if (!state)
		return 'R';
	for (i = 0; i < f->nstate; i++) {
		if (!(state & f->state[i].bit))
			continue;
		unknown &= ~f->state[i].bit;
		noload |= f->state[i].letter == 'N';
		if (!letter)
			letter = (uint8_t)f->state[i].letter;
	}
	if (!letter || unknown)
		return '?';
	return letter == 'D' && noload ? 'I' : letter;	/* TASK_IDLE, 4.2 on */
}

int sched_format_decode(struct sched_format *f, const void *raw, size_t nraw,
			struct sched_switch *s)
{
	const char *p = raw;

	if (!raw || nraw < f->need)
		return -EINVAL;
	s->prev_pid = (int32_t)number_at(p, &f->prev_pid);
	s->next_pid = (int32_t)number_at(p, &f->next_pid);
	s->prev_comm = comm_at(p, nraw, &f->prev_comm, &s->nprev_comm);
	s->next_comm = comm_at(p, nraw, &f->next_comm, &s->nnext_comm);
	s->state = number_at(p, &f->prev_state);
	if (f->shift == SHIFT_UNKNOWN && !s->prev_pid && s->state <= 1)
		f->shift = s->state ? SHIFT_YES : SHIFT_NO;
	s->letter = sched_format_letter(f, s->state);
	return 0;
}

int sched_format_parse(struct sched_format *f, const char *text, size_t len,
		       const char *release)
{
	const char *id, *fmt;
	char *copy;
	int err;

	memset(f, 0, sizeof(*f));
	copy = len <= TEXT_MAX ? strndup(text, len) : NULL;
	if (!copy) {
		snprintf(f->why, sizeof(f->why), "its format is too long");
		return -EINVAL;
	}
	err = fields_parse(f, copy);
	id = strstr(copy, "ID: ");
	if (id)
		f->id = (unsigned)strtoul(id + 4, NULL, 10);
	fmt = strstr(copy, "print fmt:");
	if (!err && fmt) {
		letters_parse(f, fmt);
		f->preempted = preempted_bit(fmt);
	}
	f->shift = shift_of(release);
	free(copy);
	return err;
}
