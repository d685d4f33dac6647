/*
 * Reading of files below a root: what is gone, denied, empty, no file at all
 * or too large gives no text and a reason, and is read again once it is back.
 */
#include "proc_test.h"

static struct procfs_file a_file(struct proc_test *t)
{
	return (struct procfs_file) {
		.env = &t->env, .collector = "x", .part = "", .path = "a",
	};
}

TEST(a_file_that_is_replaced_is_read_anew)
{
	struct proc_test t;
	struct procfs_file f;

	proc_start(&t);
	proc_tree(&t);
	f = a_file(&t);
	proc_put(&t, "a", "one\n");
	CHECK_EQ_INT(procfs_read(&f), 4);
	CHECK_EQ_STR(f.buf, "one\n");
	proc_put(&t, "b", "second\n");
	CHECK_EQ_INT(renameat(t.env.proc_fd, "b", t.env.proc_fd, "a"), 0);
	CHECK_EQ_INT(procfs_read(&f), 7);
	CHECK_EQ_STR(f.buf, "second\n");
	procfs_free(&f);
	proc_end(&t);
}

TEST(C37_gone_empty_back)
{
	struct proc_test t;
	struct procfs_file f;

	proc_start(&t);
	proc_tree(&t);
	f = a_file(&t);
	CHECK_EQ_INT(procfs_read(&f), -ENOENT);
	CHECK_EQ_INT(proc_health(&t, "x", "")->err, ENOENT);
	proc_put(&t, "a", "");
	CHECK_EQ_INT(procfs_read(&f), -ENODATA);
	proc_says(&t, "x", "", HEALTH_ABSENT, "is empty");
	proc_put(&t, "a", "1\n");
	CHECK_EQ_INT(procfs_read(&f), 2);
	CHECK_EQ_INT(unlinkat(t.env.proc_fd, "a", 0), 0);
	CHECK_EQ_INT(procfs_read(&f), -ENOENT);
	CHECK_EQ_U64(f.len, 0);
	procfs_free(&f);
	proc_end(&t);
}

TEST(C37_no_descriptor_leaks_over_10000_failures)
{
	struct proc_test t;
	struct procfs_file f;
	int i, before, after;

	proc_start(&t);
	proc_tree(&t);
	f = a_file(&t);
	before = dup(0);
	close(before);
	proc_put(&t, "a", "");
	for (i = 0; i < 10000; i++)
		CHECK_EQ_INT(procfs_read(&f), -ENODATA);
	unlinkat(t.env.proc_fd, "a", 0);
	for (i = 0; i < 10000; i++)
		CHECK_EQ_INT(procfs_read(&f), -ENOENT);
	after = dup(0);
	close(after);
	CHECK_EQ_INT(after, before);
	procfs_free(&f);
	proc_end(&t);
}

TEST(C35_a_fifo_does_not_block)
{
	struct proc_test t;
	struct procfs_file f;

	proc_start(&t);
	proc_tree(&t);
	f = a_file(&t);
	CHECK_EQ_INT(mkfifoat(t.env.proc_fd, "a", 0644), 0);
	alarm(10);
	CHECK_EQ_INT(procfs_read(&f), -ENXIO);
	alarm(0);
	proc_says(&t, "x", "", HEALTH_ABSENT, "not a regular file");
	procfs_free(&f);
	proc_end(&t);
}

TEST(a_folder_in_place_of_a_file)
{
	struct proc_test t;
	struct procfs_file f;

	proc_start(&t);
	proc_tree(&t);
	f = a_file(&t);
	CHECK_EQ_INT(mkdirat(t.env.proc_fd, "a", 0755), 0);
	CHECK_EQ_INT(procfs_read(&f), -EISDIR);
	procfs_free(&f);
	proc_end(&t);
}

TEST(a_file_of_more_than_64_mib_is_refused)
{
	struct proc_test t;
	struct procfs_file f;
	int fd;

	proc_start(&t);
	proc_tree(&t);
	f = a_file(&t);
	proc_put(&t, "a", "x");
	fd = openat(t.env.proc_fd, "a", O_WRONLY);
	CHECK_EQ_INT(ftruncate(fd, (off_t)PROCFS_MAX * 4), 0);
	close(fd);
	CHECK_EQ_INT(procfs_read(&f), -EFBIG);
	CHECK(f.cap <= (size_t)PROCFS_MAX * 2);
	procfs_free(&f);
	proc_end(&t);
}

static int count_lines(const struct procfs_file *f)
{
	const char *at = f->buf;
	struct procfs_line l;
	int n = 0;

	while (procfs_next_line(&at, f->buf + f->len, &l))
		n++;
	return n;
}

TEST(every_live_file_reads_again_from_its_start)
{
	static const char *const path[] = {
		"vmstat", "stat", "loadavg", "interrupts", "self/statm",
		"self/stat",
	};
	struct proc_test t;
	struct procfs_file f;
	int lines;
	size_t i;

	proc_start(&t);
	proc_live(&t);
	for (i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		f = a_file(&t);
		f.path = path[i];
		CHECK(procfs_read(&f) > 0);
		CHECK_EQ_INT(f.open, 1);
		lines = count_lines(&f);
		CHECK(lines > 0);
		CHECK(procfs_read(&f) > 0);
		CHECK_EQ_INT(count_lines(&f), lines);
		CHECK_EQ_INT(f.buf[f.len - 1], '\n');
		procfs_free(&f);
	}
	proc_end(&t);
}

TEST(numbers_are_exact_or_none)
{
	static const struct {
		const char *text;
		int ok;
		uint64_t v;
	} c[] = {
		{ "0", 1, 0 }, { "  7 x", 1, 7 }, { "\t9", 1, 9 },
		{ "18446744073709551615", 1, UINT64_MAX },
		{ "18446744073709551616", 0, 0 },
		{ "99999999999999999999999", 0, 0 },
		{ "12x", 0, 0 }, { "-1", 0, 0 }, { "", 0, 0 }, { "  ", 0, 0 },
		{ "9007199254740993", 1, 9007199254740993u },
	};
	struct procfs_line l;
	uint64_t v;
	size_t i;

	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		l.p = c[i].text;
		l.end = l.p + strlen(l.p);
		v = 0;
		CHECK_EQ_INT(procfs_take_u64(&l, &v), c[i].ok);
		CHECK_EQ_U64(v, c[i].v);
	}
}

TEST(a_line_without_its_newline_is_none)
{
	const char *text = "a\nb", *at = text;
	struct procfs_line l;

	CHECK_EQ_INT(procfs_next_line(&at, text + 3, &l), 1);
	CHECK_EQ_INT(l.end - l.p, 1);
	CHECK_EQ_INT(procfs_next_line(&at, text + 3, &l), 0);
}

TEST(cpu_numbers)
{
	CHECK_EQ_INT(procfs_cpu_number("cpu0", 4, "cpu"), 0);
	CHECK_EQ_INT(procfs_cpu_number("cpu1151", 7, "cpu"), 1151);
	CHECK_EQ_INT(procfs_cpu_number("cpu", 3, "cpu"), -1);
	CHECK_EQ_INT(procfs_cpu_number("cpu65536", 8, "cpu"), -1);
	CHECK_EQ_INT(procfs_cpu_number("cpu99999999999", 14, "cpu"), -1);
	CHECK_EQ_INT(procfs_cpu_number("cpu1x", 5, "cpu"), -1);
	CHECK_EQ_INT(procfs_cpu_number("CPU3", 4, "cpu"), -1);
}

TEST_MAIN
