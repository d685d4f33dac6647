/*
 * What the tests of the collectors of /proc share: a sample to parse into, an
 * environment below a folder, and a tree of files made for one test.
 */
#ifndef PROC_TEST_H
#define PROC_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "collectors.h"
#include "parse.h"
#include "procfs.h"
#include "test.h"

#define ABSENT	UINT64_MAX

struct proc_test {
	struct sample s;
	struct health health;
	struct host host;
	struct options opt;
	struct env env;
	char dir[64];
	void *state;
};

static TEST_UNUSED void proc_start(struct proc_test *t)
{
	memset(t, 0, sizeof(*t));
	CHECK_EQ_INT(sample_init(&t->s), 0);
	t->env.proc_fd = t->env.sys_fd = -1;
	t->env.health = &t->health;
	t->env.host = &t->host;
	t->env.opt = &t->opt;
	t->env.names = t->s.names = names_new();
	CHECK(t->env.names != NULL);
}

static TEST_UNUSED void proc_end(struct proc_test *t)
{
	char command[100];

	sample_free(&t->s);
	health_free(&t->health);
	names_free(t->env.names);
	if (t->env.proc_fd >= 0)
		close(t->env.proc_fd);
	if (t->env.sys_fd >= 0)
		close(t->env.sys_fd);
	if (!t->dir[0])
		return;
	snprintf(command, sizeof(command), "rm -rf %s", t->dir);
	CHECK_EQ_INT(system(command), 0);
}

static TEST_UNUSED void proc_root(struct proc_test *t, const char *dir)
{
	if (t->env.proc_fd >= 0)
		close(t->env.proc_fd);
	t->env.proc_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (t->env.proc_fd < 0)
		FAIL("%s: %s", dir, strerror(errno));
	t->env.rooted = 1;
}

/* The moment n of the time line. */
static TEST_UNUSED void proc_line(struct proc_test *t, int n)
{
	char dir[64];

	snprintf(dir, sizeof(dir), "tests/fixtures/line/t%d/proc", n);
	proc_root(t, dir);
}

static TEST_UNUSED void proc_live(struct proc_test *t)
{
	proc_root(t, "/proc");
	t->env.sys_fd = open("/sys", O_PATH | O_DIRECTORY | O_CLOEXEC);
	t->env.rooted = 0;
}

/* An empty tree of its own. */
static TEST_UNUSED void proc_tree(struct proc_test *t)
{
	snprintf(t->dir, sizeof(t->dir), "/tmp/stalltop-test-XXXXXX");
	CHECK(mkdtemp(t->dir) != NULL);
	proc_root(t, t->dir);
}

static TEST_UNUSED void proc_put_bytes(struct proc_test *t, const char *name,
				       const char *text, size_t len)
{
	char dir[64];
	const char *slash = strchr(name, '/');
	int fd;

	if (slash) {
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash - name), name);
		mkdirat(t->env.proc_fd, dir, 0755);
	}
	fd = openat(t->env.proc_fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	CHECK(fd >= 0);
	CHECK_EQ_INT(write(fd, text, len), (ssize_t)len);
	close(fd);
}

static TEST_UNUSED void proc_put(struct proc_test *t, const char *name,
				 const char *text)
{
	proc_put_bytes(t, name, text, strlen(text));
}

static TEST_UNUSED void proc_open(struct proc_test *t,
				  const struct collector *c)
{
	CHECK_EQ_INT(c->open(&t->state, &t->env), 0);
}

/* A new sample by the collector: what collect() says; it is sealed. */
static TEST_UNUSED int proc_collect(struct proc_test *t,
				    const struct collector *c)
{
	int err;

	sample_reset(&t->s);
	err = c->collect(t->state, &t->s);
	sample_seal(&t->s);
	return err;
}

/* The value, or ABSENT. */
static TEST_UNUSED uint64_t proc_value(const struct proc_test *t,
				       uint16_t metric, uint32_t key,
				       uint32_t sub)
{
	const struct reading *r = sample_find(&t->s, metric, key, sub);

	return r ? r->value : ABSENT;
}

static TEST_UNUSED uint64_t proc_sum(const struct proc_test *t,
				     uint16_t metric, size_t *n)
{
	const struct reading *r = sample_range(&t->s, metric, n);
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < *n; i++)
		sum += r[i].value;
	return sum;
}

/* The health item of (collector, part, metric 0 or any), or NULL. */
static TEST_UNUSED const struct health_item *proc_health(
	const struct proc_test *t, const char *collector, const char *part)
{
	size_t i;

	for (i = 0; i < t->health.n; i++)
		if (!strcmp(t->health.item[i].collector, collector) &&
		    !strcmp(t->health.item[i].part, part))
			return t->health.item + i;
	return NULL;
}

static TEST_UNUSED void proc_says(const struct proc_test *t,
				  const char *collector, const char *part,
				  enum health_level level, const char *word)
{
	const struct health_item *i = proc_health(t, collector, part);

	if (!i)
		FAIL("no health item of %s/%s", collector, part);
	CHECK_EQ_INT(i->level, level);
	if (!strstr(i->why, word))
		FAIL("\"%s\" does not say \"%s\"", i->why, word);
}

#endif
