/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is N steered?  By what the last second's stacks stood for.  N is a prime
 * and never 2: on two tasks that alternate, an even N meets one of them only.
 * Taking a stack takes as long as a switch, so a fast pair falls into step with
 * the sampler: with one N for seconds its two kinds of switch were 5 points off
 * (2 CPUs, 350,000 switches/s, shown as within 1).  So a busy CPU draws anew
 * after 50 stacks; seldomer ones would meet the switch right after the drawing
 * too often, for the kernel takes a stack there.
 */
#include <string.h>
#include "sched_governor.h"

#define SECOND_NS	1000000000ull
#define EVERY_MAX	1000000000ull

enum { START = 61, TARGET = 2000, CHOICES = 7, FEW = 50, REDRAW = 50 };

/* The start is a guess: what the first drain saw is worth more, and the first
 * frame needs it.  Then N falls slowly. */
#define FIRST_NS	75000000ull

static int is_prime(uint64_t n)
{
	uint64_t d;

	if (n < 4)
		return n > 1;
	if (n % 2 == 0)
		return 0;
	for (d = 3; d * d <= n; d += 2)
		if (n % d == 0)
			return 0;
	return 1;
}

static uint64_t random_next(uint64_t *seed)	/* splitmix64 */
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* The primes around a small base that CPUs choose among: two at least. */
static size_t choices_near(uint64_t base, uint64_t choice[CHOICES])
{
	uint64_t p = base - base / 8, most = base + base / 2;
	size_t n = 0;

	while (n < CHOICES) {
		p = sched_governor_prime(p);
		if (n >= 2 && p > most)
			break;
		choice[n++] = p++;
	}
	return n;
}

/* Neighbours differ: `draw` is the same for all CPUs of one decision. */
static uint64_t prime_for(uint64_t base, uint64_t draw, size_t i)
{
	uint64_t choice[CHOICES], span = base / 2;
	size_t n;

	if (base <= 1)
		return 1;
	if (base >= FEW)	/* anywhere within a quarter, 0.38 apart */
		return sched_governor_prime(base - base / 4 + (draw % span +
					    i * (span * 382 / 1000)) % span);
	n = choices_near(base, choice);
	return choice[(draw + i) % n];
}

static uint64_t every_of(const struct sched_steer *cpu)
{
	return cpu->next ? cpu->next : cpu->every;
}

/* Draw for one CPU: N unlike those of the `left` and `right` neighbours that
 * are there; when the choices run out it keeps its own. */
static void draw_for(struct sched_steer *cpu, uint64_t base, uint64_t draw,
		     size_t i, int left, int right)
{
	uint64_t n = prime_for(base, draw, i);
	int tries;

	for (tries = 0; tries < 3 && base > 1; tries++) {
		if ((!left || n != every_of(&cpu[i - 1])) &&
		    (!right || n != every_of(&cpu[i + 1])))
			break;
		n = base < FEW ? prime_for(base, ++draw, i)
			       : sched_governor_prime(n + 1);
	}
	if (tries < 3 && n != cpu[i].every)
		cpu[i].next = n;
}

struct tally {
	uint64_t records, weight;
	int half_full;
};

static struct tally tally_of(const struct sched_steer *cpu, size_t n)
{
	struct tally t = { 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		t.records += cpu[i].records;
		t.weight += cpu[i].weight;
		t.half_full |= cpu[i].open && cpu[i].fill > 0.5;
	}
	return t;
}

static uint64_t base_for(const struct sched_governor *g, const struct tally *t,
			 uint64_t span_ns)
{
	double rate = (double)t->weight * 1e9 / (double)span_ns;
	double want = rate / (double)g->target;
	uint64_t base = want < (double)EVERY_MAX ? (uint64_t)want : EVERY_MAX;

	if ((double)base < want && base < EVERY_MAX)
		base++;
	if (t->half_full && base < 2 * g->base)
		base = 2 * g->base;
	if (g->decided && base < g->base / 2)
		base = g->base / 2;
	if (base < 1)
		base = 1;
	return base < EVERY_MAX ? base : EVERY_MAX;
}

/* Between two decisions: other primes near the same N. */
static void redraw(const struct sched_governor *g, struct sched_steer *cpu,
		   size_t n, uint64_t draw)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!cpu[i].open || cpu[i].records < cpu[i].drawn + REDRAW)
			continue;
		cpu[i].drawn = cpu[i].records;
		draw_for(cpu, g->base, draw, i, i > 0, i + 1 < n);
	}
}

void sched_governor_init(struct sched_governor *g, uint64_t target,
			 uint64_t fixed, uint64_t seed)
{
	memset(g, 0, sizeof(*g));
	g->target = target ? target : TARGET;
	if (fixed > EVERY_MAX)
		fixed = EVERY_MAX;
	g->fixed = fixed ? sched_governor_prime(fixed) : 0;
	g->base = START;
	g->seed = seed;
}

uint64_t sched_governor_first(struct sched_governor *g, size_t i)
{
	return g->fixed ? g->fixed : prime_for(g->base, g->seed, i);
}

void sched_governor_step(struct sched_governor *g, uint64_t now_ns,
			 struct sched_steer *cpu, size_t n)
{
	struct tally t = tally_of(cpu, n);
	uint64_t span_ns = now_ns - g->since_ns, draw;
	size_t i;

	for (i = 0; i < n; i++)
		cpu[i].next = 0;
	if (g->fixed)
		return;
	if (!g->since_ns || now_ns <= g->since_ns) {
		g->since_ns = now_ns;
		return;
	}
	draw = random_next(&g->seed);
	if (span_ns < (g->decided ? SECOND_NS : FIRST_NS) && !t.half_full && t.records <= g->target) {
		redraw(g, cpu, n, draw);
		return;
	}
	g->base = base_for(g, &t, span_ns);
	g->decided = 1;
	g->since_ns = now_ns;
	for (i = 0; i < n; i++) {
		if (cpu[i].open &&
		    (cpu[i].records || cpu[i].every > 2 * g->base + 1))
			draw_for(cpu, g->base, draw, i, i > 0, 0);
		cpu[i].records = cpu[i].weight = cpu[i].drawn = 0;
	}
}

uint64_t sched_governor_prime(uint64_t n)
{
	if (n <= 1)
		return 1;
	if (n <= 3)
		return 3;
	for (n |= 1; !is_prime(n); n += 2)
		;
	return n;
}
