/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a raw sched_switch record say?  Offsets, sizes, the preempted bit
 * and the state letters all come from the kernel's own format file.  Pure.
 */
#ifndef COLLECTORS_SCHED_FORMAT_H
#define COLLECTORS_SCHED_FORMAT_H

#include <stddef.h>
#include <stdint.h>

enum sched_shift { SHIFT_NO, SHIFT_UNKNOWN, SHIFT_YES };

struct sched_field {
	unsigned offset, size;
	int dynamic;		/* __data_loc: offset | length << 16 is there */
};

struct sched_format {
	unsigned id;		/* the tracepoint's */
	struct sched_field prev_comm, prev_pid, prev_state;
	struct sched_field next_comm, next_pid;
	size_t need;		/* shortest record that holds them */
	uint64_t preempted;	/* bit of prev_state; 0: none is marked */
	struct { uint64_t bit; char letter; } state[32];
	size_t nstate;
	/* 4.14 to early 4.19 store 1 << index, one bit too far (fixed by
	 * 3f5fe9fef5b2).  Only the idle task tells: it is never anything but
	 * running, so a 1 from it means shifted. */
	enum sched_shift shift;
	char why[120];		/* after an error: what is wrong */
};

struct sched_switch {
	int32_t prev_pid, next_pid;
	const char *prev_comm, *next_comm;	/* in the record, not ended */
	size_t nprev_comm, nnext_comm;
	uint64_t state;		/* as stored */
	uint8_t letter;		/* R S D ..., '+' preempted, '?' unknown */
};

/* 0, or -EINVAL and f->why.  release as uname gives it. */
int sched_format_parse(struct sched_format *f, const char *text, size_t len,
		       const char *release);
/* 0, or -EINVAL: shorter than the format says.  May learn f->shift. */
int sched_format_decode(struct sched_format *f, const void *raw, size_t nraw,
			struct sched_switch *s);
/* The letter of a stored prev_state; of combined bits the first. */
uint8_t sched_format_letter(const struct sched_format *f, uint64_t state);

#endif
