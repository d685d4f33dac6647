/*
 * Does the harness itself fail what it should? A test program that cannot fail
 * proves nothing, so the failing ends are driven here and their counts read.
 */
#include "test.h"

static void fail_in_a_helper(void)
{
	test_check_int("here", 1, "one", 1, 2);
}

static void skip_it(void)
{
	SKIP("said %s", "so");
}

static int run_apart(void (*run)(void))
{
	struct test_case t = { "driven", run, NULL };
	jmp_buf keep;
	int count[TEST_ENDS], how;

	memcpy(keep, test_run.leave, sizeof(keep));
	memcpy(count, test_run.count, sizeof(count));
	how = test_run_one(&t);
	memcpy(test_run.leave, keep, sizeof(keep));
	memcpy(test_run.count, count, sizeof(count));
	return how;
}

TEST(harness_counts_a_failure)
{
	CHECK_EQ_INT(run_apart(fail_in_a_helper), TEST_FAILED);
}

TEST(harness_counts_a_skip)
{
	CHECK_EQ_INT(run_apart(skip_it), TEST_SKIPPED);
}

TEST(harness_passes_what_is_right)
{
	CHECK(1);
	CHECK_EQ_INT(-1, -1);
	CHECK_EQ_U64(~0ull, ~0ull);
	CHECK_EQ_STR("a", "a");
	CHECK_EQ_STR(NULL, NULL);
	CHECK_NEAR(0.1 + 0.2, 0.3, 1e-9);
}

TEST_MAIN
