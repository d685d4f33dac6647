/* /proc/interrupts: rows by label, columns by the header's CPU numbers. */
#include "proc_test.h"

static int parse(struct proc_test *t, const char *text)
{
	int got;

	sample_reset(&t->s);
	got = interrupts_parse(text, strlen(text), &t->s);
	sample_seal(&t->s);
	return got;
}

TEST(C17_columns_by_header)
{
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t,
		"           CPU0       CPU1       CPU20      CPU27\n"
		"  0:          5          0          0          0  timer\n"
		"TLB:         10         11         12         13   TLB shoot\n"
		"RES:          1          2          3          4   Resched\n"),
		INTERRUPTS_TLB | INTERRUPTS_RES);
	CHECK_EQ_U64(proc_value(&t, IRQ_TLB, 1, 0), 11);
	CHECK_EQ_U64(proc_value(&t, IRQ_TLB, 2, 0), ABSENT);
	CHECK_EQ_U64(proc_value(&t, IRQ_TLB, 20, 0), 12);
	CHECK_EQ_U64(proc_value(&t, IRQ_RES, 27, 0), 4);
	CHECK_EQ_U64(proc_value(&t, IRQ_CAL, 0, 0), ABSENT);
	proc_end(&t);
}

static const char arm64[] =
	"           CPU0       CPU1       CPU3\n"
	"  3:       1000       2000       3000     GICv3  27 Level arch_timer\n"
	"IPI0:       100        200        300       Rescheduling interrupts\n"
	"IPI1:         1          2          3       Function call interrupts\n"
	"IPI10:        7          8          9       Timer broadcast\n"
	"Err:          0\n";

TEST(C17_arm64_ipi_rows_by_their_text)
{
	struct proc_test t;
	uint32_t call;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, arm64), INTERRUPTS_IPI);
	CHECK_EQ_U64(t.s.n, 9);
	call = names_text(t.s.names, "Function call interrupts", 24);
	CHECK_EQ_U64(proc_value(&t, IRQ_IPI, 3, call), 3);
	CHECK_EQ_U64(proc_value(&t, IRQ_IPI, 2, call), ABSENT);
	proc_end(&t);
}

TEST(C17_no_tlb_row_says_so)
{
	struct proc_test t;
	const struct health_item *why;

	proc_start(&t);
	proc_tree(&t);
	proc_put(&t, "interrupts", arm64);
	proc_open(&t, &interrupts_collector);
	CHECK_EQ_INT(proc_collect(&t, &interrupts_collector), 0);
	proc_says(&t, "interrupts", "TLB", HEALTH_ABSENT,
		  "not counted by this architecture");
	why = health_why(&t.health, "interrupts", IRQ_TLB, 0);
	CHECK(why && strstr(why->why, "not counted"));
	interrupts_collector.close(t.state);
	interrupts_collector.close(NULL);
	proc_end(&t);
}

TEST(C16_lines_of_any_length)
{
	enum { CPUS = 2000 };
	char *text = malloc(CPUS * 40), *at = text;
	struct proc_test t;
	size_t n;
	int i;

	proc_start(&t);
	CHECK(text != NULL);
	for (i = 0; i < CPUS; i++)
		at += sprintf(at, " %9s%d", "CPU", i * 3);
	at += sprintf(at, "\nTLB: ");
	for (i = 0; i < CPUS; i++)
		at += sprintf(at, "%10d ", 1000000 + i);
	sprintf(at, "  TLB shootdowns\n");
	CHECK_EQ_INT(parse(&t, text), INTERRUPTS_TLB);
	CHECK_EQ_U64(proc_sum(&t, IRQ_TLB, &n), 2001999000u);
	CHECK_EQ_U64(n, CPUS);
	CHECK_EQ_U64(proc_value(&t, IRQ_TLB, 3 * 1999, 0), 1001999);
	free(text);
	proc_end(&t);
}

TEST(C19_absurd_cal_is_stored_as_printed)
{
	struct proc_test t;

	proc_start(&t);
	parse(&t, "           CPU0       CPU1\n"
	      "CAL: 4294966405         12   Function call interrupts\n"
	      "TLB:        891          3   TLB shootdowns\n");
	CHECK_EQ_U64(proc_value(&t, IRQ_CAL, 0, 0), 4294966405u);
	CHECK_EQ_U64(proc_value(&t, IRQ_CAL, 1, 0), 12);
	CHECK_EQ_U64(proc_value(&t, IRQ_TLB, 0, 0), 891);
	CHECK_EQ_INT(metric_info(IRQ_CAL)->kind, COUNTER32);
	proc_end(&t);
}

TEST(rows_with_other_columns_than_the_header)
{
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, "  CPU0 CPU1\nERR: 5\nTLB: 4\nLOC: 1 2 3 Local\n"
			   "RES: 7 x\n1158: 1 2 eth0\nCAL: 1"),
		     INTERRUPTS_TLB | INTERRUPTS_LOC | INTERRUPTS_RES);
	CHECK_EQ_U64(proc_value(&t, IRQ_TLB, 0, 0), 4);
	CHECK_EQ_U64(proc_value(&t, IRQ_TLB, 1, 0), ABSENT);
	CHECK_EQ_U64(proc_value(&t, IRQ_LOC, 1, 0), 2);
	CHECK_EQ_U64(proc_value(&t, IRQ_RES, 1, 0), ABSENT);
	CHECK_EQ_U64(t.s.n, 4);
	proc_end(&t);
}

TEST(texts_without_a_header)
{
	struct proc_test t;

	proc_start(&t);
	CHECK_EQ_INT(parse(&t, ""), -EINVAL);
	CHECK_EQ_INT(parse(&t, "TLB: 1 2\n"), -EINVAL);
	CHECK_EQ_INT(parse(&t, " CPU0 CPU1"), -EINVAL);
	CHECK_EQ_INT(parse(&t, " CPU0 CPU1\n"), 0);
	proc_end(&t);
}

TEST(C13_time_line_offline_and_wrap)
{
	struct proc_test t;
	int n;

	proc_start(&t);
	proc_line(&t, 0);
	proc_open(&t, &interrupts_collector);
	for (n = 0; n < 5; n++) {
		proc_line(&t, n);
		CHECK_EQ_INT(proc_collect(&t, &interrupts_collector), 0);
		CHECK_EQ_U64(proc_value(&t, IRQ_TLB, 3, 0),
			     (uint32_t)(4294960000u + 2000u * (unsigned)n));
		CHECK_EQ_INT(proc_value(&t, IRQ_TLB, 2, 0) == ABSENT, n == 2);
		CHECK_EQ_U64(proc_value(&t, IRQ_LOC, 0, 0),
			     50000u + 250u * (unsigned)n);
		CHECK(!proc_health(&t, "interrupts", "TLB"));
	}
	CHECK_EQ_U64(proc_value(&t, IRQ_TLB, 3, 0), 704);
	CHECK_EQ_U64(proc_value(&t, IRQ_CAL, 2, 0), 32015);
	proc_says(&t, "interrupts", "", HEALTH_OK, "rows TLB RES CAL LOC");
	interrupts_collector.close(t.state);
	proc_end(&t);
}

TEST_MAIN
