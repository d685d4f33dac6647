/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How are kernel events counted and sampled?  Everything of libperf that the
 * collectors need, and no more; perf.c alone includes libperf.
 */
#ifndef COLLECTORS_PERF_H
#define COLLECTORS_PERF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct perf_code {		/* an event as the kernel takes it */
	uint32_t type;
	uint64_t config, config1, config2;
	int exclude_user, exclude_kernel, exclude_hv;	/* 0 or 1 */
	int exclude_idle;
};

struct perf_value { uint64_t value, enabled_ns, running_ns; };

struct perf_sample {		/* one record, pointers into the ring */
	uint32_t pid, tid;	/* who ran */
	uint32_t cpu;
	uint64_t time_ns;
	uint64_t count;		/* the slot's value then, as perf_read() has
				 * it; 0 with `own` */
	const uint64_t *ip;	/* kernel frames, innermost first, no
				 * context markers */
	size_t nip;
	const void *raw;	/* PERF_SAMPLE_RAW, NULL none */
	size_t nraw;
};

struct perf_group;		/* one event on every online CPU */

struct perf_want {
	struct perf_code code;
	uint64_t every;		/* 0: count only; else 1 sample in `every` */
	unsigned freq;		/* else samples per second and CPU */
	int stacks, raw;	/* take kernel stacks; raw record */
	unsigned pages;		/* ring pages per CPU, a power of two; shrunk
				 * until they fit (perf_event_mlock_kb) */
	int own;		/* this process and its children only */
};

/*
 * Open on every online CPU; one that is offline or refuses is left out.
 * 0 or -errno when none opened: perf_why() has the cause told apart.
 * -ENOBUFS: not even rings of one page fit.
 */
int perf_open(struct perf_group **out, const struct perf_want *want);
void perf_close(struct perf_group *g);		/* accepts NULL */
/* CPUs came or went since: open and close accordingly, also where one went and
 * came unseen (perf_read() tells it).  Cheap when not.
 * How many changed, or -errno.  Drain first: a closed ring is gone. */
int perf_follow(struct perf_group *g);
size_t perf_cpus(const struct perf_group *g);	/* slots, 0.. */
int perf_cpu(const struct perf_group *g, size_t slot);	/* its number, or -1
							 * when closed */
/* 0 or -errno; *v always holds the newest value known, and never falls. */
int perf_read(struct perf_group *g, size_t slot, struct perf_value *v);
/* Sampling period of one slot from now on. */
int perf_set_every(struct perf_group *g, size_t slot, uint64_t every);
/*
 * Hand every record that stood in the slot's ring at the call to fn; at most
 * up to the head read once.  *lost grows by what the kernel says it lost.
 * Returns records handed, 0 at once when the head did not move.
 */
size_t perf_drain(struct perf_group *g, size_t slot,
		  void (*fn)(void *arg, const struct perf_sample *),
		  void *arg, uint64_t *lost);
/* Fill of the ring at the last drain, 0..1. */
double perf_fill(const struct perf_group *g, size_t slot);
unsigned perf_pages(const struct perf_group *g);	/* after shrinking */

/* Cause and remedy of a failed perf_open() with -err, told apart: paranoid
 * level, capability, seccomp, lockdown, no PMU, fd limit, mlock limit. */
void perf_why(int err, const struct perf_code *code, char *why, size_t nwhy,
	      char *remedy, size_t nremedy);
int perf_paranoid(void);	/* /proc/sys/kernel/perf_event_paranoid, -99 unknown */

/* perf_follow() with the CPU list given, as in "0-3,8". */
int perf_follow_cpus(struct perf_group *g, const char *list);
/* The slot's CPU even when closed; *err = positive errno of its opening. */
int perf_slot_cpu(const struct perf_group *g, size_t slot, int *err);
enum perf_lack {
	PERF_LACKS_CLOCK = 1,	/* time_ns is not CLOCK_MONOTONIC */
	PERF_LACKS_IDLE = 2,	/* exclude_idle is not obeyed */
};
unsigned perf_lacks(const struct perf_group *g);

/*
 * One event on one thread, whatever CPU it is on, and on all that it forks
 * from now on.  Counts at once; closing it ends the counts of the children
 * too.  tid 0: the caller.  0 or -errno.
 */
struct perf_task;
int perf_task_open(struct perf_task **out, const struct perf_code *code,
		   int tid);
void perf_task_read(struct perf_task *t, struct perf_value *v); /* as above */
void perf_task_last(const struct perf_task *t, struct perf_value *v); /* unread */
void perf_task_close(struct perf_task *t);	/* accepts NULL */

#endif
