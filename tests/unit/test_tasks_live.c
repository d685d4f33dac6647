/* The tasks collector on the running kernel, beside what it is told to see. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include "proc_test.h"

/* A child named comm that sleeps, or spins on a CPU; kill_child() ends it. */
static pid_t child(const char *comm, int spin_cpu)
{
	pid_t pid = fork();
	cpu_set_t set;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, comm);
	alarm(60);
	if (spin_cpu < 0)
		for (;;)
			pause();
	CPU_ZERO(&set);
	CPU_SET((unsigned)spin_cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (;;)
		;
}

static void kill_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Its task among the readings of the sample, or NULL. */
static const struct name *find_tid(struct proc_test *t, int32_t tid)
{
	const struct reading *r;
	const struct name *n;
	size_t count, i;

	r = sample_range(&t->s, TASK_STATE, &count);
	for (i = 0; i < count; i++) {
		n = names_get(t->s.names, r[i].key);
		CHECK(n != NULL);
		if (n->task.tid == tid)
			return n;
	}
	return NULL;
}

static void begin(struct proc_test *t)
{
	proc_start(t);
	proc_live(t);
	t->opt.engine = ENGINE_PERF;	/* the one that libproc2 is for */
	proc_open(t, &tasks_collector);
}

static void end(struct proc_test *t)
{
	tasks_collector.close(t->state);
	proc_end(t);
}

/* A sample with a pass of its own. */
static void pass(struct proc_test *t)
{
	uint64_t before = t->s.n ? proc_value(t, TASK_PASSES, 0, 0) : 0;
	int i;

	for (i = 0; i < 2000; i++) {
		CHECK_EQ_INT(proc_collect(t, &tasks_collector), 0);
		if (proc_value(t, TASK_PASSES, 0, 0) > before)
			return;
		usleep(5000);
	}
	FAIL("no pass in 10 s");
}

TEST(C1_C4_C5_raw_names)
{
	static const char *const comm[] = {
		"a\nb", "\xff", "\033[31m", "(a b ) ( c", ") S 1 ", "a.b?c",
		"\r\t\177", "..", "\xe4\xb8\xad\xe6\x96\x87",
	};
	enum { N = sizeof(comm) / sizeof(comm[0]) };
	const struct name *n;
	struct proc_test t;
	pid_t pid[N];
	int i;

	begin(&t);
	for (i = 0; i < N; i++)
		pid[i] = child(comm[i], -1);
	usleep(50000);
	pass(&t);
	pass(&t);
	for (i = 0; i < N; i++) {
		n = find_tid(&t, pid[i]);
		kill_child(pid[i]);
		CHECK(n != NULL);
		CHECK_EQ_STR(n->text, comm[i]);
	}
	end(&t);
}

TEST(C9_names_of_kernel_threads_are_not_cut)
{
	const struct name *n;
	const struct reading *r;
	struct proc_test t;
	size_t count, i;
	int longer = 0;

	begin(&t);
	pass(&t);
	r = sample_range(&t.s, TASK_STATE, &count);
	for (i = 0; i < count; i++) {
		n = names_get(t.s.names, r[i].key);
		longer += n->len > 15;
	}
	end(&t);
	if (!longer)
		SKIP("no task here has a name of more than 15 bytes");
}

TEST(a_task_is_its_tid_and_start_in_clock_ticks)
{
	struct procfs_file f;
	struct self_stat stat;
	const struct name *n;
	struct proc_test t;

	begin(&t);
	pass(&t);
	f = (struct procfs_file) {
		.env = &t.env, .collector = "x", .part = "",
		.path = "self/stat",
	};
	CHECK(procfs_read(&f) > 0);
	CHECK_EQ_INT(self_parse(f.buf, f.len, &stat), 0);
	n = find_tid(&t, getpid());
	CHECK(n != NULL);
	CHECK_EQ_U64(n->task.start, stat.start);
	CHECK_EQ_INT(n->task.tgid, getpid());
	CHECK_EQ_STR(n->text, "test_tasks_live");
	CHECK_EQ_U64(proc_value(&t, TASK_STATE, n->id, 0), 'R');
	procfs_free(&f);
	end(&t);
}

static pthread_barrier_t started, finish;

static void *sleeper(void *arg)
{
	int32_t *tid = arg;

	*tid = gettid();
	prctl(PR_SET_NAME, "sleeper");
	pthread_barrier_wait(&started);
	pthread_barrier_wait(&finish);
	return NULL;
}

TEST(every_thread_of_a_process)
{
	const struct name *n;
	struct proc_test t;
	pthread_t thread[3];
	int32_t tid[3];
	int i;

	pthread_barrier_init(&started, NULL, 4);
	pthread_barrier_init(&finish, NULL, 4);
	for (i = 0; i < 3; i++)
		CHECK_EQ_INT(pthread_create(thread + i, NULL, sleeper, tid + i),
			     0);
	pthread_barrier_wait(&started);
	usleep(50000);
	begin(&t);
	pass(&t);
	for (i = 0; i < 3; i++) {
		n = find_tid(&t, tid[i]);
		CHECK(n != NULL);
		CHECK_EQ_INT(n->task.tgid, getpid());
		CHECK_EQ_STR(n->text, "sleeper");
		CHECK_EQ_U64(proc_value(&t, TASK_STATE, n->id, 0), 'S');
	}
	pthread_barrier_wait(&finish);
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	end(&t);
}

TEST(a_spinner_is_in_the_depth_of_its_cpu_and_has_run_delay)
{
	int cpu = sched_getcpu(), i;
	const struct name *n;
	struct proc_test t;
	uint64_t reads, sum;
	uint32_t id;
	pid_t pid;

	begin(&t);
	pid = child("spinner", cpu);
	usleep(50000);
	pass(&t);
	reads = proc_value(&t, RQ_READS, (uint32_t)cpu, 0);
	sum = proc_value(&t, RQ_SUM, (uint32_t)cpu, 0);
	for (i = 0; i < 5; i++) {
		pass(&t);
		CHECK(proc_value(&t, RQ_NOW, (uint32_t)cpu, 0) >= 1);
		CHECK(proc_value(&t, RQ_MAX, (uint32_t)cpu, 0) >= 1);
	}
	reads = proc_value(&t, RQ_READS, (uint32_t)cpu, 0) - reads;
	sum = proc_value(&t, RQ_SUM, (uint32_t)cpu, 0) - sum;
	n = find_tid(&t, pid);
	kill_child(pid);
	CHECK(n != NULL);
	id = n->id;
	CHECK_EQ_U64(reads, 5);
	CHECK(sum >= 5);
	CHECK_EQ_U64(proc_value(&t, TASK_STATE, id, 0), 'R');
	CHECK_EQ_U64(proc_value(&t, TASK_CPU, id, 0), (uint64_t)cpu);
	if (procfs_exists(&t.env, "self/schedstat"))
		CHECK(proc_value(&t, TASK_SLICES, id, 0) < ABSENT);
	end(&t);
}

TEST(every_online_cpu_has_a_depth_and_ours_is_not_in_it)
{
	const struct reading *r;
	struct proc_test t;
	size_t n, i;
	int idle = 0, tries;

	begin(&t);
	/* we run on some CPU: were we counted, no pass could find all at 0
	 * but for tasks that come and go; one in many is enough */
	for (tries = 0; tries < 50 && !idle; tries++) {
		pass(&t);
		r = sample_range(&t.s, RQ_NOW, &n);
		CHECK_EQ_INT((int)n, (int)sysconf(_SC_NPROCESSORS_ONLN));
		for (i = 0, idle = 1; i < n; i++)
			idle &= !r[i].value;
	}
	end(&t);
	if (!idle)
		SKIP("the box was never idle");
}

TEST(an_ended_child_moves_to_the_totals)
{
	const struct name *n;
	struct proc_test t;
	uint64_t faults, ended;
	uint32_t id;
	pid_t pid;

	begin(&t);
	pid = child("short", -1);
	usleep(50000);
	pass(&t);
	n = find_tid(&t, pid);
	CHECK(n != NULL);
	id = n->id;
	faults = proc_value(&t, TASK_MINFLT, id, 0);
	ended = proc_value(&t, TASK_MINFLT, 0, 0);
	CHECK(faults > 0);
	kill_child(pid);
	pass(&t);
	CHECK_EQ_U64(proc_value(&t, TASK_STATE, id, 0), ABSENT);
	CHECK_EQ_U64(proc_value(&t, TASK_MINFLT, id, 0), faults);
	pass(&t);
	pass(&t);
	CHECK_EQ_U64(proc_value(&t, TASK_MINFLT, id, 0), ABSENT);
	CHECK(proc_value(&t, TASK_MINFLT, 0, 0) >= ended + faults);
	CHECK(!names_get(t.s.names, id));
	end(&t);
}

static uint64_t thread_cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

TEST(drains_keep_to_their_budget)
{
	uint64_t passes, from, spent = 0, before;
	struct proc_test t;

	begin(&t);
	pass(&t);
	passes = proc_value(&t, TASK_PASSES, 0, 0);
	from = collector_now_ns();
	while (collector_now_ns() - from < 1500000000u) {
		before = thread_cpu_ns();
		CHECK_EQ_INT(tasks_collector.drain(t.state), 0);
		spent += thread_cpu_ns() - before;
		usleep(10000);
	}
	CHECK(spent < (collector_now_ns() - from) / 10);
	CHECK_EQ_INT(proc_collect(&t, &tasks_collector), 0);
	CHECK(proc_value(&t, TASK_PASSES, 0, 0) > passes);
	end(&t);
}

TEST(a_sample_without_a_pass_repeats_the_last_with_its_time)
{
	uint64_t passes, read_ns, reads;
	struct proc_test t;

	begin(&t);
	pass(&t);
	passes = proc_value(&t, TASK_PASSES, 0, 0);
	read_ns = health_cost(&t.health, "tasks")->read_ns;
	reads = t.s.n;
	CHECK_EQ_INT(proc_collect(&t, &tasks_collector), 0);
	if (proc_value(&t, TASK_PASSES, 0, 0) == passes) {
		CHECK_EQ_U64(health_cost(&t.health, "tasks")->read_ns, read_ns);
		CHECK_EQ_U64(t.s.n, reads);
	} else {
		CHECK(health_cost(&t.health, "tasks")->read_ns > read_ns);
	}
	end(&t);
}

TEST(C37_no_descriptor_leaks)
{
	int i, before, after;
	struct proc_test t;

	begin(&t);
	pass(&t);
	before = dup(0);
	close(before);
	for (i = 0; i < 20; i++)
		pass(&t);
	after = dup(0);
	close(after);
	CHECK_EQ_INT(after, before);
	end(&t);
	tasks_collector.close(NULL);
}

/* In a mount namespace of its own and as nobody: 0, 1 wrong, 2 cannot. */
static int hidepid_child(const char *option)
{
	struct proc_test t;
	uint64_t hidden;

	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("proc", "/proc", "proc", 0, option) || setgid(65534) ||
	    setuid(65534))
		return 2;
	begin(&t);
	pass(&t);
	hidden = proc_value(&t, TASK_HIDDEN, 0, 0);
	if (!find_tid(&t, getpid()) || find_tid(&t, 1))
		return 1;
	if (!strcmp(option, "hidepid=1"))
		return !(hidden > 0 && hidden < 100000 &&
			 proc_health(&t, "tasks", "hidepid"));
	return !(hidden == ABSENT &&
		 health_why(&t.health, "tasks", TASK_HIDDEN, -1));
}

static void check_hidepid(const char *option)
{
	int status;
	pid_t pid;

	if (geteuid())
		SKIP("needs root to mount a /proc of its own");
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(hidepid_child(option));
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status));
	if (WEXITSTATUS(status) == 2)
		SKIP("no mount of /proc with %s here", option);
	CHECK_EQ_INT(WEXITSTATUS(status), 0);
}

TEST(C34_denied_processes_are_counted)
{
	check_hidepid("hidepid=1");
}

TEST(C34_invisible_processes_are_no_zero)
{
	check_hidepid("hidepid=2");
}

/* What a pass opens, by strace of this program's test C37. */
TEST(C35_only_stat_comm_and_schedstat_are_opened)
{
	char command[400];

	if (access("/usr/bin/strace", X_OK))
		SKIP("no strace");
	snprintf(command, sizeof(command),
		 "f=$(mktemp) && ASAN_OPTIONS=detect_leaks=0 "
		 "strace -o $f -e trace=openat /proc/%d/exe "
		 "C37_no_descriptor_leaks >/dev/null 2>&1 && "
		 "grep -q '/[0-9]*/stat\"' $f && "
		 "! grep -E '\"(/proc/)?[0-9]+/' $f | "
		 "grep -vE '[0-9]/(stat|task|comm|schedstat)[/\"]|"
		 "task/[0-9]+/(stat|comm|schedstat)\"'; "
		 "s=$?; rm -f $f; exit $s",
		 getpid());
	CHECK_EQ_INT(system(command), 0);
}

TEST_MAIN
