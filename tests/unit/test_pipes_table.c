// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bytes of pipes over passes: what was let go stays in the sum, what came back
 * or was missed by the walk is not counted twice.
 */
#include <errno.h>
#include "test.h"
#include "pipes_table.h"

static struct names *names;
static struct pipes_table t;
static struct pipe_key there;		/* what find() knows */
static struct pipe_bytes there_bytes;
static int asked;

static void begin(void)
{
	names = names_new();
	asked = 0;
	there = (struct pipe_key) { 0, 0, 0 };
	CHECK_EQ_INT(pipes_table_init(&t, names), 0);
}

static void end(void)
{
	pipes_table_free(&t);
	names_free(names);
}

static int find(void *arg, const struct pipe_key *key, struct pipe_bytes *bytes)
{
	(void)arg;
	asked++;
	if (key->inode != there.inode)
		return -ENOENT;
	*bytes = there_bytes;
	return 0;
}

static void put(uint64_t inode, uint64_t n_read, uint64_t written)
{
	struct pipe_key key = { .inode = inode, .dev = 15 };
	struct pipe_bytes bytes = { n_read, written };

	pipes_table_put(&t, &key, &bytes);
}

/* The reading of the pipe of that name, NULL: ended; -1: none. */
static int64_t value(uint16_t metric, const char *name)
{
	const struct reading *r;
	struct sample to = { 0 };
	uint32_t id = name ? names_text(names, name, strlen(name)) : 0;
	int64_t v;

	CHECK_EQ_INT(sample_init(&to), 0);
	CHECK_EQ_INT(pipes_table_collect(&t, &to), 0);
	sample_seal(&to);
	r = sample_find(&to, metric, id, 0);
	v = r ? (int64_t)r->value : -1;
	sample_free(&to);
	return v;
}

TEST(each_pipe_by_its_file_system_and_inode)
{
	begin();
	pipes_table_begin(&t);
	put(8, 100, 200);
	put(7, 1, 2);
	pipes_table_end(&t, find, NULL);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, "0:15 7"), 1);
	CHECK_EQ_INT(value(PIPE_BYTES_WRITTEN, "0:15 7"), 2);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, "0:15 8"), 100);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, NULL), 0);
	CHECK_EQ_INT(asked, 0);
	end();
}

TEST(a_pipe_that_was_let_go_stays_in_the_sum)
{
	begin();
	pipes_table_begin(&t);
	put(7, 10, 20);
	put(8, 1, 1);
	pipes_table_end(&t, find, NULL);
	pipes_table_begin(&t);
	put(8, 2, 2);
	pipes_table_end(&t, find, NULL);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, NULL), 10);
	CHECK_EQ_INT(value(PIPE_BYTES_WRITTEN, NULL), 20);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, "0:15 7"), -1);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, "0:15 8"), 2);
	CHECK_EQ_U64(t.let_go, 1);
	end();
}

TEST(one_the_walk_missed_has_not_ended)
{
	begin();
	pipes_table_begin(&t);
	put(7, 10, 20);
	put(9, 3, 4);
	pipes_table_end(&t, find, NULL);
	there = (struct pipe_key) { .inode = 7, .dev = 15 };
	there_bytes = (struct pipe_bytes) { 11, 21 };
	pipes_table_begin(&t);
	put(9, 3, 4);
	pipes_table_end(&t, find, NULL);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, "0:15 7"), 11);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, NULL), 0);
	CHECK_EQ_U64(t.let_go, 0);
	end();
}

TEST(one_the_walk_met_twice_is_one)
{
	begin();
	pipes_table_begin(&t);
	put(7, 10, 20);
	put(8, 5, 5);
	put(7, 12, 20);
	pipes_table_end(&t, find, NULL);
	CHECK_EQ_U64(t.n, 2);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, "0:15 7"), 12);
	end();
}

TEST(one_that_came_back_began_anew)
{
	begin();
	pipes_table_begin(&t);
	put(7, 10, 20);
	pipes_table_end(&t, find, NULL);
	pipes_table_begin(&t);
	put(7, 4, 4);
	pipes_table_end(&t, find, NULL);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, "0:15 7"), 4);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, NULL), 10);
	end();
}

TEST(names_go_with_the_pipes)
{
	size_t before;
	uint64_t pass;

	begin();
	before = names_count(names);
	for (pass = 1; pass < 100; pass++) {
		pipes_table_begin(&t);
		put(pass, 1, 1);
		put(1000 + pass, 1, 1);
		pipes_table_end(&t, find, NULL);
	}
	CHECK_EQ_U64(names_count(names), before + 2);
	pipes_table_clear(&t);
	CHECK_EQ_U64(names_count(names), before);
	CHECK_EQ_INT(value(PIPE_BYTES_READ, NULL), 0);
	end();
}

TEST_MAIN
