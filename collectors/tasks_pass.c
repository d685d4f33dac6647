// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does every thread do, as a program in the kernel lists it?
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "task_letter.h"
#include "tasks_pass.h"

enum { BUFFER = 64 << 10 };	/* the kernel's own is half of it */

void tasks_cputime(uint64_t run_ns, uint64_t utime_ticked,
		   uint64_t stime_ticked, uint64_t *utime, uint64_t *stime)
{
	uint64_t ticked = utime_ticked + stime_ticked, kernel;

	if (*utime + *stime >= run_ns)
		return;
	kernel = !stime_ticked ? 0 : !utime_ticked ? run_ns :
		 (uint64_t)((unsigned __int128)run_ns * stime_ticked / ticked);
	if (kernel < *stime)
		kernel = *stime;
	if (run_ns - kernel < *utime)
		kernel = run_ns - *utime;
	*stime = kernel;
	*utime = run_ns - kernel;
}

/* Its name, interned anew only when the task calls itself otherwise. */
static void name_take(const struct tasks_pass *p, struct task *task,
		      const struct tasks_row *r)
{
	uint32_t id;

	if (task->id && !memcmp(task->comm, r->comm, sizeof(task->comm)))
		return;
	memcpy(task->comm, r->comm, sizeof(task->comm));
	id = names_task(p->env->names, r->tid, task->start, r->tgid, r->comm,
			strnlen(r->comm, sizeof(r->comm)));
	if (id != task->id)		/* the sched collector may own it too */
		names_hold(p->env->names, id);
	task->id = id;
}

static void counts_take(const struct tasks_pass *p, struct task *task,
			const struct tasks_row *r)
{
	tasks_cputime(r->run_ns, r->utime_ns, r->stime_ns, &task->utime_ns,
		      &task->stime_ns);
	task->count[TASK_COUNT_UTIME] = task->utime_ns / p->tick_ns;
	task->count[TASK_COUNT_STIME] = task->stime_ns / p->tick_ns;
	task->count[TASK_COUNT_MINFLT] = r->minflt;
	task->count[TASK_COUNT_MAJFLT] = r->majflt;
	task->count[TASK_COUNT_RUN] = r->run_ns;
	task->count[TASK_COUNT_DELAY] = r->delay_ns;
	task->count[TASK_COUNT_SLICES] = r->slices;
	task->count[TASK_COUNT_NVCSW] = r->nvcsw;
	task->count[TASK_COUNT_NIVCSW] = r->nivcsw;
	task->has_delay = task->has_switches = 1;
}

void tasks_pass_take(const struct tasks_pass *p, struct tasks_table *t,
		     const struct tasks_row *r)
{
	struct task *task = tasks_table_see(t, r->tid,
					    r->start_ns / p->tick_ns);

	if (!task)
		return;
	task->tgid = r->tgid;
	task->cpu = r->cpu;
	task->state = task_letter(r->state);
	task->cgroup = r->cgroup;
	counts_take(p, task, r);
	name_take(p, task, r);
	t->has_delay = t->has_switches = 1;
}

/* Whole rows of what is in the buffer; the rest stays for the next read. */
static size_t rows_take(struct tasks_pass *p, struct tasks_table *t)
{
	size_t at, n = 0;

	for (at = 0; p->have - at >= sizeof(struct tasks_row); n++) {
		struct tasks_row r;

		memcpy(&r, p->buf + at, sizeof(r));
		tasks_pass_take(p, t, &r);
		at += sizeof(r);
	}
	p->have -= at;
	memmove(p->buf, p->buf + at, p->have);
	return n;
}

ssize_t tasks_pass_read(struct tasks_pass *p, struct tasks_table *t)
{
	int fd = bpf_iterate(p->bpf, "tasks_list");
	ssize_t got, n = 0;

	if (fd < 0)
		return fd;
	p->have = 0;
	for (;;) {
		got = read(fd, p->buf + p->have, BUFFER - p->have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		p->have += (size_t)got;
		n += (ssize_t)rows_take(p, t);
	}
	got = got < 0 ? -errno : 0;
	close(fd);
	return got ? got : n ? n : -ENOENT;
}

int tasks_pass_open(struct tasks_pass *p, const struct env *env,
		    struct bpf_why *why)
{
	uint32_t ticks = env->host->clk_tck ? env->host->clk_tck : 100;
	struct tasks_facts *facts;
	int err = bpf_possible(env, why);

	p->env = env;
	p->cpus = env->host->cpus ? env->host->cpus : 1;
	p->tick_ns = 1000000000u / ticks;
	if (!err)
		err = bpf_open(&p->bpf, "tasks", why);
	if (err)
		return err;
	facts = bpf_variable(p->bpf, ".rodata", "facts");
	facts->cpus = p->cpus;
	bpf_resize(p->bpf, "depths", p->cpus);
	bpf_resize(p->bpf, "queues", p->cpus);
	err = bpf_load(p->bpf, why);
	if (err)
		return err;
	p->buf = malloc(BUFFER);
	if (!p->buf)
		bpf_why_set(why, -ENOMEM, NULL, "out of memory");
	return p->buf ? 0 : -ENOMEM;
}

void tasks_pass_close(struct tasks_pass *p)
{
	bpf_close(p->bpf);
	free(p->buf);
	memset(p, 0, sizeof(*p));
}
