// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is said of the tlb collector?
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "tlb_health.h"
#include "tlb_watch.h"

static const char collector[] = "tlb";

int tlb_health_no_event(const struct env *env, struct bpf_why *why)
{
	if (!strcmp(env->host->machine, "x86_64"))
		bpf_why_set(why, -ENOENT, NULL,
			    "the kernel has no event tlb:tlb_flush");
	else
		bpf_why_set(why, -ENOENT, NULL, "no event tlb:tlb_flush on "
			    "%s; where the hardware broadcasts flushes "
			    "(arm64) no CPU is interrupted for one",
			    env->host->machine);
	return -ENOENT;
}

/* AMD's INVLPGB, used since 6.15: the flags of the first CPU say it. */
void tlb_health_broadcast(const struct env *env)
{
	char text[4096], *end;
	int fd = openat(env->proc_fd, "cpuinfo", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	end = strstr(text, "\n\n");
	if (end)
		*end = '\0';
	if (strstr(text, " invlpgb"))
		health_set(env->health, collector, "broadcast", 0, -1,
			   HEALTH_NOTE, 0, NULL, "this CPU can broadcast "
			   "flushes (INVLPGB): those send no interrupt and "
			   "are in no matrix");
}

void tlb_health_absent(struct health *h, int err, const struct bpf_why *why)
{
	health_set(h, collector, "", 0, -1, HEALTH_ABSENT, -err, why->remedy,
		   "needs the in-kernel engine: %s",
		   why->why[0] ? why->why : strerror(-err));
}

void tlb_health_no_matrix(struct health *h, const struct bpf_why *sender,
			  const struct bpf_why *victim)
{
	static const uint16_t metric[] = { TLB_SENT, TLB_HITS };
	size_t i;

	for (i = 0; i < sizeof(metric) / sizeof(*metric); i++)
		health_set(h, collector, i ? "hits" : "matrix", metric[i], -1,
			   HEALTH_PARTLY, -sender->err, sender->remedy,
			   "who interrupts whom is not known: %s%s%s",
			   sender->why, victim->why[0] ? "; " : "",
			   victim->why);
}

void tlb_health_by_func(struct health *h)
{
	health_set(h, collector, "hits", TLB_HITS, -1, HEALTH_PARTLY, ENOENT,
		   "a kernel with the event csd_queue_cpu: 6.12 has it, 6.1 "
		   "has not", "interrupts are counted at the CPU that is hit, "
		   "where the stack that sent them is not seen");
}

static void coverage_say(struct health *h, const struct tlb_state *s)
{
	if (s->is_on)
		health_set(h, collector, "", 0, -1, HEALTH_OK, 0, NULL,
			   "in-kernel engine; %s; %llu stacks lost",
			   !s->has_matrix ? "no matrix" : s->by_sender
			   ? "matrix by csd_queue_cpu"
			   : "matrix by flush_tlb_func",
			   (unsigned long long)s->lost);
	else
		health_set(h, collector, "", 0, -1, HEALTH_PARTLY, EBUSY, NULL,
			   "flushes not counted: %lluk address-space "
			   "switches/s on CPU %u would cost %.0f %% of it%s",
			   (unsigned long long)s->per_sec / 1000, s->cpu,
			   (double)s->per_sec * TLB_COST_NS / 1e9 * 100,
			   s->has_matrix ? "; the matrix goes on" : "");
}

void tlb_health_update(struct health *h, struct tlb_state *s)
{
	struct health_cost *cost = health_cost(h, collector);
	int told = s->is_on + 1;

	if (cost)
		cost->lost = s->lost;
	if (!s->is_trial &&
	    (told != s->told || (s->is_on && s->lost != s->told_lost))) {
		coverage_say(h, s);
		s->told = told;
		s->told_lost = s->lost;
	}
	if (s->skipped == s->told_skipped)
		return;
	health_set(h, collector, "skipped", 0, -1, HEALTH_NOTE, 0, NULL,
		   "%llu events came while the program was at work on another, "
		   "and are in no count", (unsigned long long)s->skipped);
	s->told_skipped = s->skipped;
}
