// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which CPUs are interrupted by others: TLB shootdowns, rescheduling, function
 * calls?  From the few rows of /proc/interrupts that tell; all others, and a
 * big box has 1,000 of 12 kB each, are skipped by one memchr().
 *
 * Columns belong to the CPUs of the header, which is read with every row: it
 * lists online CPUs only, with holes, and changes while we run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "collectors.h"
#include "parse.h"
#include "procfs.h"

struct interrupts {
	const struct env *env;
	struct procfs_file file;
};

static const struct {
	const char *label;
	uint16_t metric;
	int bit;
} rows[] = {
	{ "TLB", IRQ_TLB, INTERRUPTS_TLB },
	{ "RES", IRQ_RES, INTERRUPTS_RES },
	{ "CAL", IRQ_CAL, INTERRUPTS_CAL },
	{ "LOC", IRQ_LOC, INTERRUPTS_LOC },
};

/* The header's next column; -1 when there is none. */
static int next_cpu(struct procfs_line *header)
{
	const char *word;
	size_t n = procfs_take_word(header, &word);

	return procfs_cpu_number(word, n, "CPU");
}

static int add_row(struct procfs_line row, struct procfs_line header,
		   uint16_t metric, uint32_t sub, struct sample *s)
{
	uint64_t count;
	int cpu;

	while ((cpu = next_cpu(&header)) >= 0 && procfs_take_u64(&row, &count))
		if (sample_add(s, metric, (uint32_t)cpu, sub, count))
			return -ENOMEM;
	return 0;
}

/* The words after the numbers: what the row counts. */
static uint32_t row_text(struct procfs_line row, struct names *names)
{
	const char *end = row.end;
	uint64_t count;

	while (procfs_take_u64(&row, &count))
		;
	while (row.p < end && (*row.p == ' ' || *row.p == '\t'))
		row.p++;
	while (end > row.p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (end == row.p)
		return 0;
	return names_text(names, row.p, (size_t)(end - row.p));
}

/* arm, arm64 and riscv number their inter-processor interrupts differently in
 * every release ("IPI0:"): the text names them. */
static int parse_ipi(struct procfs_line row, const struct procfs_line *header,
		     struct sample *s)
{
	uint32_t text = row_text(row, s->names);
	int err;

	if (!text)
		return 0;
	err = add_row(row, *header, IRQ_IPI, text, s);
	return err ? err : INTERRUPTS_IPI;
}

static int parse_row(struct procfs_line row, const struct procfs_line *header,
		     struct sample *s)
{
	const char *label;
	size_t i, n = procfs_take_word(&row, &label);
	int err;

	if (n < 2 || label[n - 1] != ':')
		return 0;
	n--;
	if (n > 3 && !memcmp(label, "IPI", 3))
		return parse_ipi(row, header, s);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (n != strlen(rows[i].label) ||
		    memcmp(label, rows[i].label, n))
			continue;
		err = add_row(row, *header, rows[i].metric, 0, s);
		return err ? err : rows[i].bit;
	}
	return 0;
}

int interrupts_parse(const char *text, size_t len, struct sample *s)
{
	const char *at = text, *end = text + len;
	struct procfs_line header, row, first;
	int bits = 0, got;

	if (!procfs_next_line(&at, end, &header))
		return -EINVAL;
	first = header;
	if (next_cpu(&first) < 0)
		return -EINVAL;
	while (procfs_next_line(&at, end, &row)) {
		got = parse_row(row, &header, s);
		if (got < 0)
			return got;
		bits |= got;
	}
	return bits;
}

static int interrupts_open(void **state, const struct env *env)
{
	struct interrupts *in = calloc(1, sizeof(*in));

	if (!in)
		return -ENOMEM;
	in->env = env;
	in->file = (struct procfs_file) {
		.env = env, .collector = "interrupts", .part = "",
		.path = "interrupts",
	};
	*state = in;
	return 0;
}

static void interrupts_report(struct health *h, int bits)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (bits & rows[i].bit)
			health_clear(h, "interrupts", rows[i].label,
				     rows[i].metric, -1);
		else
			health_set(h, "interrupts", rows[i].label,
				   rows[i].metric, -1, HEALTH_ABSENT, 0, NULL,
				   "not counted by this architecture");
	}
	health_set(h, "interrupts", "", 0, -1, bits ? HEALTH_OK : HEALTH_PARTLY,
		   0, NULL, "%s%s%s%s%s%s", bits ? "rows" : "no row of ours",
		   bits & INTERRUPTS_TLB ? " TLB" : "",
		   bits & INTERRUPTS_RES ? " RES" : "",
		   bits & INTERRUPTS_CAL ? " CAL" : "",
		   bits & INTERRUPTS_LOC ? " LOC" : "",
		   bits & INTERRUPTS_IPI ? " IPI" : "");
}

static int interrupts_collect(void *state, struct sample *s)
{
	struct interrupts *in = state;
	ssize_t len;
	int bits;

	collector_stamp(in->env, "interrupts");
	len = procfs_read(&in->file);
	if (len < 0)
		return (int)len;
	bits = interrupts_parse(in->file.buf, (size_t)len, s);
	if (bits < 0) {
		procfs_report(&in->file, bits);
		return bits;
	}
	interrupts_report(in->env->health, bits);
	return 0;
}

static void interrupts_close(void *state)
{
	struct interrupts *in = state;

	if (in)
		procfs_free(&in->file);
	free(in);
}

const struct collector interrupts_collector = {
	.name = "interrupts",
	.needs = "/proc/interrupts",
	.open = interrupts_open,
	.collect = interrupts_collect,
	.close = interrupts_close,
};
