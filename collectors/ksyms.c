/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which kernel function is at this address?  The table is read again when an
 * address lies in no function (a module or BPF program came since), at most
 * once in RELOAD_NS, and ever more seldom while that finds nothing new.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "collector.h"
#include "ksyms.h"
#include "ksyms_table.h"

#define RELOAD_NS	5000000000ull
#define RELOAD_MAX_NS	(64 * RELOAD_NS)

enum { FRAMES = 127, NAME = 512 };

struct ksyms {
	struct ksyms_table table;
	uint32_t *id;		/* by symbol: its name, 0 not looked up yet */
	struct names *names;	/* the ids are of this one */
	int proc_fd;		/* -1: a text, never read again */
	uint64_t reload_ns, wait_ns;	/* not before; then wait so long */
	struct ksyms **shared;	/* where others find it */
	size_t others;		/* that hold it too */
	enum ksyms_state state;
};

/* The tail of a name that the compiler made: ".isra.0.cold". */
static int is_suffix(const char *s)
{
	static const char *const made[] = {
		".isra", ".part", ".constprop", ".cold", ".llvm", ".lto_priv",
		".localalias", ".cfi", ".cfi_jt", ".clone", ".warm",
	};
	size_t i, n;

	for (i = 0; i < sizeof(made) / sizeof(*made); i++) {
		n = strlen(made[i]);
		if (!strncmp(s, made[i], n) && (!s[n] || s[n] == '.'))
			return 1;
	}
	return 0;
}

static uint32_t symbol_new(const struct ksyms_table *t, const struct ksym *s,
			   struct names *n)
{
	const char *module = t->text + t->module[s->module];
	uint32_t text = 0;
	char name[NAME];

	ksyms_fold(t->text + s->name, name, sizeof(name));
	if (s->module)
		text = names_text(n, module, strlen(module));
	return names_symbol(n, name, text, ksyms_table_is_sched(t, s, name) ?
			    SYMBOL_SCHED : 0);
}

static uint32_t symbol_bare(struct names *n, uint64_t addr)
{
	char name[24];

	snprintf(name, sizeof(name), "0x%llx", (unsigned long long)addr);
	return names_symbol(n, name, 0, SYMBOL_BARE);
}

static int ksyms_new(struct ksyms **out, const char *text, size_t len)
{
	struct ksyms *k = calloc(1, sizeof(*k));
	int err;

	*out = NULL;
	if (!k)
		return -ENOMEM;
	err = ksyms_table_parse(&k->table, text, len);
	if (!err) {
		k->id = calloc(k->table.n + 1, sizeof(*k->id));
		err = k->id ? 0 : -ENOMEM;
	}
	k->proc_fd = -1;
	if (err) {
		ksyms_free(k);
		return err;
	}
	*out = k;
	return 0;
}

/* All of a file into *text, which is the caller's to free. */
static int file_read(int fd, char **text, size_t *len)
{
	size_t cap = 1 << 20, n = 0;
	char *p = malloc(cap), *more;
	ssize_t got = 1;

	while (p && (got = read(fd, p + n, cap - n)) > 0) {
		n += (size_t)got;
		if (n < cap)
			continue;
		cap *= 2;
		more = realloc(p, cap);
		if (!more)
			free(p);
		p = more;
	}
	if (!p)
		return -ENOMEM;
	if (got < 0) {
		int err = -errno;

		free(p);
		return err;
	}
	*text = p;
	*len = n;
	return 0;
}

static enum ksyms_state table_state(const struct ksyms_table *t)
{
	if (t->functions)
		return KSYMS_OK;
	return t->seen ? KSYMS_HIDDEN : KSYMS_EMPTY;
}

static int ksyms_read(struct ksyms **out, int proc_fd, enum ksyms_state *state)
{
	int fd = openat(proc_fd, "kallsyms", O_RDONLY | O_CLOEXEC), err;
	char *text = NULL;
	size_t len = 0;

	if (fd >= 0) {
		err = file_read(fd, &text, &len);
		close(fd);
		if (err)
			return err;
	}
	err = ksyms_new(out, text ? text : "", len);
	free(text);
	if (!err)
		*state = fd < 0 ? KSYMS_ABSENT : table_state(&(*out)->table);
	return err;
}

/* Put the table as it is now in the old one's place; 1 if it grew new. */
static int ksyms_reload(struct ksyms *k)
{
	uint64_t now = collector_now_ns();
	enum ksyms_state state;
	struct ksyms *fresh, old;

	if (k->proc_fd < 0 || now < k->reload_ns)
		return 0;
	k->reload_ns = now + k->wait_ns;
	if (k->wait_ns < RELOAD_MAX_NS)
		k->wait_ns *= 2;
	if (ksyms_read(&fresh, k->proc_fd, &state))
		return 0;
	if (state != KSYMS_OK) {	/* hidden since: the old one is true */
		ksyms_free(fresh);
		return 0;
	}
	old = *k;
	k->table = fresh->table;
	k->id = fresh->id;
	fresh->table = old.table;
	fresh->id = old.id;
	ksyms_free(fresh);
	return 1;
}

static const struct ksym *ksyms_find(struct ksyms *k, uint64_t addr)
{
	const struct ksym *s = ksyms_table_find(&k->table, addr);

	if (s || !ksyms_reload(k))
		return s;
	s = ksyms_table_find(&k->table, addr);
	if (s)
		k->wait_ns = RELOAD_NS;
	return s;
}

/* The function that holds addr; in a hole, the hex of `shown`. */
static uint32_t symbol_at(struct ksyms *k, struct names *n, uint64_t addr,
			  uint64_t shown)
{
	const struct ksym *s = ksyms_find(k, addr);
	size_t i;

	if (k->names != n) {
		memset(k->id, 0, (k->table.n + 1) * sizeof(*k->id));
		k->names = n;
	}
	if (!s)
		return symbol_bare(n, shown);
	i = (size_t)(s - k->table.sym);
	if (!k->id[i])
		k->id[i] = symbol_new(&k->table, s, n);
	return k->id[i];
}

int ksyms_parse(struct ksyms **out, const char *text, size_t len)
{
	return ksyms_new(out, text, len);
}

int ksyms_load(struct ksyms **out, int proc_fd, enum ksyms_state *state)
{
	int err = ksyms_read(out, proc_fd, state);

	if (err || *state != KSYMS_OK)
		return err;
	(*out)->proc_fd = proc_fd;
	(*out)->wait_ns = RELOAD_NS;
	(*out)->reload_ns = collector_now_ns() + RELOAD_NS;
	return 0;
}

int ksyms_share(struct ksyms **out, const struct env *env,
		enum ksyms_state *state)
{
	int err;

	if (env->ksyms && *env->ksyms) {
		*out = *env->ksyms;
		*state = (*out)->state;
		(*out)->others++;
		return 0;
	}
	err = ksyms_load(out, env->proc_fd, state);
	if (err || !env->ksyms)
		return err;
	(*out)->state = *state;
	(*out)->shared = env->ksyms;
	*env->ksyms = *out;
	return 0;
}

void ksyms_free(struct ksyms *k)
{
	if (!k)
		return;
	if (k->others) {
		k->others--;
		return;
	}
	if (k->shared)
		*k->shared = NULL;
	ksyms_table_free(&k->table);
	free(k->id);
	free(k);
}

size_t ksyms_count(const struct ksyms *k)
{
	return k->table.functions;
}

uint32_t ksyms_symbol(struct ksyms *k, struct names *n, uint64_t addr)
{
	return symbol_at(k, n, addr, addr);
}

uint32_t ksyms_stack(struct ksyms *k, struct names *n, uint8_t state,
		     const uint64_t *ip, size_t nip)
{
	uint32_t frame[FRAMES];
	size_t i;

	if (nip > FRAMES)
		nip = FRAMES;
	/* After a call that never returns, the return address is already the
	 * next function's; the innermost address is no return address. */
	for (i = 0; i < nip; i++) {
		frame[i] = symbol_at(k, n, ip[i] - (i > 0), ip[i]);
		if (!frame[i])
			return 0;
	}
	return names_stack(n, state, frame, nip);
}

char *ksyms_fold(const char *symbol, char *buf, size_t n)
{
	const char *dot = symbol;
	size_t len = strlen(symbol);

	while (*dot && (dot = strchr(dot + 1, '.')))
		if (is_suffix(dot)) {
			len = (size_t)(dot - symbol);
			break;
		}
	if (!n)
		return buf;
	if (len >= n)
		len = n - 1;
	memcpy(buf, symbol, len);
	buf[len] = '\0';
	return buf;
}

uint64_t ksyms_address(const struct ksyms *k, const char *symbol)
{
	const struct ksym *s = ksyms_table_named(&k->table, symbol);

	return s ? s->addr : 0;
}

const char *ksyms_name(const struct ksyms *k, uint64_t addr)
{
	const struct ksym *s = ksyms_table_find(&k->table, addr);

	return s ? k->table.text + s->name : "";
}
