/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the history hold the last minutes, within its bytes, and do its cursors
 * find their way while it moves on?
 */
#include <errno.h>
#include "history.h"
#include "test.h"
#include "timeline.h"

#define SECOND 1000000000ull

static struct timeline line;
static struct sample now, got;

static void open_line(uint32_t ntasks, uint32_t nstacks, uint32_t births)
{
	timeline_open(&line, ntasks, nstacks, births);
	CHECK_EQ_INT(sample_init(&now), 0);
	CHECK_EQ_INT(sample_init(&got), 0);
}

static void close_line(struct history *h)
{
	history_free(h);
	sample_free(&now);
	sample_free(&got);
	timeline_close(&line);
}

static void add(struct history *h, int n)
{
	while (n--) {
		timeline_next(&line, &now);
		CHECK_EQ_INT(history_add(h, &now), 0);
	}
}

static void check_next(struct source *c, uint64_t seq)
{
	CHECK_EQ_INT(c->next(c, &got), 1);
	CHECK_EQ_U64(got.seq, seq);
	CHECK_EQ_U64(got.mono_ns, seq * SECOND);
	CHECK(got.n > 0 && got.names && got.host);
	CHECK_EQ_STR(got.host->name, "box");
}

TEST(empty)
{
	struct history *h = history_new(60 * SECOND, 1 << 20);
	struct source *c = history_cursor(h);

	open_line(5, 5, 0);
	CHECK_EQ_U64(history_first(h) + history_last(h) + history_bytes(h), 0);
	CHECK_EQ_U64(history_at(h, 5), 0);
	CHECK_EQ_INT(c->next(c, &got), 0);
	CHECK_EQ_INT(c->seek(c, 1), -ENOENT);
	CHECK_EQ_INT(c->fd(c), -1);
	now.names = NULL;
	now.seq = 1;
	CHECK_EQ_INT(history_add(h, &now), -EINVAL);
	c->close(c);
	close_line(h);
}

/* A cursor in the open block gets what is appended after it was opened. */
TEST(a_cursor_follows_across_blocks)
{
	struct history *h = history_new(3600 * SECOND, 8 << 20);
	struct source *c = history_cursor(h);
	uint64_t seq;

	open_line(10, 5, 8);
	for (seq = 1; seq <= 200; seq++) {
		add(h, 1);
		check_next(c, seq);
		CHECK_EQ_INT(c->next(c, &got), 0);
		CHECK_EQ_U64(got.n, now.n);
		CHECK_EQ_U64(history_last(h), seq);
	}
	CHECK_EQ_U64(history_first(h), 1);
	CHECK_EQ_INT(c->seek(c, 1), 0);
	for (seq = 1; seq <= 200; seq++)
		check_next(c, seq);
	CHECK_EQ_INT(c->next(c, &got), 0);
	c->close(c);
	close_line(h);
}

TEST(seek_back_and_forth)
{
	static const uint64_t at[] = { 150, 149, 148, 148, 1, 64, 65, 128, 130,
				       135, 131, 200, 2 };
	struct history *h = history_new(3600 * SECOND, 8 << 20);
	struct source *c = history_cursor(h);
	size_t i;

	open_line(10, 5, 8);
	add(h, 200);
	for (i = 0; i < sizeof(at) / sizeof(*at); i++) {
		CHECK_EQ_INT(c->seek(c, at[i]), 0);
		check_next(c, at[i]);
	}
	check_next(c, 3);
	CHECK_EQ_INT(c->seek(c, 0), 0);
	check_next(c, 1);
	CHECK_EQ_INT(c->seek(c, 201), -ENOENT);
	check_next(c, 2);
	c->close(c);
	close_line(h);
}

TEST(at_finds_the_newest_not_after)
{
	struct history *h = history_new(3600 * SECOND, 8 << 20);

	open_line(10, 5, 8);
	add(h, 150);
	CHECK_EQ_U64(history_at(h, 100 * SECOND), 100);
	CHECK_EQ_U64(history_at(h, 100 * SECOND - 1), 99);
	CHECK_EQ_U64(history_at(h, 64 * SECOND + 5), 64);
	CHECK_EQ_U64(history_at(h, 0), 1);
	CHECK_EQ_U64(history_at(h, UINT64_MAX), 150);
	close_line(h);
}

TEST(old_blocks_go_by_time)
{
	struct history *h = history_new(100 * SECOND, 8 << 20);

	open_line(10, 5, 8);
	add(h, 164);
	CHECK_EQ_U64(history_first(h), 1);
	add(h, 1);		/* 64 s is now 101 s ago */
	CHECK_EQ_U64(history_first(h), 65);
	add(h, 1000);
	CHECK(history_first(h) + 100 <= history_last(h));
	CHECK(history_first(h) + 100 + 64 > history_last(h));
	close_line(h);
}

/* Cursors whose block is dropped go on with the oldest kept. */
TEST(old_blocks_go_by_bytes)
{
	enum { MAX = 100000 };
	struct history *h = history_new(1000000 * SECOND, MAX);
	struct source *slow = history_cursor(h), *fast = history_cursor(h);
	uint64_t seq, first;

	open_line(30, 20, 3);
	add(h, 10);
	check_next(slow, 1);
	for (seq = 1; seq <= 10; seq++)
		check_next(fast, seq);
	for (; seq <= 1500; seq++) {
		add(h, 1);
		CHECK(history_bytes(h) <= MAX);
		check_next(fast, seq);
		CHECK_EQ_U64(got.n, now.n);
	}
	first = history_first(h);
	CHECK(first > 64);
	CHECK(history_bytes(h) > MAX / 3);
	for (seq = first; seq <= 1500; seq++)
		check_next(slow, seq);
	CHECK_EQ_INT(slow->next(slow, &got), 0);
	slow->close(slow);
	fast->close(fast);
	close_line(h);
}

TEST(the_pinned_block_stays)
{
	enum { MAX = 100000 };
	struct history *h = history_new(300 * SECOND, MAX);
	struct source *c = history_cursor(h);
	uint64_t seq, gap;

	open_line(30, 20, 3);
	add(h, 100);
	history_pin(h, 30);
	add(h, 1000);
	CHECK_EQ_U64(history_first(h), 1);
	CHECK(history_bytes(h) <= MAX);
	CHECK_EQ_INT(c->seek(c, 30), 0);
	check_next(c, 30);
	check_next(c, 31);
	for (seq = 32; c->next(c, &got) > 0 && got.seq == seq; seq++)
		;
	gap = got.seq;		/* after the pinned block come the kept ones */
	CHECK(gap > seq && gap <= 1100);
	for (seq = gap + 1; seq <= 1100; seq++)
		check_next(c, seq);
	history_pin(h, 0);
	add(h, 1);
	CHECK(history_first(h) > 100);
	c->close(c);
	close_line(h);
}

TEST(too_small_is_an_error_and_no_more)
{
	struct history *h = history_new(300 * SECOND, 500);
	struct source *c = history_cursor(h);
	int i;

	open_line(30, 20, 3);
	for (i = 0; i < 5; i++) {
		timeline_next(&line, &now);
		CHECK_EQ_INT(history_add(h, &now), -ENOSPC);
		CHECK_EQ_U64(history_bytes(h), 0);
		CHECK_EQ_INT(c->next(c, &got), 0);
	}
	c->close(c);
	close_line(h);
}

/* Where one block alone fills it, it is closed and makes way. */
TEST(one_block_fills_it)
{
	enum { MAX = 8000 };
	struct history *h = history_new(1000 * SECOND, MAX);
	struct source *c = history_cursor(h);
	uint64_t seq;

	open_line(30, 20, 3);
	for (seq = 1; seq <= 300; seq++) {
		add(h, 1);
		CHECK(history_bytes(h) <= MAX);
		check_next(c, seq);
		CHECK_EQ_U64(got.n, now.n);
	}
	c->close(c);
	close_line(h);
}

TEST_MAIN
