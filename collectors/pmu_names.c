/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events do the PMUs of this box have, and how does the kernel take
 * them?  By libpfm4's tables.
 *
 * <perfmon/pfmlib_perf_event.h> brings a perf_event.h of its own, which must
 * not meet the kernel's: no other header here knows perf_event_attr.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <perfmon/pfmlib_perf_event.h>
#include "pmu_names.h"

enum { NAME_ROOM = 512, NAME_COLUMN = 44 };

static int pmu_names_start(void)
{
	static int err = 1;	/* not tried yet */

	if (err > 0)
		err = pfm_initialize() == PFM_SUCCESS ? 0 : -ENOSYS;
	return err;
}

/*
 * libpfm4 wants "cycles:u:k" where perf says "cycles:uk".  0, or -EINVAL when
 * the name is too long to be one.
 */
static int split_modifiers(const char *name, char *buf, size_t n)
{
	const char *last = strrchr(name, ':');
	size_t len = strlen(name), words;

	words = last ? strlen(last + 1) : 0;
	if (len + 2 * words + 1 > n)
		return -EINVAL;
	memcpy(buf, name, len + 1);
	if (words < 2 || words > 3 || strspn(last + 1, "ukh") != words)
		return 0;
	buf += last - name;
	for (name = last + 1; *name; name++) {
		*buf++ = ':';
		*buf++ = *name;
	}
	*buf = '\0';
	return 0;
}

static void code_from(struct perf_code *c, const struct perf_event_attr *a)
{
	memset(c, 0, sizeof(*c));
	c->type = a->type;
	c->config = a->config;
	c->config1 = a->config1;
	c->config2 = a->config2;
	c->exclude_user = a->exclude_user;
	c->exclude_kernel = a->exclude_kernel;
	c->exclude_hv = a->exclude_hv;
	c->exclude_idle = a->exclude_idle;
}

int pmu_names_code(const char *name, struct perf_code *code, char *why,
		   size_t nwhy)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	char full[NAME_ROOM];
	int err = pmu_names_start();

	if (err) {
		snprintf(why, nwhy, "libpfm4 does not start");
		return err;
	}
	err = split_modifiers(name, full, sizeof(full));
	if (err) {
		snprintf(why, nwhy, "too long");
		return err;
	}
	err = pfm_get_os_event_encoding(full, PFM_PLM0 | PFM_PLM3 | PFM_PLMH,
					PFM_OS_PERF_EVENT_EXT, &arg);
	if (err != PFM_SUCCESS) {
		snprintf(why, nwhy, "%s", pfm_strerror(err));
		return err == PFM_ERR_NOTFOUND ? -ENOENT : -EINVAL;
	}
	if (attr.sample_period) {
		snprintf(why, nwhy, "a counter takes no period and no freq");
		return -EINVAL;
	}
	code_from(code, &attr);
	return 0;
}

int pmu_names_match(const char *name, const char *pattern)
{
	if (!pattern || !*pattern)
		return 1;
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, name, FNM_CASEFOLD);
	return !!strcasestr(name, pattern);
}

void pmu_names_line(FILE *f, const char *name, const char *text)
{
	fprintf(f, "%-*s ", NAME_COLUMN, name);
	for (; *text; text++)
		putc(iscntrl((unsigned char)*text) ? ' ' : *text, f);
	putc('\n', f);
}

static long list_one(FILE *f, const char *pattern, const char *name,
		     const char *text)
{
	if (!pmu_names_match(name, pattern))
		return 0;
	pmu_names_line(f, name, text ? text : "");
	return 1;
}

/* The event by itself where that means something, and by each unit mask. */
static long list_event(FILE *f, const char *pattern, const char *pmu,
		       const pfm_event_info_t *e)
{
	pfm_event_attr_info_t a = { .size = sizeof(a) };
	char name[NAME_ROOM];
	long n;
	int i;

	snprintf(name, sizeof(name), "%s::%s", pmu, e->name);
	n = list_one(f, pattern, name, e->desc);
	for (i = 0; i < e->nattrs; i++) {
		if (pfm_get_event_attr_info(e->idx, i, PFM_OS_PERF_EVENT_EXT,
					    &a) != PFM_SUCCESS ||
		    a.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s::%s:%s", pmu, e->name,
			 a.name);
		n += list_one(f, pattern, name, a.desc);
	}
	return n;
}

/* libpfm4 lists tracepoints itself where it finds debugfs. */
static int is_tracepoint(const pfm_event_info_t *e)
{
	return e->desc && !strcmp(e->desc, "tracepoint");
}

static long list_pmu(FILE *f, const char *pattern, const pfm_pmu_info_t *p)
{
	pfm_event_info_t e = { .size = sizeof(e) };
	long n = 0;
	int i;

	for (i = p->first_event; i != -1; i = pfm_get_event_next(i))
		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &e) ==
		    PFM_SUCCESS && !is_tracepoint(&e))
			n += list_event(f, pattern, p->name, &e);
	return n;
}

long pmu_names_list(FILE *f, const char *pattern)
{
	pfm_pmu_info_t p = { .size = sizeof(p) };
	int pmu, err = pmu_names_start();
	long n = 0;

	if (err)
		return err;
	pfm_for_all_pmus(pmu)
		if (pfm_get_pmu_info(pmu, &p) == PFM_SUCCESS && p.is_present)
			n += list_pmu(f, pattern, &p);
	return n;
}
