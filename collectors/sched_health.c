/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of the sched collector?  Each cause apart, with what to do
 * about it.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "sched_health.h"
#include "tracefs.h"

static const char collector[] = "sched";

static void absent(struct health *h, int err, const char *remedy,
		   const char *why)
{
	health_set(h, collector, "", 0, -1, HEALTH_ABSENT, -err, remedy, "%s",
		   why);
}

static int format_read(int tracefs, struct sched_format *f,
		       const char *release)
{
	char text[16384];
	ssize_t n;
	int fd = openat(tracefs, "events/sched/sched_switch/format",
			O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text));
	if (n < 0)
		n = -errno;
	close(fd);
	return n < 0 ? (int)n
		     : sched_format_parse(f, text, (size_t)n, release);
}

int sched_health_event(const struct env *env, struct sched_format *f,
		       struct perf_code *code)
{
	struct tracefs_why w;
	int fd = tracefs_open(&w), err;

	if (fd < 0) {
		absent(env->health, fd, w.remedy, w.why);
		return fd;
	}
	code->type = PERF_TYPE_TRACEPOINT;
	err = tracefs_event_id(fd, "sched", "sched_switch", &code->config);
	if (!err)
		err = format_read(fd, f, env->host ? env->host->release : "");
	close(fd);
	if (err == -EINVAL)
		health_set(env->health, collector, "", 0, -1, HEALTH_ABSENT,
			   EINVAL, NULL, "sched:sched_switch: %s",
			   f->why[0] ? f->why : "its id is not a number");
	else if (err)
		health_set(env->health, collector, "", 0, -1, HEALTH_ABSENT,
			   -err, "a kernel with CONFIG_TRACING",
			   "the kernel shows no event sched:sched_switch: %s",
			   strerror(-err));
	return err;
}

void sched_health_refused(struct health *h, int err,
			  const struct perf_code *code)
{
	char why[HEALTH_WHY], remedy[HEALTH_WHY];

	perf_why(err, code, why, sizeof(why), remedy, sizeof(remedy));
	absent(h, err, remedy, why);
}

void sched_health_symbols(struct health *h, enum ksyms_state state)
{
	static const struct {
		int err;
		const char *why, *remedy;
	} said[] = {
		[KSYMS_HIDDEN] = {
			EPERM,
			"kernel addresses are hidden, frames stay hex; "
			"totals are exact (kernel.kptr_restrict)",
			"as root: sysctl kernel.kptr_restrict=1"
		},
		[KSYMS_ABSENT] = {
			ENOENT,
			"/proc/kallsyms cannot be read, frames stay hex; "
			"totals are exact",
			"a kernel with CONFIG_KALLSYMS"
		},
		[KSYMS_EMPTY] = {
			ENODATA,
			"/proc/kallsyms holds no functions, frames stay hex; "
			"totals are exact",
			"a kernel with CONFIG_KALLSYMS"
		},
	};

	if (state == KSYMS_OK)
		health_clear(h, collector, "symbols", 0, -1);
	else
		health_set(h, collector, "symbols", 0, -1, HEALTH_PARTLY,
			   said[state].err, said[state].remedy, "%s",
			   said[state].why);
}

static int is_other_scale(uint64_t a, uint64_t b)
{
	return (a == 1) != (b == 1) || a > 2 * b || b > 2 * a;
}

/* "219,034" */
static const char *grouped(uint64_t v, char *buf, size_t n)
{
	char *p = buf + n;
	int digits = 0;

	*--p = '\0';
	do {
		if (digits && digits % 3 == 0)
			*--p = ',';
		*--p = (char)('0' + v % 10);
		digits++;
	} while ((v /= 10));
	return p;
}

static void coverage_say(struct health *h, const struct sched_state *s,
			 const char *engine)
{
	char symbols[32], every[32], lost[32];

	health_set(h, collector, "", 0, -1, HEALTH_OK,
		   0, s->lost ? "a larger --every, or fewer --stacks" : NULL,
		   "%s; %s symbols; %s%s, %s lost", engine,
		   grouped(s->symbols, symbols, sizeof(symbols)),
		   s->every == 1 ? "every switch" : "1 in ",
		   s->every == 1 ? ""
				 : grouped(s->every, every, sizeof(every)),
		   grouped(s->lost, lost, sizeof(lost)));
}

void sched_health_update(struct health *h, struct sched_state *s,
			 const char *engine)
{
	struct health_cost *cost = health_cost(h, collector);

	if (cost)
		cost->lost = s->lost;
	if (!s->told_every || s->lost != s->told_lost ||
	    is_other_scale(s->every, s->told_every)) {
		coverage_say(h, s, engine);
		s->told_every = s->every;
		s->told_lost = s->lost;
	}
	if (s->bad)
		health_set(h, collector, "records", 0, -1, HEALTH_PARTLY,
			   EINVAL, NULL, "%llu records were shorter than "
			   "their format says",
			   (unsigned long long)s->bad);
	if (s->backwards)
		health_set(h, collector, "waits", 0, -1, HEALTH_NOTE, 0, NULL,
			   "%llu waits ended before they began and were "
			   "dropped", (unsigned long long)s->backwards);
}
