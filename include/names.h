/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the ids in readings stand for?  One table interns every text, kernel
 * symbol, stack and task; ids are never reused within a recording or history.
 * Id 0 is no name: as a key it means "ended", values of retired keys.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>
#include <stdint.h>

enum name_kind { NAME_NONE, NAME_TEXT, NAME_SYMBOL, NAME_STACK, NAME_TASK };

enum symbol_flag {
	SYMBOL_SCHED = 1,	/* in [__sched_text] or [__lock_text]: never a
				 * schedule source (in_sched_functions()) */
	SYMBOL_BARE = 2,	/* no symbol known: the text is a hex address */
};

struct name {
	uint32_t id;
	uint16_t kind;		/* enum name_kind */
	uint16_t len;		/* bytes of text, or frames of a stack */
	uint32_t version;	/* +1 at each redefinition (a task's comm) */
	const char *text;	/* raw bytes as the kernel gave them, NUL ended:
				 * text, symbol (suffix folded) or comm */
	union {
		struct {
			uint32_t module;	/* text id, 0 = vmlinux */
			uint32_t flags;		/* enum symbol_flag */
		} symbol;
		struct {
			const uint32_t *frame;	/* symbol ids, innermost first */
			uint8_t state;		/* prev_state's letter: S D R I
						 * T X Z P..., '+' preempted,
						 * 0 not a switch */
		} stack;
		struct {
			int32_t tid, tgid;
			uint64_t start;		/* clock ticks since boot,
						 * 0 = short-lived, unknown */
		} task;
	};
};

struct names;

struct names *names_new(void);			/* NULL: out of memory */
void names_free(struct names *n);

/* Each returns the id of the one entry with these contents, made if new;
 * 0 when memory is short or the 2^32 ids are used up. */
uint32_t names_text(struct names *n, const char *text, size_t len);
uint32_t names_symbol(struct names *n, const char *text, uint32_t module,
		      uint32_t flags);
uint32_t names_stack(struct names *n, uint8_t state, const uint32_t *frame,
		     size_t nframes);		/* at most 127 frames */
/* The task (tid, start); another comm or tgid redefines it in place. */
uint32_t names_task(struct names *n, int32_t tid, uint64_t start,
		    int32_t tgid, const char *comm, size_t len);

/* Define `as` under its own id, replacing what stood there; for decoders.
 * 0 or -errno (-EINVAL: a frame or module id that is not a symbol/text). */
int names_define(struct names *n, const struct name *as);

/* Valid until a task is redefined or the id dropped; NULL if unknown. */
const struct name *names_get(const struct names *n, uint32_t id);
const char *names_str(const struct names *n, uint32_t id); /* or "?" */
/* One more owner of id: names_drop() then forgets it only for the last. */
void names_hold(struct names *n, uint32_t id);
/* Forget id: memory is freed, the id stays used. */
void names_drop(struct names *n, uint32_t id);
size_t names_count(const struct names *n);
uint64_t names_redefined(const struct names *n); /* how often a name was */
/* A new epoch: drop what was neither asked for nor defined in the last one.
 * For readers of blocks, so that their names stay as few as a block's. */
void names_epoch(struct names *n);

#endif
