/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does every address get the name of the function it lies in, and no other?
 * Captured tables are read from $STALLTOP_REAL (kallsyms-*.xz) where it is set.
 */
#include <fcntl.h>
#include <glob.h>
#include <unistd.h>
#include "ksyms.h"
#include "names.h"
#include "test.h"

static struct ksyms *k;
static struct names *n;

static void table_set(const char *text, size_t len)
{
	ksyms_free(k);
	names_free(n);
	k = NULL;
	n = names_new();
	CHECK(n);
	CHECK_EQ_INT(ksyms_parse(&k, text, len), 0);
}

static void table(const char *text)
{
	table_set(text, strlen(text));
}

static const struct name *at(uint64_t addr)
{
	const struct name *name = names_get(n, ksyms_symbol(k, n, addr));

	CHECK(name);
	CHECK_EQ_INT(name->kind, NAME_SYMBOL);
	return name;
}

static const char small[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000000 t do_one\n"
	"ffffffff81000040 t __pfx_do_two\n"
	"ffffffff81000050 T do_two\n"
	"ffffffff81000100 T __sched_text_start\n"
	"ffffffff81000100 t __schedule\n"
	"ffffffff81000200 T schedule\n"
	"ffffffff81000280 T __sched_text_end\n"
	"ffffffff81000300 T __lock_text_start\n"
	"ffffffff81000300 T _raw_spin_lock\n"
	"ffffffff81000340 T __lock_text_end\n"
	"ffffffff81000400 t schedule_tail\n"
	"ffffffff81000500 t __schedule.cold\n"
	"ffffffff81000600 W memcpy\n"
	"ffffffff81000600 T __pi_memcpy\n"
	"ffffffff81000700 T _etext\n"
	"ffffffff82000000 D some_data\n"
	"ffffffffc0201000 t mod_fn\t[ext4]\n"
	"ffffffffc0202000 d mod_data\t[ext4]\n"
	"ffffffffc0300000 t bpf_prog_6deef7357e7b4530\t[bpf]\n";

TEST(an_address_is_in_the_function_that_begins_before_it)
{
	table(small);
	CHECK_EQ_STR(at(0xffffffff81000000)->text, "do_one");
	CHECK_EQ_STR(at(0xffffffff8100003f)->text, "do_one");
	CHECK_EQ_STR(at(0xffffffff81000050)->text, "do_two");
	CHECK_EQ_STR(at(0xffffffff810000ff)->text, "do_two");
}

TEST(a_function_is_preferred_to_a_marker_and_to_an_alias)
{
	table(small);
	CHECK_EQ_STR(at(0xffffffff81000100)->text, "__schedule");
	CHECK_EQ_STR(at(0xffffffff81000600)->text, "memcpy");
	CHECK_EQ_U64(ksyms_address(k, "__pi_memcpy"), 0xffffffff81000600);
	CHECK_EQ_U64(ksyms_address(k, "nothing"), 0);
}

TEST(a_global_name_is_preferred_to_a_local_one)
{
	table("1000 t inner\n1000 w weak\n1000 T outer\n");
	CHECK_EQ_STR(at(0x1004)->text, "outer");
}

TEST(sched_functions_are_those_between_the_markers)
{
	table(small);
	CHECK_EQ_INT(at(0xffffffff81000110)->symbol.flags, SYMBOL_SCHED);
	CHECK_EQ_INT(at(0xffffffff81000210)->symbol.flags, SYMBOL_SCHED);
	CHECK_EQ_INT(at(0xffffffff81000310)->symbol.flags, SYMBOL_SCHED);
	CHECK_EQ_INT(at(0xffffffff81000410)->symbol.flags, 0);
	CHECK_EQ_STR(at(0xffffffff81000410)->text, "schedule_tail");
}

TEST(without_markers_sched_functions_are_known_by_name)
{
	table("1000 t __schedule\n1100 T schedule_tail\n1200 T schedule\n"
	      "1300 T mutex_lock_interruptible\n1400 T io_schedule_prepare\n"
	      "1500 t do_task_dead\n1600 t rwsem_down_read_slowpath.isra.0\n"
	      "1700 T mutex_lock\t[other]\n1800 T update_process_times\n"
	      "1900 t preempt_schedule_thunk\n");
	CHECK_EQ_INT(at(0x1000)->symbol.flags, SYMBOL_SCHED);
	CHECK_EQ_INT(at(0x1100)->symbol.flags, 0);
	CHECK_EQ_INT(at(0x1200)->symbol.flags, SYMBOL_SCHED);
	CHECK_EQ_INT(at(0x1300)->symbol.flags, SYMBOL_SCHED);
	CHECK_EQ_INT(at(0x1400)->symbol.flags, 0);
	CHECK_EQ_INT(at(0x1500)->symbol.flags, 0);
	CHECK_EQ_INT(at(0x1600)->symbol.flags, SYMBOL_SCHED);
	CHECK_EQ_INT(at(0x1700)->symbol.flags, 0);
	CHECK_EQ_INT(at(0x1800)->symbol.flags, 0);
	CHECK_EQ_INT(at(0x1900)->symbol.flags, 0);
}

TEST(half_a_pair_of_markers_is_none)
{
	table("1000 t schedule_tail\n2000 T schedule\n"
	      "3000 T __sched_text_end\n4000 T __lock_text_start\n"
	      "5000 T do_exit\n");
	CHECK_EQ_INT(at(0x1000)->symbol.flags, 0);
	CHECK_EQ_INT(at(0x2000)->symbol.flags, SYMBOL_SCHED);
	CHECK_EQ_INT(at(0x5000)->symbol.flags, 0);
}

TEST(C40_suffixes_are_folded_and_cold_parts_belong_to_their_parent)
{
	static const char *const fold[][2] = {
		{ "__page_set_anon_rmap.part.33", "__page_set_anon_rmap" },
		{ "pipe_read.isra.0", "pipe_read" },
		{ "poll_schedule_timeout.constprop.0",
		  "poll_schedule_timeout" },
		{ "finish_task_switch.isra.0.cold", "finish_task_switch" },
		{ "foo.llvm.1234567", "foo" }, { "foo.cold.7", "foo" },
		{ "plain", "plain" }, { "a.partial", "a.partial" },
		{ ".slowpath", ".slowpath" }, { "", "" },
	};
	char buf[64];
	size_t i;

	for (i = 0; i < sizeof(fold) / sizeof(*fold); i++)
		CHECK_EQ_STR(ksyms_fold(fold[i][0], buf, sizeof(buf)),
			     fold[i][1]);
	CHECK_EQ_STR(ksyms_fold("longer", buf, 4), "lon");
	table(small);
	CHECK_EQ_INT(ksyms_symbol(k, n, 0xffffffff81000510),
		     ksyms_symbol(k, n, 0xffffffff81000110));
	CHECK_EQ_INT(at(0xffffffff81000510)->symbol.flags, SYMBOL_SCHED);
}

TEST(C38_a_table_of_zeros_names_nothing)
{
	table("0000000000000000 T _stext\n0000000000000000 t schedule\n"
	      "0000000000000000 T pipe_read\n0000000000000000 t f\t[m]\n");
	CHECK_EQ_INT(ksyms_count(k), 0);
	CHECK_EQ_STR(at(0xffffffff81234567)->text, "0xffffffff81234567");
	CHECK_EQ_INT(at(0xffffffff81234567)->symbol.flags, SYMBOL_BARE);
}

static enum ksyms_state state_of(const char *text)
{
	char dir[] = "/tmp/test_ksyms.XXXXXX", path[64];
	enum ksyms_state state;
	int fd;
	FILE *f;

	CHECK(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	if (text) {
		f = fopen(path, "w");
		CHECK(f);
		fputs(text, f);
		fclose(f);
	}
	fd = open(dir, O_PATH | O_DIRECTORY);
	CHECK(fd >= 0);
	ksyms_free(k);
	k = NULL;
	CHECK_EQ_INT(ksyms_load(&k, fd, &state), 0);
	close(fd);
	unlink(path);
	rmdir(dir);
	return state;
}

/* Read once however many ask; whoever frees last frees it. */
TEST(ksyms_are_shared_by_the_collectors_of_an_env)
{
	struct ksyms *place = NULL, *a = NULL, *b = NULL;
	struct env env = { .ksyms = &place };
	enum ksyms_state first, second;

	env.proc_fd = open("tests/fixtures/line/t0/proc",
			   O_PATH | O_DIRECTORY);
	CHECK(env.proc_fd >= 0);
	CHECK_EQ_INT(ksyms_share(&a, &env, &first), 0);
	CHECK_EQ_INT(ksyms_share(&b, &env, &second), 0);
	CHECK(a && a == b && place == a);
	CHECK_EQ_INT(first, second);
	ksyms_free(a);
	CHECK(place == b);
	ksyms_count(b);			/* still there */
	ksyms_free(b);
	CHECK(!place);
	CHECK_EQ_INT(ksyms_share(&a, &env, &first), 0);
	env.ksyms = NULL;		/* each its own */
	CHECK_EQ_INT(ksyms_share(&b, &env, &first), 0);
	CHECK(a != b && place == a);
	ksyms_free(b);
	ksyms_free(a);
	CHECK(!place);
	close(env.proc_fd);
}

TEST(C38_the_state_of_a_table_is_told_apart)
{
	CHECK_EQ_INT(state_of("0 T _stext\n0 T schedule\n"), KSYMS_HIDDEN);
	CHECK_EQ_INT(state_of(""), KSYMS_EMPTY);
	CHECK_EQ_INT(state_of(NULL), KSYMS_ABSENT);
	CHECK_EQ_INT(state_of("0 A irq\n1000 T schedule\n"), KSYMS_OK);
}

TEST(C42_eight_digits_CRLF_and_no_order)
{
	table("c0102000 t third\r\nc0100000 T _stext\r\n\r\nnonsense\r\n"
	      "00000000 A __per_cpu_start\r\n"
	      "c0101000 T second\r\nbf000000 t in_mod\t[usb]\r\n"
	      "c0100000 t first\r\nc0103000 T _etext");
	CHECK_EQ_INT(ksyms_count(k), 4);
	CHECK_EQ_STR(at(0xc0100ffc)->text, "first");
	CHECK_EQ_STR(at(0xc0101ffc)->text, "second");
	CHECK_EQ_STR(at(0xc0102ffc)->text, "third");
	CHECK_EQ_STR(names_str(n, at(0xbf000010)->symbol.module), "usb");
	CHECK_EQ_INT(at(0x10)->symbol.flags, SYMBOL_BARE);
}

TEST(C42_an_address_in_a_hole_is_no_symbol_of_megabytes_before)
{
	static const uint64_t hole[] = {
		0, 0xffffffff80ffffff, 0xffffffff81000280,
		0xffffffff81000700, 0xffffffff82000010, 0xffffffffc0000000,
		0xffffffffc0202000, 0xffffffffc0400000, UINT64_MAX,
	};
	size_t i;

	table(small);
	for (i = 0; i < sizeof(hole) / sizeof(*hole); i++)
		CHECK_EQ_INT(at(hole[i])->symbol.flags, SYMBOL_BARE);
	table("ffffffff81000000 t last\n");
	CHECK_EQ_STR(at(0xffffffff81000100)->text, "last");
	CHECK_EQ_INT(at(0xffffffff81100000)->symbol.flags, SYMBOL_BARE);
}

TEST(C42_an_empty_or_broken_table_is_empty)
{
	static const char *const bad[] = {
		"", "\n\n", "1000", "1000 T", "1000 T ", "x T y\n",
		"11112222333344445 T too_long\n", "1000T f\n",
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		table(bad[i]);
		CHECK_EQ_INT(ksyms_count(k), 0);
	}
}

TEST(C43_a_frame_without_symbol_is_hex)
{
	static const uint64_t ip[] = { 0xffffffff81000110, 0x1234, 0x5678 };
	const struct name *s;

	table(small);
	s = names_get(n, ksyms_stack(k, n, 'S', ip, 3));
	CHECK(s);
	CHECK_EQ_INT(s->len, 3);
	CHECK_EQ_INT(s->stack.state, 'S');
	CHECK_EQ_STR(names_str(n, s->stack.frame[0]), "__schedule");
	CHECK_EQ_STR(names_str(n, s->stack.frame[1]), "0x1234");
	CHECK_EQ_STR(names_str(n, s->stack.frame[2]), "0x5678");
}

TEST(a_return_address_behind_a_call_that_never_returns_is_the_callers)
{
	static const uint64_t ip[] = { 0xffffffff81000050,
				       0xffffffff81000050 };
	const struct name *s;

	table(small);
	s = names_get(n, ksyms_stack(k, n, 'Z', ip, 2));
	CHECK(s);
	CHECK_EQ_STR(names_str(n, s->stack.frame[0]), "do_two");
	CHECK_EQ_STR(names_str(n, s->stack.frame[1]), "do_one");
}

TEST(modules_and_bpf_programs_carry_their_owner)
{
	table(small);
	CHECK_EQ_STR(names_str(n, at(0xffffffffc0201010)->symbol.module),
		     "ext4");
	CHECK_EQ_STR(names_str(n, at(0xffffffffc0300010)->symbol.module),
		     "bpf");
	CHECK_EQ_INT(at(0xffffffff81000000)->symbol.module, 0);
}

/* ---- whole tables ------------------------------------------------------- */

static size_t read_all(FILE *f, char **text)
{
	size_t cap = 16 << 20, len;

	*text = malloc(cap);
	CHECK(*text);
	len = fread(*text, 1, cap, f);
	CHECK(len < cap);
	return len;
}

/* What every kernel must say of its own scheduler. */
static void check_sched(const char *file)
{
	static const struct { const char *name; uint32_t flags; } is[] = {
		{ "schedule", SYMBOL_SCHED }, { "io_schedule", SYMBOL_SCHED },
		{ "schedule_timeout", SYMBOL_SCHED },
		{ "mutex_lock", SYMBOL_SCHED }, { "down_read", SYMBOL_SCHED },
		{ "wait_for_completion", SYMBOL_SCHED },
		{ "do_nanosleep", SYMBOL_SCHED },
		{ "schedule_tail", 0 }, { "do_exit", 0 },
		{ "scheduler_tick", 0 }, { "hrtimer_nanosleep", 0 },
		{ "try_to_unmap", 0 },
	};
	size_t i, found = 0;
	uint64_t addr;

	CHECK(ksyms_count(k) > 500);
	for (i = 0; i < sizeof(is) / sizeof(*is); i++) {
		addr = ksyms_address(k, is[i].name);
		if (!addr)
			continue;
		found++;
		if (at(addr)->symbol.flags != is[i].flags)
			FAIL("%s: %s has flags %u", file, is[i].name,
			     at(addr)->symbol.flags);
		CHECK_EQ_STR(at(addr)->text, is[i].name);
	}
	CHECK(found >= 8);
}

/* The same without the markers: the names must say the same. */
static void check_sched_by_name(const char *file, char *text, size_t len)
{
	char *p = text;

	while ((p = memmem(p, len - (size_t)(p - text), "_text_start", 11)))
		memcpy(p, "_text_stxxx", 11);
	table_set(text, len);
	check_sched(file);
}

TEST(captured_tables_follow_the_kernels_rule)
{
	const char *dir = getenv("STALLTOP_REAL");
	char pattern[256], command[512], *text;
	size_t i, len;
	glob_t g;
	FILE *f;

	if (!dir)
		SKIP("STALLTOP_REAL is not set: no captured tables");
	snprintf(pattern, sizeof(pattern), "%s/kallsyms-*.xz", dir);
	if (glob(pattern, 0, NULL, &g))
		SKIP("no %s", pattern);
	for (i = 0; i < g.gl_pathc; i++) {
		snprintf(command, sizeof(command), "xz -dc '%s'",
			 g.gl_pathv[i]);
		f = popen(command, "r");
		CHECK(f);
		len = read_all(f, &text);
		CHECK_EQ_INT(pclose(f), 0);
		table_set(text, len);
		check_sched(g.gl_pathv[i]);
		check_sched_by_name(g.gl_pathv[i], text, len);
		free(text);
	}
	globfree(&g);
}

TEST(the_live_table_follows_the_kernels_rule)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char *text;
	size_t len;

	if (!f)
		SKIP("no /proc/kallsyms");
	len = read_all(f, &text);
	fclose(f);
	table_set(text, len);
	if (!ksyms_count(k)) {
		free(text);
		SKIP("addresses are hidden (kptr_restrict)");
	}
	check_sched("/proc/kallsyms");
	check_sched_by_name("/proc/kallsyms", text, len);
	free(text);
}

TEST(nothing_is_left_allocated)
{
	ksyms_free(k);
	names_free(n);
	k = NULL;
	n = NULL;
	ksyms_free(NULL);
}

TEST_MAIN
