/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the live source keep collectors apart, and follow a root that moves?
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "collector.h"
#include "doctor.h"
#include "source.h"
#include "test.h"

struct state {
	const struct env *env;
	int collects, drains;
};
static struct state good;
static int closed;

static int good_open(void **state, const struct env *env)
{
	good = (struct state){ .env = env };
	*state = &good;
	return 0;
}

/* Reads the file "value" of the root. */
static int good_collect(void *state, struct sample *s)
{
	struct state *st = state;
	char text[16] = "";
	int fd = openat(st->env->proc_fd, "value", O_RDONLY);

	st->collects++;
	collector_stamp(st->env, "good");
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) > 0)
		sample_add(s, VM_PGFAULT, 0, 0, strtoull(text, NULL, 10));
	close(fd);
	return 0;
}

static int good_drain(void *state)
{
	((struct state *)state)->drains++;
	return 0;
}

static void good_close(void *state)
{
	closed += state == &good;
}

static int asks;

/* On, off, then refused. */
static int good_ask(void *state, enum collector_ask what)
{
	struct state *st = state;

	if (what != ASK_PIPE_BYTES)
		return -ENOTSUP;
	if (++asks < 3)
		return asks == 1;
	health_set(st->env->health, "good", "", 0, -1, HEALTH_ABSENT, EPERM,
		   NULL, "refused here");
	return -EPERM;
}

static const struct collector good_one = {
	.name = "good", .needs = "a file", .open = good_open,
	.collect = good_collect, .drain = good_drain, .close = good_close,
	.ask = good_ask,
};

static int bad_open(void **state, const struct env *env)
{
	(void)state;
	(void)env;
	return -EACCES;
}

static const struct collector bad_one = {
	.name = "bad", .needs = "luck", .open = bad_open,
	.collect = good_collect, .close = good_close,
};

static int worse_collect(void *state, struct sample *s)
{
	(void)state;
	(void)s;
	return -EIO;
}

static const struct collector worse_one = {
	.name = "worse", .needs = "luck", .open = good_open,
	.collect = worse_collect, .close = good_close,
};

static const struct collector kernel_one = {
	.name = "kernel", .needs = "the kernel", .live_only = 1,
	.open = good_open, .collect = worse_collect, .close = good_close,
};

static struct options options_of(const char *proc)
{
	return (struct options){ .proc = proc, .sys = "/sys" };
}

static void value_write(const char *dir, const char *text)
{
	char path[128];
	FILE *f;

	mkdir(dir, 0755);
	snprintf(path, sizeof(path), "%s/value", dir);
	f = fopen(path, "w");
	CHECK(f && fputs(text, f) >= 0);
	fclose(f);
}

static const struct reading *value_read(struct source *src, struct sample *s)
{
	CHECK_EQ_INT(src->next(src, s), 1);
	return sample_find(s, VM_PGFAULT, 0, 0);
}

TEST(live_goes_on_when_a_collector_fails)
{
	static const struct collector *const table[] = {
		&bad_one, &worse_one, &good_one, NULL
	};
	struct options opt = options_of("/proc");
	const struct health_item *why;
	struct sample s = { 0 };
	struct source *src;

	closed = 0;
	CHECK_EQ_INT(live_open(&src, &opt, table), 0);
	CHECK_EQ_INT(sample_init(&s), 0);
	CHECK_EQ_INT(src->next(src, &s), 1);
	CHECK_EQ_INT(src->next(src, &s), 1);
	CHECK_EQ_INT(good.collects, 2);
	CHECK_EQ_U64(s.seq, 2);
	CHECK(s.mono_ns && s.boot_ns && s.wall_ns);
	CHECK(s.host->cpus > 0 && *s.host->release);

	/* both failures have a reason, in the sample's own copy */
	why = health_why(s.health, "bad", 0, -1);
	CHECK(why && why->level == HEALTH_ABSENT);
	CHECK_EQ_INT(why->err, EACCES);
	CHECK_EQ_STR(why->why, strerror(EACCES));
	why = health_why(s.health, "worse", 0, -1);
	CHECK(why && why->level == HEALTH_PARTLY);
	CHECK(!health_why(s.health, "good", 0, -1));

	live_drain(src);
	CHECK_EQ_INT(good.drains, 1);
	CHECK_EQ_INT(src->seek(src, 1), -ENOTSUP);
	sample_free(&s);
	src->close(src);
	CHECK_EQ_INT(closed, 2);	/* never the one that did not open */
}

/* A switched symlink is another tree; a vanished one leaves no number. */
TEST(live_follows_the_root)
{
	static const struct collector *const table[] = {
		&good_one, &kernel_one, NULL
	};
	char dir[] = "/tmp/test_live.XXXXXX", a[64], b[64], now[64], next[64];
	char command[96];
	const struct health_item *why;
	struct sample s = { 0 };
	struct source *src;
	struct options opt;

	CHECK(mkdtemp(dir) != NULL);
	snprintf(a, sizeof(a), "%s/a", dir);
	snprintf(b, sizeof(b), "%s/b", dir);
	snprintf(now, sizeof(now), "%s/now", dir);
	snprintf(next, sizeof(next), "%s/next", dir);
	value_write(a, "11");
	value_write(b, "22");
	CHECK(!symlink(a, now) && !symlink(b, next));

	opt = options_of(now);
	CHECK_EQ_INT(live_open(&src, &opt, table), 0);
	CHECK_EQ_INT(sample_init(&s), 0);
	CHECK_EQ_U64(value_read(src, &s)->value, 11);
	CHECK(!rename(next, now));
	CHECK_EQ_U64(value_read(src, &s)->value, 22);
	value_write(b, "33");
	CHECK_EQ_U64(value_read(src, &s)->value, 33);

	/* never two machines on one screen */
	CHECK_EQ_INT(good.env->rooted, 1);
	CHECK(good.env->sys_fd < 0);
	why = health_why(s.health, "kernel", 0, -1);
	CHECK(why && strstr(why->why, "another machine"));
	CHECK_EQ_STR(s.host->release, "?");

	snprintf(command, sizeof(command), "%s/value", b);
	unlink(command);
	CHECK(!value_read(src, &s));
	sample_free(&s);
	src->close(src);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	CHECK_EQ_INT(system(command), 0);
}

TEST(live_asks_for_bytes_of_pipes_and_gives_the_reason)
{
	static const struct collector *const table[] = {
		&bad_one, &kernel_one, &good_one, NULL
	};
	static const struct collector *const none[] = { &kernel_one, NULL };
	struct options opt = options_of("/proc");
	struct source *src;
	char why[64];

	asks = 0;
	CHECK_EQ_INT(live_open(&src, &opt, table), 0);
	CHECK_EQ_INT(live_ask_pipe_bytes(src, why, sizeof(why)), 1);
	CHECK_EQ_STR(why, "");
	CHECK_EQ_INT(live_ask_pipe_bytes(src, why, sizeof(why)), 0);
	CHECK_EQ_INT(live_ask_pipe_bytes(src, why, sizeof(why)), -EPERM);
	CHECK_EQ_STR(why, "refused here");
	src->close(src);
	CHECK_EQ_INT(live_open(&src, &opt, none), 0);
	CHECK(live_ask_pipe_bytes(src, why, sizeof(why)) < 0);
	CHECK(*why);
	src->close(src);
}

TEST(live_refuses_a_root_that_is_none)
{
	static const struct collector *const table[] = { NULL };
	struct options opt = options_of("/nonexistent");
	struct source *src;

	CHECK_EQ_INT(live_open(&src, &opt, table), -ENOENT);
	CHECK(!src);
	opt.proc = "/dev/null";
	CHECK_EQ_INT(live_open(&src, &opt, table), -ENOTDIR);
	CHECK(!src);
}

TEST(live_charges_cpu_time_to_its_collector)
{
	static const struct collector *const table[] = { &good_one, NULL };
	struct options opt = options_of("/proc");
	struct sample s = { 0 };
	struct source *src;
	uint64_t before;
	int i;

	CHECK_EQ_INT(live_open(&src, &opt, table), 0);
	CHECK_EQ_INT(sample_init(&s), 0);
	CHECK_EQ_INT(src->next(src, &s), 1);
	before = health_cost(s.health, "good")->cost_ns;
	for (i = 0; i < 100; i++)
		CHECK_EQ_INT(src->next(src, &s), 1);
	CHECK(health_cost(s.health, "good")->cost_ns > before);
	CHECK(health_cost(s.health, "good")->read_ns >= s.mono_ns);
	sample_free(&s);
	src->close(src);
}

/* Two that hold maps in the kernel; doctor adds them up. */
static int maps_open(void **state, const struct env *env)
{
	struct health_cost *one = health_cost(env->health, "maps");
	struct health_cost *two = health_cost(env->health, "good");

	*state = NULL;
	CHECK(env->ksyms && !*env->ksyms);	/* a place, empty yet */
	one->map_bytes = 2600000;
	one->map_cpu_bytes = 4000;
	two->map_bytes = 300000;
	two->map_cpu_bytes = 1000;
	return 0;
}

static int maps_collect(void *state, struct sample *s)
{
	(void)state;
	(void)s;
	return 0;
}

static void maps_close(void *state)
{
	(void)state;
}

static const struct collector maps_one = {
	.name = "maps", .needs = "memory", .open = maps_open,
	.collect = maps_collect, .close = maps_close,
};

static char *doctor_text(const struct collector *const *table)
{
	struct options opt = options_of("/proc");
	struct source *src;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	CHECK(f != NULL);
	CHECK_EQ_INT(live_open(&src, &opt, table), 0);
	CHECK_EQ_INT(doctor_run(f, src, table), 0);
	src->close(src);
	fclose(f);
	return text;
}

TEST(doctor_adds_up_the_memory_of_maps)
{
	static const struct collector *const table[] = {
		&good_one, &maps_one, NULL
	}, *const none[] = { &good_one, NULL };
	char *text = doctor_text(table);

	CHECK(strstr(text, "\nok        maps memory             2.6 MB of maps"));
	CHECK(strstr(text, "\nok        good memory             300 kB of maps"));
	CHECK(strstr(text, "\nok        memory                  2.9 MB of maps "
		     "in the kernel; each CPU more\n" "                       "
		     "           would add 5 kB\n"));
	free(text);
	text = doctor_text(none);
	CHECK(!strstr(text, "maps"));
	free(text);
}

TEST_MAIN
