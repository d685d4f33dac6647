/* /proc/vmstat: every key by its exact name, none of it guessed. */
#include "proc_test.h"

TEST(C30_exact_names_only)
{
	struct proc_test t;
	const char text[] = "pgsteal_kswapd_normal 5\npgsteal_anon 7\n"
			    "pgsteal_direct 11\n";

	proc_start(&t);
	CHECK_EQ_INT(vmstat_parse(text, strlen(text), &t.s), 3);
	sample_seal(&t.s);
	CHECK_EQ_U64(proc_value(&t, VM_PGSTEAL_DIRECT, 0, 0), 11);
	CHECK_EQ_U64(proc_value(&t, VM_PGSTEAL_KSWAPD, 0, 0), ABSENT);
	CHECK_EQ_U64(proc_value(&t, metric_find("vm.pgsteal_anon"), 0, 0), 7);
	CHECK_EQ_U64(proc_value(&t, metric_find("vm.pgsteal_kswapd_normal"), 0,
				0), 5);
	proc_end(&t);
}

TEST(C20_values_above_2_53_are_exact)
{
	struct proc_test t;
	const char text[] = "pgfault 9007199254740993\n"
			    "pgfree 18446744073709551615\n";

	proc_start(&t);
	CHECK_EQ_INT(vmstat_parse(text, strlen(text), &t.s), 2);
	sample_seal(&t.s);
	CHECK_EQ_U64(proc_value(&t, VM_PGFAULT, 0, 0), 9007199254740993u);
	CHECK_EQ_U64(proc_value(&t, VM_PGFREE, 0, 0), UINT64_MAX);
	proc_end(&t);
}

TEST(kinds_of_keys_the_table_does_not_know)
{
	static const struct {
		const char *name;
		enum metric_kind kind;
	} c[] = {
		{ "vm.nr_zspages", GAUGE }, { "vm.nr_dirtied", COUNTER },
		{ "vm.nr_foll_pin_released", COUNTER },
		{ "vm.nr_vmscan_write", COUNTER },
		{ "vm.workingset_nodes", GAUGE }, { "vm.oom_kill", COUNTER },
		{ "vm.nr_unstable", GAUGE },
	};
	struct proc_test t;
	char line[80];
	size_t i;

	proc_start(&t);
	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		snprintf(line, sizeof(line), "%s 1\n", c[i].name + 3);
		CHECK_EQ_INT(vmstat_parse(line, strlen(line), &t.s), 1);
		CHECK_EQ_INT(metric_info(metric_find(c[i].name))->kind,
			     c[i].kind);
	}
	proc_end(&t);
}

TEST(broken_lines_leave_the_others)
{
	struct proc_test t;
	const char text[] = "pgfault 1x\n\npgfree\n evil\033key 4\n"
			    "pgmajfault 3\n"
			    "pswpin 18446744073709551616\npswpout -1\npgpgin 1";

	proc_start(&t);
	CHECK_EQ_INT(vmstat_parse(text, strlen(text), &t.s), 1);
	CHECK_EQ_U64(t.s.v[0].metric, VM_PGMAJFAULT);
	CHECK_EQ_INT(vmstat_parse("", 0, &t.s), -EINVAL);
	CHECK_EQ_INT(vmstat_parse("a cow\n", 6, &t.s), -EINVAL);
	proc_end(&t);
}

TEST(time_line_vanishes_and_comes_back)
{
	struct proc_test t;
	int n;

	proc_start(&t);
	proc_line(&t, 0);
	proc_open(&t, &vmstat_collector);
	for (n = 0; n < 5; n++) {
		proc_line(&t, n);
		if (n == 3) {
			CHECK_EQ_INT(proc_collect(&t, &vmstat_collector),
				     -ENOENT);
			CHECK_EQ_U64(t.s.n, 0);
			proc_says(&t, "vmstat", "", HEALTH_ABSENT, "not exist");
			continue;
		}
		CHECK_EQ_INT(proc_collect(&t, &vmstat_collector), 0);
		CHECK_EQ_U64(t.s.n, 31);
		CHECK_EQ_U64(proc_value(&t, VM_PGFAULT, 0, 0),
			     4000000u + 12100u * (unsigned)n);
		CHECK_EQ_U64(proc_value(&t, VM_NUMA_HIT, 0, 0),
			     9007199254740993u + 3000u * (unsigned)n);
		proc_says(&t, "vmstat", "", HEALTH_OK, "31 keys");
		CHECK(!proc_health(&t, "vmstat", "nr_tlb_*"));
	}
	vmstat_collector.close(t.state);
	proc_end(&t);
}

TEST(keys_that_move_keep_their_names)
{
	struct proc_test t;

	proc_start(&t);
	proc_tree(&t);
	proc_open(&t, &vmstat_collector);
	proc_put(&t, "vmstat", "pgfault 1\npgfree 2\npgmajfault 3\n");
	CHECK_EQ_INT(proc_collect(&t, &vmstat_collector), 0);
	proc_put(&t, "vmstat", "pgfree 5\npgmajfault 6\npgfault 4\n"
		 "new_key 9\n");
	CHECK_EQ_INT(proc_collect(&t, &vmstat_collector), 0);
	CHECK_EQ_U64(proc_value(&t, VM_PGFAULT, 0, 0), 4);
	CHECK_EQ_U64(proc_value(&t, VM_PGFREE, 0, 0), 5);
	CHECK_EQ_U64(proc_value(&t, VM_PGMAJFAULT, 0, 0), 6);
	CHECK_EQ_U64(proc_value(&t, metric_find("vm.new_key"), 0, 0), 9);
	vmstat_collector.close(t.state);
	proc_end(&t);
}

TEST(no_nr_tlb_is_absent_with_its_reason)
{
	struct proc_test t;
	const struct health_item *why;

	proc_start(&t);
	proc_tree(&t);
	proc_put(&t, "vmstat", "pgfault 1\n");
	proc_open(&t, &vmstat_collector);
	CHECK_EQ_INT(proc_collect(&t, &vmstat_collector), 0);
	why = health_why(&t.health, "vmstat", VM_NR_TLB_LOCAL_FLUSH_ALL, -1);
	CHECK(why && strstr(why->why, "CONFIG_DEBUG_TLBFLUSH"));
	CHECK_EQ_U64(proc_value(&t, VM_NR_TLB_REMOTE_FLUSH, 0, 0), ABSENT);
	vmstat_collector.close(t.state);
	vmstat_collector.close(NULL);
	proc_end(&t);
}

TEST_MAIN
