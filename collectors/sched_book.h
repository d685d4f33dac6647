/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of the switches, whichever engine saw them?  Stacks, tasks and
 * how often each pair of them came; how many switches a stack stands for.
 */
#ifndef COLLECTORS_SCHED_BOOK_H
#define COLLECTORS_SCHED_BOOK_H

#include "collector.h"
#include "ksyms.h"
#include "sched_governor.h"
#include "sched_health.h"
#include "sched_stacks.h"
#include "sched_table.h"
#include "sched_tasks.h"

enum { SCHED_ENDED = 4096,	/* tasks let go per sample */
       SCHED_DROPPED = SCHED_STACKS };

struct sched_cpu {		/* of one slot; a slot is a CPU's */
	uint64_t count;		/* its switches at the last stack taken */
	uint64_t samples, lost;
};

struct sched_book {
	const struct env *env;
	struct ksyms *ksyms;
	struct sched_governor governor;
	struct sched_stacks stacks;
	struct sched_table table;
	struct sched_tasks tasks;
	struct sched_steer *steer;	/* by slot */
	struct sched_cpu *cpu;		/* by slot */
	size_t ncpu;			/* slots */
	uint32_t seq;			/* of the sample in the making */
	uint64_t now_ns;		/* of the drain */
	struct sched_state state;	/* for health */
	uint32_t gone[SCHED_ENDED + SCHED_DROPPED];	/* ids of tasks and
					 * stacks that went, sorted */
	size_t ngone;
};

/* How switches are seen.  The book is the engine's to write into; it outlives
 * the engine. */
struct sched_engine {
	const char *words;	/* how its line in health begins */
	/* 0, or -errno after health_set(). */
	int (*open)(void **state, struct sched_book *book);
	int (*drain)(void *state);
	/* Drain, stamp, and append its own readings. */
	int (*collect)(void *state, struct sample *to);
	/* Optional: tasks and stacks left the book (book->gone). */
	void (*retire)(void *state);
	/* Optional: append what it keeps of its own beside the book. */
	int (*add)(void *state, struct sample *to);
	void (*close)(void *state);		/* accepts NULL */
};

extern const struct sched_engine sched_engine_bpf, sched_engine_perf;

int sched_book_init(struct sched_book *b, const struct env *env);
void sched_book_free(struct sched_book *b);	/* accepts zeroed */
/* Slots only ever come more; new ones are zeroed.  0 or -ENOMEM. */
int sched_book_grow(struct sched_book *b, size_t ncpu);
/* One stack of slot that stands for weight switches. */
void sched_book_take(struct sched_book *b, size_t slot, uint64_t weight,
		     uint32_t stack, uint32_t task);
/* N of each slot, by what the stacks since stood for; set is called for those
 * that change. */
void sched_book_steer(struct sched_book *b,
		      void (*set)(void *arg, size_t slot, uint64_t every),
		      void *arg);
/* The readings of slot, CPU `cpu`, that do not come from the engine. */
int sched_book_collect_cpu(const struct sched_book *b, size_t slot,
			   uint32_t cpu, struct sample *to);
/* Once a sample: what ended or was long unseen goes; fills gone. */
void sched_book_retire(struct sched_book *b);
int sched_book_collect(struct sched_book *b, struct sample *to);

#endif
