// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sampled flushes and the interrupts that follow them: is each counted for the
 * flush that sent it, and does none get lost with its stack or task?
 */
#include <fcntl.h>
#include "proc_test.h"
#include "tlb_book.h"

enum { CPUS = 2 };

static struct proc_test t;
static struct host host;
static struct tlb_book *b;
static struct tlb_now now[CPUS];
static struct sample to;

static void begin(void)
{
	proc_start(&t);
	proc_line(&t, 0);		/* no kallsyms: frames stay hex */
	host = (struct host) { .cpus = CPUS, .clk_tck = 100 };
	t.env.host = &host;
	memset(now, 0, sizeof(now));
	b = calloc(1, sizeof(*b));
	CHECK_EQ_INT(tlb_book_init(b, &t.env), 0);
	CHECK_EQ_INT(sample_init(&to), 0);
}

static void end(void)
{
	sample_free(&to);
	tlb_book_free(b);
	free(b);
	proc_end(&t);
}

/* A flush on cpu by task tid from address ip is sampled. */
static void take(uint32_t cpu, int32_t tid, unsigned long ip, uint64_t weight)
{
	struct tlb_sample r = {
		.cpu = cpu, .nip = 1, .weight = weight, .hits = now[cpu].hits,
		.turn = ++now[cpu].turn, .tid = tid, .tgid = tid,
		.start_ns = 50000000, .comm = "munmapper", .ip = { ip },
	};

	tlb_book_take(b, &r);
}

/* The sum of a metric over all its readings, or of one task's alone. */
static uint64_t sum(uint16_t metric, int32_t tid)
{
	const struct reading *r;
	const struct name *task;
	uint64_t all = 0;
	size_t n;

	sample_reset(&to);
	CHECK_EQ_INT(tlb_book_collect(b, 1, &to), 0);
	sample_seal(&to);
	for (r = sample_range(&to, metric, &n); n; n--, r++) {
		task = names_get(t.env.names, r->sub);
		if (!tid || (task && task->task.tid == tid))
			all += r->value;
	}
	return all;
}

TEST(a_flush_counts_with_its_weight)
{
	begin();
	take(0, 7, 0x1000, 1);
	take(1, 7, 0x1000, 9);
	take(0, 8, 0x2000, 1);
	CHECK_EQ_U64(sum(TLB_N, 7), 2);
	CHECK_EQ_U64(sum(TLB_W, 7), 10);
	CHECK_EQ_U64(sum(TLB_W2, 7), 82);
	CHECK_EQ_U64(sum(TLB_N, 0), 3);
	CHECK_EQ_U64(sum(TLB_HITS, 0), 0);
	end();
}

TEST(interrupts_between_two_samples_are_the_earlier_ones)
{
	begin();
	now[0].hits = 100;		/* of samples whose record was lost */
	take(0, 7, 0x1000, 1);
	now[0].hits += 3;
	take(0, 8, 0x1000, 1);
	CHECK_EQ_U64(sum(TLB_HITS, 7), 3);
	CHECK_EQ_U64(sum(TLB_HITS, 8), 0);
	end();
}

TEST(interrupts_after_the_last_sample_need_no_other_one)
{
	begin();
	take(0, 7, 0x1000, 1);
	now[0].hits += 2;
	tlb_book_settle(b, now);
	CHECK_EQ_U64(sum(TLB_HITS, 7), 2);
	now[0].hits += 1;
	tlb_book_settle(b, now);
	tlb_book_settle(b, now);
	CHECK_EQ_U64(sum(TLB_HITS, 7), 3);
	take(0, 8, 0x1000, 1);
	CHECK_EQ_U64(sum(TLB_HITS, 0), 3);
	end();
}

TEST(interrupts_of_a_sample_not_taken_yet_wait_for_it)
{
	begin();
	take(0, 7, 0x1000, 1);
	now[0].turn++;			/* its record comes with the next drain */
	now[0].hits += 5;
	tlb_book_settle(b, now);
	CHECK_EQ_U64(sum(TLB_HITS, 0), 0);
	now[0].turn--;
	now[0].hits -= 5;
	take(0, 8, 0x1000, 1);
	now[0].hits += 5;
	tlb_book_settle(b, now);
	CHECK_EQ_U64(sum(TLB_HITS, 7), 0);
	CHECK_EQ_U64(sum(TLB_HITS, 8), 5);
	end();
}

TEST(each_cpu_has_its_own_latest_flush)
{
	begin();
	take(0, 7, 0x1000, 1);
	take(1, 8, 0x1000, 1);
	now[0].hits += 1;
	now[1].hits += 10;
	tlb_book_settle(b, now);
	CHECK_EQ_U64(sum(TLB_HITS, 7), 1);
	CHECK_EQ_U64(sum(TLB_HITS, 8), 10);
	end();
}

TEST(what_ends_moves_to_ended_and_no_sum_falls)
{
	int i;

	begin();
	take(0, 0x7ffffff0, 0x1000, 4);	/* a tid that nobody has */
	now[0].hits += 6;
	tlb_book_settle(b, now);
	for (i = 0; i < 12; i++) {
		tlb_book_retire(b);
		b->seq++;
	}
	CHECK_EQ_U64(sum(TLB_N, 0x7ffffff0), 0);
	CHECK_EQ_U64(sum(TLB_W, 0), 4);
	CHECK_EQ_U64(sum(TLB_HITS, 0), 6);
	now[0].hits += 1;		/* its last flush still goes on */
	tlb_book_settle(b, now);
	CHECK_EQ_U64(sum(TLB_HITS, 0), 7);
	end();
}

TEST(a_record_of_no_cpu_is_not_taken)
{
	struct tlb_sample r = { .cpu = CPUS, .weight = 1 };

	begin();
	tlb_book_take(b, &r);
	CHECK_EQ_U64(sum(TLB_N, 0), 0);
	end();
}

TEST(without_the_matrix_interrupts_are_absent)
{
	size_t n;

	begin();
	take(0, 7, 0x1000, 1);
	CHECK_EQ_INT(tlb_book_collect(b, 0, &to), 0);
	sample_seal(&to);
	CHECK(sample_range(&to, TLB_HITS, &n) == NULL);
	CHECK(sample_range(&to, TLB_W, &n) != NULL);
	end();
}

TEST(quiet_takes_every_flush_and_a_storm_keeps_the_budget)
{
	uint64_t now_ns = 1000000000, taken = 0;
	int i;

	begin();
	for (i = 0; i < 20; i++) {
		tlb_book_steer(b, now, now_ns += 100000000, 0);
		CHECK_EQ_U64(now[0].every, 1);
		b->steer[0].records = b->steer[0].weight = 20;
	}
	for (i = 0; i < 40; i++) {
		tlb_book_steer(b, now, now_ns += 100000000, 0);
		b->steer[0].records += 10000 / now[0].every;
		b->steer[0].weight += 10000;
		if (i >= 30)
			taken += 10000 / now[0].every;
	}
	CHECK(taken > TLB_PER_SEC / 2 && taken < TLB_PER_SEC * 2);
	CHECK(now[0].allowed > 0);
	end();
}

TEST_MAIN
