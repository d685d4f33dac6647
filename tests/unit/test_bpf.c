/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does our door to libbpf say what the running kernel has, load a program,
 * share its memory, and tell what that takes?  With the image "sched".
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <linux/types.h>
#include "bpf_why.h"
#include "sched.bpf.h"
#include "test.h"

static struct options opt;
static struct host host = { .release = "here" };
static struct env env = { .opt = &opt, .host = &host };
static struct bpf_why why;

static struct bpf *image_open(void)
{
	struct bpf *b;

	if (!env.proc_fd) {
		env.proc_fd = open("/proc", O_PATH | O_DIRECTORY);
		env.sys_fd = open("/sys", O_PATH | O_DIRECTORY);
	}
	if (bpf_possible(&env, &why))
		SKIP("%s", why.why);
	CHECK_EQ_INT(bpf_open(&b, "sched", &why), 0);
	return b;
}

TEST(bpf_has_no_image_of_another_name)
{
	struct bpf *b = image_open();

	bpf_close(b);
	CHECK_EQ_INT(bpf_open(&b, "sche", &why), -ENOENT);
	CHECK(!b);
	CHECK(strstr(why.why, "\"sche\""));
	bpf_close(NULL);
}

TEST(bpf_says_what_the_kernel_has)
{
	struct bpf *b = image_open();

	CHECK(bpf_kernel_has(b, "sched_switch"));	/* a tracepoint */
	CHECK(bpf_kernel_has(b, "vfs_read"));		/* a function */
	CHECK(bpf_kernel_has(b, "task_struct"));
	CHECK(bpf_kernel_has(b, "task_struct.comm"));
	CHECK(!bpf_kernel_has(b, "task_struct.command"));
	CHECK(!bpf_kernel_has(b, "no_such_struct.comm"));
	CHECK(!bpf_kernel_has(b, "no_such_tracepoint"));
	CHECK(bpf_trace_args(b, "sched_switch") >= 3);
	CHECK_EQ_INT(bpf_trace_args(b, "sched_waking"), 1);
	CHECK_EQ_INT(bpf_trace_args(b, "no_such_tracepoint"), -ENOENT);
	bpf_close(b);
}

TEST(bpf_variables_are_found_by_section_and_name)
{
	struct bpf *b = image_open();

	CHECK(bpf_variable(b, ".rodata", "facts"));
	CHECK(!bpf_variable(b, ".rodata", "fact"));
	CHECK(!bpf_variable(b, ".data", "facts"));
	CHECK(!bpf_memory(b, ".nothing", NULL));
	CHECK(!bpf_memory(b, "nothing", NULL));
	CHECK(!bpf_memory(b, "cpus", NULL));	/* not before it is loaded */
	bpf_close(b);
}

TEST(bpf_programs_run_and_their_memory_is_seen)
{
	struct bpf *b = image_open();
	const struct sched_facts *f = bpf_variable(b, ".rodata", "facts");
	struct sched_now *now;
	struct sched_facts *set = (struct sched_facts *)f;
	uint64_t before = 0, after = 0;
	size_t bytes;
	int i, n = (int)sysconf(_SC_NPROCESSORS_CONF);

	set->has_state_arg = bpf_trace_args(b, "sched_switch") >= 4;
	CHECK_EQ_INT(bpf_resize(b, "cpus", (uint32_t)n), 0);
	CHECK_EQ_INT(bpf_resize(b, "nothing", 1), -ENOENT);
	if (bpf_load(b, &why))
		FAIL("%s", why.why);
	now = bpf_memory(b, "cpus", &bytes);
	CHECK(now && bytes >= n * sizeof(*now));
	CHECK(bpf_memory(b, "cpus", NULL) == now);
	CHECK_EQ_INT(bpf_attach(b, "nothing"), -ENOENT);
	CHECK_EQ_INT(bpf_attach(b, "sched_switch"), 0);
	CHECK_EQ_INT(bpf_attach(b, "sched_switch"), -EALREADY);
	usleep(10000);
	for (i = 0; i < n; i++)
		before += now[i].switches;
	CHECK(before > 0);
	bpf_detach(b, "sched_switch");
	bpf_detach(b, "sched_switch");		/* it is already */
	usleep(10000);				/* one that was under way */
	for (i = 0, before = 0; i < n; i++)
		before += now[i].switches;
	usleep(10000);
	for (i = 0; i < n; i++)
		after += now[i].switches;
	CHECK_EQ_U64(after, before);
	bpf_close(b);
}

TEST(bpf_memory_of_maps_is_the_kernels_count)
{
	struct bpf *b = image_open();
	size_t small, each;

	CHECK_EQ_U64(bpf_map_bytes(b), 0);	/* not loaded yet */
	CHECK_EQ_U64(bpf_map_cpu_bytes(b, 3), 0);
	bpf_resize(b, "cpus", 3);
	CHECK_EQ_INT(bpf_load(b, &why), 0);
	small = bpf_map_bytes(b);
	each = bpf_map_cpu_bytes(b, 3);
	CHECK(small > 2u << 20);		/* its ring alone */
	CHECK(each >= sizeof(struct sched_now));
	CHECK(each <= sizeof(struct sched_now) + 4096);
	bpf_close(b);
	b = image_open();
	bpf_resize(b, "cpus", 300);
	CHECK_EQ_INT(bpf_load(b, &why), 0);
	CHECK(bpf_map_bytes(b) >= small + 290 * sizeof(struct sched_now));
	bpf_close(b);
}

TEST_MAIN
