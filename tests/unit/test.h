/*
 * The harness of the unit tests: one program per tests/unit/test_X.c.
 *
 *	#include "test.h"
 *
 *	TEST(parse_refuses_an_empty_line)
 *	{
 *		CHECK(stat_parse("", 0, &s) < 0);
 *		CHECK_EQ_U64(s.n, 0);
 *	}
 *
 *	TEST_MAIN
 *
 * A failed check prints where and what, ends its test, and the program goes on
 * with the next one; so it may be called from helper functions as well. SKIP
 * ends the test likewise and says why. `test_X NAME...` runs those tests alone.
 * The last line printed is "N passed, N failed, N skipped"; the exit status is
 * 1 if any failed. Programs are run from the top of the tree, so fixtures are
 * opened as tests/fixtures/...
 */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST_UNUSED __attribute__((unused))

struct test_case {
	const char *name;
	void (*run)(void);
	struct test_case *next;
};

enum test_end { TEST_PASSED, TEST_FAILED, TEST_SKIPPED, TEST_ENDS };

static struct {
	struct test_case *first, **last;
	jmp_buf leave;
	int count[TEST_ENDS];
} test_run;

static TEST_UNUSED void test_add(struct test_case *t)
{
	if (!test_run.last)
		test_run.last = &test_run.first;
	*test_run.last = t;
	test_run.last = &t->next;
}

static TEST_UNUSED __attribute__((noreturn, format(printf, 4, 5)))
void test_leave(enum test_end how, const char *file, int line,
		const char *format, ...)
{
	va_list ap;

	printf("  %s:%d: ", file, line);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	longjmp(test_run.leave, how);
}

static TEST_UNUSED void test_check_int(const char *file, int line,
				       const char *what, long long got,
				       long long want)
{
	if (got != want)
		test_leave(TEST_FAILED, file, line, "%s is %lld, not %lld",
			   what, got, want);
}

static TEST_UNUSED void test_check_u64(const char *file, int line,
				       const char *what, uint64_t got,
				       uint64_t want)
{
	if (got != want)
		test_leave(TEST_FAILED, file, line,
			   "%s is %llu (%#llx), not %llu (%#llx)", what,
			   (unsigned long long)got, (unsigned long long)got,
			   (unsigned long long)want, (unsigned long long)want);
}

static TEST_UNUSED void test_check_near(const char *file, int line,
					const char *what, double got,
					double want, double tolerance)
{
	double off = got > want ? got - want : want - got;

	if (!(off <= tolerance))	/* a NaN is not near anything */
		test_leave(TEST_FAILED, file, line,
			   "%s is %.17g, not %.17g within %g", what, got, want,
			   tolerance);
}

static TEST_UNUSED void test_check_str(const char *file, int line,
				       const char *what, const char *got,
				       const char *want)
{
	if (got == want || (got && want && !strcmp(got, want)))
		return;
	test_leave(TEST_FAILED, file, line, "%s is\n\t\"%s\", not\n\t\"%s\"",
		   what, got ? got : "(null)", want ? want : "(null)");
}

static TEST_UNUSED int test_run_one(struct test_case *t)
{
	static const char *const word[] = { "ok", "FAIL", "skip" };
	int how = setjmp(test_run.leave);

	if (!how)
		t->run();
	printf("%s %s\n", word[how], t->name);
	fflush(stdout);
	test_run.count[how]++;
	return how;
}

static TEST_UNUSED int test_is_wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return 1;
	return argc < 2;
}

static TEST_UNUSED int test_main(int argc, char **argv)
{
	struct test_case *t;
	int total = 0, i;

	for (t = test_run.first; t; t = t->next)
		if (test_is_wanted(t->name, argc, argv))
			test_run_one(t);
	for (i = 0; i < TEST_ENDS; i++)
		total += test_run.count[i];
	if (!total) {		/* a misspelt name is not a success */
		printf("FAIL no such test\n");
		test_run.count[TEST_FAILED]++;
	}
	printf("%d passed, %d failed, %d skipped\n",
	       test_run.count[TEST_PASSED], test_run.count[TEST_FAILED],
	       test_run.count[TEST_SKIPPED]);
	return test_run.count[TEST_FAILED] != 0;
}

#define TEST(name)							\
	static void test_##name(void);					\
	static struct test_case test_case_##name = {			\
		#name, test_##name, NULL				\
	};								\
	static void __attribute__((constructor)) test_add_##name(void)	\
	{								\
		test_add(&test_case_##name);				\
	}								\
	static void test_##name(void)

#define TEST_MAIN							\
	int main(int argc, char **argv)					\
	{								\
		return test_main(argc, argv);				\
	}

#define CHECK(cond)							\
	((cond) ? (void)0 :						\
	 test_leave(TEST_FAILED, __FILE__, __LINE__, "not true: %s", #cond))
#define CHECK_EQ_INT(got, want)						\
	test_check_int(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_EQ_U64(got, want)						\
	test_check_u64(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_EQ_STR(got, want)						\
	test_check_str(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_NEAR(got, want, tolerance)				\
	test_check_near(__FILE__, __LINE__, #got, (got), (want), (tolerance))
#define FAIL(...)							\
	test_leave(TEST_FAILED, __FILE__, __LINE__, __VA_ARGS__)
#define SKIP(...)							\
	test_leave(TEST_SKIPPED, __FILE__, __LINE__, __VA_ARGS__)

#endif
