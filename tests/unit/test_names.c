/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a name one entry, under one id that never serves again?
 */
#include <errno.h>
#include "names.h"
#include "test.h"

static struct names *n;

static void fresh(void)
{
	names_free(n);
	n = names_new();
	CHECK(n != NULL);
}

TEST(same_contents_have_one_id)
{
	uint32_t a, b, frame[2];

	fresh();
	a = names_text(n, "pipe_read", 9);
	b = names_symbol(n, "pipe_read", 0, 0);
	CHECK(a && b && a != b);
	CHECK_EQ_U64(names_text(n, "pipe_readable", 9), a);
	CHECK_EQ_U64(names_symbol(n, "pipe_read", 0, 0), b);
	CHECK(names_symbol(n, "pipe_read", a, 0) != b);
	CHECK(names_symbol(n, "pipe_read", 0, SYMBOL_SCHED) != b);
	frame[0] = b;
	frame[1] = names_symbol(n, "vfs_read", 0, 0);
	a = names_stack(n, 'S', frame, 2);
	CHECK_EQ_U64(names_stack(n, 'S', frame, 2), a);
	CHECK(names_stack(n, 'D', frame, 2) != a);
	CHECK(names_stack(n, 'S', frame, 1) != a);
	CHECK_EQ_U64(names_get(n, a)->stack.frame[1], frame[1]);
	CHECK_EQ_STR(names_str(n, b), "pipe_read");
	CHECK_EQ_STR(names_str(n, 0), "?");
	CHECK_EQ_STR(names_str(n, 999), "?");
}

TEST(text_may_hold_any_bytes)
{
	uint32_t id, empty;

	fresh();
	id = names_text(n, "a\0b\xff\n", 5);
	empty = names_text(n, "", 0);
	CHECK(empty && empty != id);
	CHECK_EQ_U64(names_get(n, id)->len, 5);
	CHECK(!memcmp(names_get(n, id)->text, "a\0b\xff\n", 6));
	CHECK(names_text(n, "a\0c\xff\n", 5) != id);
}

TEST(a_comm_change_redefines_in_place)
{
	const char *longer = "a comm that kernel threads may well have";
	uint32_t id;

	fresh();
	id = names_task(n, 42, 1000, 40, "make", 4);
	CHECK_EQ_U64(names_get(n, id)->version, 0);
	CHECK_EQ_U64(names_task(n, 42, 1000, 40, "make", 4), id);
	CHECK_EQ_U64(names_get(n, id)->version, 0);
	CHECK_EQ_U64(names_task(n, 42, 1000, 40, "cc1", 3), id);
	CHECK_EQ_U64(names_get(n, id)->version, 1);
	CHECK_EQ_STR(names_str(n, id), "cc1");
	CHECK_EQ_U64(names_task(n, 42, 1000, 40, longer, strlen(longer)), id);
	CHECK_EQ_STR(names_str(n, id), longer);
	CHECK_EQ_U64(names_get(n, id)->version, 2);
	CHECK_EQ_U64(names_task(n, 42, 1000, 42, longer, strlen(longer)), id);
	CHECK_EQ_INT(names_get(n, id)->task.tgid, 42);
	CHECK(names_task(n, 42, 1001, 40, "make", 4) != id);
	CHECK_EQ_U64(names_count(n), 2);
}

TEST(ids_are_never_reused)
{
	char text[16];
	uint32_t id, last = 0;
	int i, len;

	fresh();
	for (i = 0; i < 100000; i++) {
		len = snprintf(text, sizeof(text), "t%d", i);
		id = names_text(n, text, len);
		CHECK(id > last);
		last = id;
		if (i >= 300)
			names_drop(n, id - 300);
	}
	CHECK_EQ_U64(names_count(n), 300);
	CHECK_EQ_STR(names_str(n, last - 299), "t99700");
	CHECK(!names_get(n, last - 300));
	CHECK(names_text(n, "t5", 2) > last);
	names_drop(n, last - 300);
	CHECK_EQ_U64(names_count(n), 301);
}

/* Dropping in any order must not lose what shares a run of slots. */
TEST(dropping_keeps_the_rest)
{
	static uint32_t id[5000];
	char text[16];
	int i, len;

	fresh();
	for (i = 0; i < 5000; i++) {
		len = snprintf(text, sizeof(text), "%d", i);
		id[i] = names_text(n, text, len);
	}
	for (i = 0; i < 5000; i++)
		if (i * 7919 % 5000 % 3)
			names_drop(n, id[i]);
	for (i = 0; i < 5000; i++) {
		len = snprintf(text, sizeof(text), "%d", i);
		if (i * 7919 % 5000 % 3) {
			CHECK(!names_get(n, id[i]));
			continue;
		}
		CHECK_EQ_STR(names_str(n, id[i]), text);
		CHECK_EQ_U64(names_text(n, text, len), id[i]);
	}
}

TEST(define_checks_what_it_refers_to)
{
	uint32_t frame[2] = { 7, 8 };
	struct name symbol = { .id = 7, .kind = NAME_SYMBOL, .len = 1,
			       .text = "f" };
	struct name stack = { .id = 9, .kind = NAME_STACK, .len = 2 };

	fresh();
	stack.stack.frame = frame;
	CHECK_EQ_INT(names_define(n, &symbol), 0);
	CHECK_EQ_INT(names_define(n, &stack), -EINVAL);
	symbol.id = 8;
	symbol.text = "g";
	symbol.symbol.module = 7;
	CHECK_EQ_INT(names_define(n, &symbol), -EINVAL);
	symbol.symbol.module = 0;
	CHECK_EQ_INT(names_define(n, &symbol), 0);
	CHECK_EQ_INT(names_define(n, &stack), 0);
	stack.len = 128;
	CHECK_EQ_INT(names_define(n, &stack), -EINVAL);
	stack.id = 0;
	CHECK_EQ_INT(names_define(n, &stack), -EINVAL);
	symbol.kind = NAME_TASK + 1;
	CHECK_EQ_INT(names_define(n, &symbol), -EINVAL);
	CHECK(names_text(n, "new", 3) > 9);
}

TEST(define_replaces_and_uses_up_ids)
{
	struct name as = { .id = UINT32_MAX, .kind = NAME_TEXT, .len = 3,
			   .text = "one" };

	fresh();
	CHECK_EQ_INT(names_define(n, &as), 0);
	as.text = "a longer one";
	as.len = 12;
	CHECK_EQ_INT(names_define(n, &as), 0);
	CHECK_EQ_STR(names_str(n, UINT32_MAX), "a longer one");
	CHECK_EQ_U64(names_text(n, "a longer one", 12), UINT32_MAX);
	CHECK_EQ_U64(names_text(n, "no id is left", 13), 0);
	CHECK_EQ_U64(names_count(n), 1);
}

TEST(an_epoch_drops_what_was_not_asked_for)
{
	char text[16];
	int i, len;

	fresh();
	for (i = 0; i < 1000; i++) {
		len = snprintf(text, sizeof(text), "%d", i);
		names_text(n, text, len);
	}
	names_epoch(n);
	CHECK_EQ_U64(names_count(n), 1000);
	for (i = 0; i < 1000; i += 10) {
		len = snprintf(text, sizeof(text), "%d", i);
		names_text(n, text, len);
	}
	names_epoch(n);
	CHECK_EQ_U64(names_count(n), 100);
	CHECK_EQ_STR(names_str(n, 991), "990");
	names_epoch(n);
	CHECK_EQ_U64(names_count(n), 0);
	names_free(n);
	n = NULL;
}

TEST(a_name_of_two_owners_goes_with_the_last)
{
	struct names *own = names_new();
	uint32_t id = names_task(own, 7, 70, 7, "cat", 3);

	names_hold(own, id);
	names_hold(own, id);
	names_drop(own, id);
	CHECK_EQ_STR(names_str(own, id), "cat");
	CHECK_EQ_U64(names_task(own, 7, 70, 7, "a much longer comm than it was", 30),
		     id);
	names_drop(own, id);
	CHECK(!names_get(own, id));
	names_free(own);
}

TEST_MAIN
