/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many switches per stack?  N follows a budget of stacks per second over
 * the whole machine.  Pure: time and counts are given.
 */
#ifndef COLLECTORS_SCHED_GOVERNOR_H
#define COLLECTORS_SCHED_GOVERNOR_H

#include <stddef.h>
#include <stdint.h>

struct sched_steer {		/* one CPU */
	uint64_t every;		/* as set now */
	uint64_t next;		/* set it to this; 0 = leave it */
	uint64_t records;	/* since the last decision ... */
	uint64_t weight;	/* ... and the switches they stand for */
	uint64_t drawn;		/* how many of them when N was drawn last */
	double fill;		/* of the ring at the last drain, 0..1 */
	int open;		/* 0: its CPU is offline */
};

struct sched_governor {
	uint64_t target;	/* stacks per second */
	uint64_t fixed;		/* the same N on all CPUs for ever; 0 = steer */
	uint64_t base;		/* N that the primes are drawn around */
	uint64_t since_ns;	/* the last decision, or the first step; 0 */
	int decided;		/* no longer at the start's guess */
	uint64_t seed;
};

/* target 0 takes 2000; fixed is the user's --every, 0 = steer. */
void sched_governor_init(struct sched_governor *g, uint64_t target,
			 uint64_t fixed, uint64_t seed);
/* N for a CPU that is opened now; i is its place among its neighbours. */
uint64_t sched_governor_first(struct sched_governor *g, size_t i);
/*
 * Decide: sets each CPU's next, and begins counting anew when it decided.
 * N rises at once when a ring is half full or a second's budget is spent; else
 * at most once a second, and falls to no less than half; the first decision
 * comes at the first drain and is free.  A CPU without records
 * keeps its N until it is over twice what the others have.  In between, a CPU
 * draws another prime near the same N after every 50 records.
 */
void sched_governor_step(struct sched_governor *g, uint64_t now_ns,
			 struct sched_steer *cpu, size_t n);
/* Smallest odd prime >= n, but 1 for 0 and 1. */
uint64_t sched_governor_prime(uint64_t n);

#endif
