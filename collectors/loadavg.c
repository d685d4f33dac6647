// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many tasks want a CPU, several times within a sample?  The running field
 * of /proc/loadavg (nr_running() at the moment of the read), read at each
 * drain: number, sum and largest of the depths give mean and maximum.
 *
 * The thread that reads is running itself: one less, where the file is the
 * running kernel's own; a captured file does not hold us.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "collectors.h"
#include "parse.h"
#include "procfs.h"

struct loadavg_state {
	const struct env *env;
	struct procfs_file file;
	struct loadavg last;
	uint64_t reads, sum;	/* since the start */
	uint64_t max;		/* since the sample before */
	int since;		/* reads since the sample before */
};

/* "12.34" in 1/100; further digits are left. */
static int take_centi(struct procfs_line *l, uint64_t *centi)
{
	const char *word, *dot;
	struct procfs_line whole;
	size_t n = procfs_take_word(l, &word);
	uint64_t v;

	dot = memchr(word, '.', n);
	if (!dot || word + n - dot < 3 || dot[1] < '0' || dot[1] > '9' ||
	    dot[2] < '0' || dot[2] > '9')
		return 0;
	whole = (struct procfs_line) { word, dot };
	if (!procfs_take_u64(&whole, &v) || v > UINT64_MAX / 200)
		return 0;
	*centi = v * 100 + (uint64_t)(dot[1] - '0') * 10 +
		 (uint64_t)(dot[2] - '0');
	return 1;
}

int loadavg_parse(const char *text, size_t len, struct loadavg *load)
{
	struct procfs_line l = { text, text + len }, part;
	const char *word, *slash;
	uint64_t others;
	size_t n;

	if (!take_centi(&l, &load->avg1_centi) || !take_centi(&l, &others) ||
	    !take_centi(&l, &others))
		return -EINVAL;
	n = procfs_take_word(&l, &word);
	slash = memchr(word, '/', n);
	/* a number that ends the text may have been cut: a blank must follow */
	if (!slash || word + n == text + len)
		return -EINVAL;
	part = (struct procfs_line) { word, slash };
	if (!procfs_take_u64(&part, &load->running))
		return -EINVAL;
	part = (struct procfs_line) { slash + 1, word + n };
	if (!procfs_take_u64(&part, &load->tasks))
		return -EINVAL;
	/* a sum below zero printed unsigned, as some -rt kernels did */
	return load->running > INT32_MAX ? -ERANGE : 0;
}

static int loadavg_open(void **state, const struct env *env)
{
	struct loadavg_state *st = calloc(1, sizeof(*st));

	if (!st)
		return -ENOMEM;
	st->env = env;
	st->file = (struct procfs_file) {
		.env = env, .collector = "loadavg", .part = "",
		.path = "loadavg",
	};
	*state = st;
	return 0;
}

static int loadavg_read(struct loadavg_state *st)
{
	ssize_t len = procfs_read(&st->file);
	int err;

	if (len < 0)
		return (int)len;
	err = loadavg_parse(st->file.buf, (size_t)len, &st->last);
	if (err) {
		procfs_report(&st->file, err);
		return err;
	}
	if (st->file.live && st->last.running)
		st->last.running--;
	if (!st->since || st->last.running > st->max)
		st->max = st->last.running;
	st->since++;
	st->reads++;
	st->sum += st->last.running;
	return 0;
}

static int loadavg_drain(void *state)
{
	return loadavg_read(state);
}

static int loadavg_collect(void *state, struct sample *s)
{
	struct loadavg_state *st = state;
	int err;

	collector_stamp(st->env, "loadavg");
	err = loadavg_read(st);
	if (err)
		return err;
	if (sample_add(s, LOAD_RUNNING, 0, 0, st->last.running) ||
	    sample_add(s, LOAD_READS, 0, 0, st->reads) ||
	    sample_add(s, LOAD_SUM, 0, 0, st->sum) ||
	    sample_add(s, LOAD_MAX, 0, 0, st->max) ||
	    sample_add(s, LOAD_TASKS, 0, 0, st->last.tasks) ||
	    sample_add(s, LOAD_AVG1, 0, 0, st->last.avg1_centi))
		return -ENOMEM;
	health_set(st->env->health, "loadavg", "", 0, -1, HEALTH_OK, 0, NULL,
		   "depth at every drain");
	st->since = 0;
	return 0;
}

static void loadavg_close(void *state)
{
	struct loadavg_state *st = state;

	if (st)
		procfs_free(&st->file);
	free(st);
}

const struct collector loadavg_collector = {
	.name = "loadavg",
	.needs = "/proc/loadavg",
	.open = loadavg_open,
	.drain = loadavg_drain,
	.collect = loadavg_collect,
	.close = loadavg_close,
};
