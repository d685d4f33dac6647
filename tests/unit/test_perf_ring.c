/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the reader of perf's ring buffers take what the kernel writes, and
 * survive what it does not?  All on hand-made rings.
 */
#include <linux/perf_event.h>
#include "perf_ring.h"
#include "test.h"

enum { RING = 4096, SEEN = 256 };

static const struct perf_layout layout = {
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
		       PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_RAW,
	.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
		       PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID,
};

static struct {			/* a ring, and what came out of it */
	unsigned char *data;	/* of the exact size, for the sanitizer */
	unsigned char *copy;
	uint64_t head, lost;
	struct perf_ring ring;
	size_t n;
	struct perf_sample s[SEEN];
	uint64_t first_ip[SEEN];
	unsigned char last_raw[SEEN];
} t;

static void start(uint64_t at)
{
	free(t.data);
	free(t.copy);
	memset(&t, 0, sizeof(t));
	t.data = calloc(1, RING);
	t.copy = malloc(PERF_RECORD_ROOM);
	t.head = at;
	t.ring = (struct perf_ring) {
		.data = t.data, .size = RING, .tail = at, .copy = t.copy,
	};
}

static void put(const void *bytes, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		t.data[t.head++ & (RING - 1)] = ((const char *)bytes)[i];
}

static void put_words(const uint64_t *w, size_t n)
{
	put(w, n * sizeof(*w));
}

static void put_header(uint32_t type, size_t size)
{
	struct perf_event_header h = { .type = type, .size = (uint16_t)size };

	put(&h, sizeof(h));
}

/* A sample with nip frames between markers and a raw part of 12 bytes. */
static void put_sample(uint32_t tid, uint64_t count, size_t nip)
{
	uint64_t word[] = { tid | (uint64_t)tid << 32, 1000 + count, 3, count,
			    7, 7, 99, nip + 2, (uint64_t)PERF_CONTEXT_KERNEL };
	uint64_t user = (uint64_t)PERF_CONTEXT_USER, ip;
	uint32_t raw[] = { 12, 1, 2, tid };
	size_t i;

	put_header(PERF_RECORD_SAMPLE,
		   8 + sizeof(word) + nip * 8 + 8 + sizeof(raw));
	put_words(word, sizeof(word) / 8);
	for (i = 0; i < nip; i++) {
		ip = 0xffffffff81000000 + i;
		put_words(&ip, 1);
	}
	put_words(&user, 1);
	put(raw, sizeof(raw));
}

static void see(void *arg, const struct perf_sample *s)
{
	(void)arg;
	if (t.n == SEEN)
		FAIL("more samples than were put");
	t.s[t.n] = *s;
	t.first_ip[t.n] = s->nip ? s->ip[0] : 0;
	t.last_raw[t.n] = s->nraw ? ((const unsigned char *)s->raw)[8] : 0;
	t.n++;
}

static size_t drain(void)
{
	return perf_ring_read(&t.ring, t.head, &layout, see, NULL, &t.lost);
}

TEST(fields_of_a_sample)
{
	start(0);
	put_sample(42, 61, 3);
	CHECK_EQ_U64(drain(), 1);
	CHECK_EQ_INT(t.s[0].tid, 42);
	CHECK_EQ_INT(t.s[0].pid, 42);
	CHECK_EQ_INT(t.s[0].cpu, 3);
	CHECK_EQ_U64(t.s[0].time_ns, 1061);
	CHECK_EQ_U64(t.s[0].count, 61);
	CHECK_EQ_U64(t.s[0].nip, 3);
	CHECK_EQ_U64(t.first_ip[0], 0xffffffff81000000);
	CHECK_EQ_U64(t.s[0].nraw, 12);
	CHECK_EQ_INT(t.last_raw[0], 42);
	CHECK_EQ_U64(t.lost, 0);
	CHECK_EQ_U64(t.ring.tail, t.head);
}

TEST(counts_go_on_after_a_slot_was_opened_again)
{
	start(0);
	t.ring.count_base = 1000;
	put_sample(1, 61, 1);
	drain();
	CHECK_EQ_U64(t.s[0].count, 1061);
}

TEST(a_stack_of_no_frames)
{
	start(0);
	put_sample(1, 1, 0);
	CHECK_EQ_U64(drain(), 1);
	CHECK_EQ_U64(t.s[0].nip, 0);
}

TEST(records_wrap_at_every_offset)
{
	uint64_t at;

	for (at = 0; at < RING; at += 8) {
		start(at + 10 * RING);
		put_sample(5, 7, 9);
		put_sample(6, 8, 9);
		CHECK_EQ_U64(drain(), 2);
		CHECK_EQ_INT(t.s[0].tid, 5);
		CHECK_EQ_INT(t.s[1].tid, 6);
		CHECK_EQ_U64(t.s[1].nip, 9);
		CHECK_EQ_INT(t.last_raw[1], 6);
		CHECK_EQ_U64(t.lost, 0);
	}
}

/* A loss carries the event's id before the number: 5 is not what was lost. */
TEST(lost_is_read_at_its_place)
{
	uint64_t lost[] = { 5, 7 };

	start(0);
	put_header(PERF_RECORD_LOST, 24);
	put_words(lost, 2);
	CHECK_EQ_U64(drain(), 0);
	CHECK_EQ_U64(t.lost, 7);
}

TEST(lost_samples_carry_no_id)
{
	uint64_t lost = 9;

	start(0);
	put_header(PERF_RECORD_LOST_SAMPLES, 16);
	put_words(&lost, 1);
	put_sample(1, 1, 1);
	CHECK_EQ_U64(drain(), 1);
	CHECK_EQ_U64(t.lost, 9);
}

TEST(unknown_records_are_passed_over)
{
	uint64_t word[3] = { 0 };

	start(0);
	put_header(777, 32);
	put_words(word, 3);
	put_header(PERF_RECORD_THROTTLE, 32);
	put_words(word, 3);
	put_sample(1, 1, 1);
	CHECK_EQ_U64(drain(), 1);
	CHECK_EQ_U64(t.lost, 0);
}

static void check_hostile(uint32_t type, size_t size)
{
	start(RING - 16);
	put_header(type, size);
	put_sample(1, 1, 1);
	CHECK_EQ_U64(drain(), 0);
	CHECK_EQ_U64(t.lost, 1);
	CHECK_EQ_U64(t.ring.tail, t.head);
}

TEST(sizes_that_cannot_be)
{
	check_hostile(PERF_RECORD_SAMPLE, 0);
	check_hostile(PERF_RECORD_SAMPLE, 7);
	check_hostile(PERF_RECORD_SAMPLE, 12);
	check_hostile(PERF_RECORD_SAMPLE, 2048);
	check_hostile(PERF_RECORD_LOST, 65528);
}

TEST(a_cut_sample_is_lost_and_the_next_one_is_not)
{
	uint64_t word[9] = { 0 };

	start(0);
	word[7] = 1 << 20;	/* a chain longer than the record */
	put_header(PERF_RECORD_SAMPLE, 8 + sizeof(word));
	put_words(word, 9);
	put_header(PERF_RECORD_SAMPLE, 16);
	put_words(word, 1);
	put_header(PERF_RECORD_LOST, 8);
	put_sample(3, 1, 1);
	CHECK_EQ_U64(drain(), 1);
	CHECK_EQ_INT(t.s[0].tid, 3);
	CHECK_EQ_U64(t.lost, 3);
}

TEST(a_raw_part_past_the_end)
{
	uint64_t word[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0xfffffff0 };

	start(0);
	put_header(PERF_RECORD_SAMPLE, 8 + sizeof(word));
	put_words(word, sizeof(word) / 8);
	CHECK_EQ_U64(drain(), 0);
	CHECK_EQ_U64(t.lost, 1);
}

TEST(a_head_more_than_a_ring_ahead)
{
	start(8);
	put_sample(1, 1, 1);
	t.head = 8 + RING + 8;
	CHECK_EQ_U64(drain(), 0);
	CHECK_EQ_U64(t.lost, 1);
	CHECK_EQ_U64(t.ring.tail, t.head);
}

TEST(random_bytes)
{
	uint32_t x = 12345;
	int round, i;

	for (round = 0; round < 2000; round++) {
		start((uint64_t)(round % 512) * 8);
		for (i = 0; i < RING; i++) {
			x = x * 1664525 + 1013904223;
			t.data[i] = (unsigned char)(x >> 24);
		}
		/* likely sizes and types, so that parsing gets somewhere */
		for (i = 0; i < RING; i += 64) {
			t.data[i] = 9;
			memset(t.data + i + 1, 0, 5);
			t.data[i + 6] = (unsigned char)(x >> 16 & 0x78);
			t.data[i + 7] = 0;
			x = x * 1664525 + 1013904223;
		}
		t.head = t.ring.tail + RING;
		drain();
		CHECK_EQ_U64(t.ring.tail, t.head);
	}
}

TEST_MAIN
