/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does the text of kallsyms become a table?  One pass, names copied into
 * one arena.  Lines may end in CRLF, addresses have 8 or 16 digits, the order
 * is not relied upon.  Data symbols and section markers are kept only as
 * boundaries: the function before them ends there at the latest.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ksyms_table.h"

enum rank {		/* among symbols of one address */
	RANK_GLOBAL, RANK_WEAK, RANK_LOCAL,
	RANK_ALIAS,	/* __pi_memcpy: position independent twin of memcpy */
	RANK_HOLE,
};

struct line {		/* pointers into the text, not NUL ended */
	uint64_t addr;
	char type;
	const char *name, *module;
	size_t nname, nmodule;
};

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blank(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

static const char *skip_word(const char *p, const char *end)
{
	while (p < end && !is_blank(*p))
		p++;
	return p;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The address at p; NULL when there is none of 1 to 16 digits. */
static const char *addr_parse(const char *p, const char *end, uint64_t *addr)
{
	const char *from = p;
	int digit;

	*addr = 0;
	while (p < end && (digit = digit_value(*p)) >= 0) {
		*addr = *addr << 4 | (unsigned)digit;
		p++;
	}
	if (p == from || p - from > 16 || p == end || !is_blank(*p))
		return NULL;
	return p;
}

/* "ffffffff81000000 T name\t[module]" */
static int line_parse(const char *p, const char *end, struct line *l)
{
	memset(l, 0, sizeof(*l));
	p = addr_parse(skip_blank(p, end), end, &l->addr);
	if (!p)
		return 0;
	p = skip_blank(p, end);
	if (end - p < 3 || !is_blank(p[1]))
		return 0;
	l->type = *p;
	l->name = skip_blank(p + 1, end);
	p = skip_word(l->name, end);
	l->nname = (size_t)(p - l->name);
	l->module = skip_blank(p, end);
	p = skip_word(l->module, end);
	l->nmodule = (size_t)(p - l->module);
	if (l->nmodule > 2 && *l->module == '[' && p[-1] == ']') {
		l->module++;
		l->nmodule -= 2;
	} else {
		l->nmodule = 0;
	}
	return l->nname > 0;
}

static int has_prefix(const struct line *l, const char *s)
{
	size_t n = strlen(s);

	return l->nname > n && !memcmp(l->name, s, n);
}

static int has_suffix(const struct line *l, const char *s)
{
	size_t n = strlen(s);

	return l->nname > n && !memcmp(l->name + l->nname - n, s, n);
}

static int is_named(const struct line *l, const char *s)
{
	return l->nname == strlen(s) && !memcmp(l->name, s, l->nname);
}

/* Names of places the linker script makes, not of functions. */
static int is_marker(const struct line *l)
{
	static const char *const place[] = {
		"_text", "_stext", "_etext", "_sinittext", "_einittext",
	};
	size_t i;

	for (i = 0; i < sizeof(place) / sizeof(*place); i++)
		if (is_named(l, place[i]))
			return 1;
	return has_prefix(l, "__start_") || has_prefix(l, "__stop_") ||
	       (has_prefix(l, "__") && (has_suffix(l, "_text_start") ||
					has_suffix(l, "_text_end")));
}

static enum rank line_rank(const struct line *l)
{
	if (!memchr("tTwW", l->type, 4) || is_marker(l))
		return RANK_HOLE;
	if (has_prefix(l, "__pi_"))
		return RANK_ALIAS;
	if (l->type == 'T')
		return RANK_GLOBAL;
	return l->type == 't' ? RANK_LOCAL : RANK_WEAK;
}

/* Make room for `more` beyond n elements of `size` bytes. */
static int grow(void *array, size_t *cap, size_t n, size_t more, size_t size)
{
	void **to = array, *p;
	size_t want = *cap ? *cap : 64;

	if (n + more <= *cap)
		return 0;
	while (want < n + more)
		want *= 2;
	p = realloc(*to, want * size);
	if (!p)
		return -ENOMEM;
	*to = p;
	*cap = want;
	return 0;
}

/* Give back what growing by halves left over. */
static void fit(void *array, size_t *cap, size_t n, size_t size)
{
	void **to = array, *p = n ? realloc(*to, n * size) : NULL;

	if (!p)
		return;
	*to = p;
	*cap = n;
}

static int text_add(struct ksyms_table *t, const char *s, size_t len,
		    uint32_t *at)
{
	int err = grow(&t->text, &t->captext, t->ntext, len + 1, 1);

	if (err)
		return err;
	*at = (uint32_t)t->ntext;
	memcpy(t->text + t->ntext, s, len);
	t->text[t->ntext + len] = '\0';
	t->ntext += len + 1;
	return 0;
}

static int module_is(const struct ksyms_table *t, size_t i,
		     const struct line *l)
{
	const char *s = t->text + t->module[i];

	return strlen(s) == l->nmodule && !memcmp(s, l->module, l->nmodule);
}

/* Index of the line's module, from the last backwards: symbols of one module
 * stand together. */
static int module_index(struct ksyms_table *t, const struct line *l,
			uint16_t *index)
{
	size_t i = t->nmodule;
	uint32_t at;
	int err;

	*index = 0;
	if (!l->nmodule)
		return 0;
	while (i-- > 0)
		if (module_is(t, i, l)) {
			*index = (uint16_t)i;
			return 0;
		}
	if (t->nmodule >= UINT16_MAX)
		return 0;
	err = grow(&t->module, &t->capmodule, t->nmodule, 1,
		   sizeof(*t->module));
	if (!err)
		err = text_add(t, l->module, l->nmodule, &at);
	if (err)
		return err;
	t->module[t->nmodule] = at;
	*index = (uint16_t)t->nmodule++;
	return 0;
}

/* Padding before functions and control flow stubs: nothing stands there. */
static int is_padding(const struct line *l)
{
	return has_prefix(l, "__pfx_") || has_prefix(l, "__cfi_");
}

static void range_note(struct ksyms_table *t, const struct line *l)
{
	const struct {
		const char *name;
		uint64_t *to;
	} marker[] = {
		{ "__sched_text_start", &t->sched[0] },
		{ "__sched_text_end", &t->sched[1] },
		{ "__lock_text_start", &t->lock[0] },
		{ "__lock_text_end", &t->lock[1] },
	};
	size_t i;

	for (i = 0; i < sizeof(marker) / sizeof(*marker); i++)
		if (is_named(l, marker[i].name))
			*marker[i].to = l->addr;
}

static int line_add(struct ksyms_table *t, const struct line *l)
{
	struct ksym s = { .addr = l->addr, .rank = line_rank(l) };
	int hole = s.rank == RANK_HOLE, err;

	if (hole)
		range_note(t, l);
	else
		t->seen++;
	if (!l->addr || is_padding(l) || t->ntext > UINT32_MAX / 2)
		return 0;
	/* a run of data needs only its beginning */
	if (hole && t->n && !t->sym[t->n - 1].name &&
	    t->sym[t->n - 1].addr <= l->addr)
		return 0;
	err = grow(&t->sym, &t->cap, t->n, 1, sizeof(*t->sym));
	if (!err && !hole)
		err = module_index(t, l, &s.module);
	if (!err && !hole)
		err = text_add(t, l->name, l->nname, &s.name);
	if (err)
		return err;
	t->functions += !hole;
	t->sym[t->n++] = s;
	return 0;
}

static int sym_compare(const void *a, const void *b)
{
	const struct ksym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void table_sort(struct ksyms_table *t)
{
	size_t i;

	for (i = 1; i < t->n; i++)
		if (sym_compare(&t->sym[i - 1], &t->sym[i]) > 0) {
			qsort(t->sym, t->n, sizeof(*t->sym), sym_compare);
			return;
		}
}

void ksyms_table_free(struct ksyms_table *t)
{
	free(t->sym);
	free(t->text);
	free(t->module);
	memset(t, 0, sizeof(*t));
}

const struct ksym *ksyms_table_find(const struct ksyms_table *t, uint64_t addr)
{
	size_t lo = 0, hi = t->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->sym[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	for (lo--; lo && t->sym[lo - 1].addr == t->sym[lo].addr; lo--)
		;
	if (!t->sym[lo].name || addr - t->sym[lo].addr >= KSYM_LONGEST)
		return NULL;
	return &t->sym[lo];
}

int ksyms_table_parse(struct ksyms_table *t, const char *text, size_t len)
{
	const char *p = text, *end = text + len, *eol;
	struct line l;
	uint32_t at;
	int err;

	memset(t, 0, sizeof(*t));
	err = text_add(t, "", 0, &at);
	if (!err)
		err = grow(&t->module, &t->capmodule, 0, 1, sizeof(*t->module));
	if (err)
		goto out;
	t->module[t->nmodule++] = at;
	for (; p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol)
			eol = end;
		if (line_parse(p, eol, &l))
			err = line_add(t, &l);
		if (err)
			goto out;
	}
	fit(&t->sym, &t->cap, t->n, sizeof(*t->sym));
	fit(&t->text, &t->captext, t->ntext, 1);
	table_sort(t);
	return 0;
out:
	ksyms_table_free(t);
	return err;
}
