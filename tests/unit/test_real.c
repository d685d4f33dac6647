/*
 * Files captured from real kernels through their parsers. They are no part of
 * the tree: their folder is $STALLTOP_REAL, or ../shared/real. The numbers
 * expected here were taken from them by awk.
 */
#include "proc_test.h"

/* The text of a captured file, malloc'ed; skips the test if it is not there. */
static char *real_text(const char *name, size_t *len)
{
	const char *dir = getenv("STALLTOP_REAL");
	size_t cap = 32 << 20, n = strlen(name);
	char command[400], path[300], *text;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "../shared/real",
		 name);
	if (access(path, R_OK))
		SKIP("%s: %s", path, strerror(errno));
	snprintf(command, sizeof(command), "%s '%s'",
		 n > 4 && !strcmp(name + n - 4, ".bz2") ? "bzcat" :
		 n > 3 && !strcmp(name + n - 3, ".xz") ? "xz -dc" : "cat",
		 path);
	f = popen(command, "r");
	text = malloc(cap);
	CHECK(f && text);
	*len = fread(text, 1, cap, f);
	if (pclose(f) || !*len) {
		free(text);
		SKIP("%s: cannot be unpacked", path);
	}
	return text;
}

static uint64_t sum(const struct proc_test *t, uint16_t metric, uint64_t want_n)
{
	size_t n;
	uint64_t v = proc_sum(t, metric, &n);

	CHECK_EQ_U64(n, want_n);
	return n ? v : ABSENT;
}

struct irq_file {
	const char *name;
	unsigned cpus;
	uint64_t loc, res, cal, tlb;	/* sums over CPUs, ABSENT = no row */
};

static void check_interrupts(const struct irq_file *f)
{
	struct proc_test t;
	size_t len;
	char *text = real_text(f->name, &len);

	proc_start(&t);
	CHECK(interrupts_parse(text, len, &t.s) >= 0);
	free(text);
	sample_seal(&t.s);
	CHECK_EQ_U64(sum(&t, IRQ_LOC, f->loc == ABSENT ? 0 : f->cpus), f->loc);
	CHECK_EQ_U64(sum(&t, IRQ_RES, f->res == ABSENT ? 0 : f->cpus), f->res);
	CHECK_EQ_U64(sum(&t, IRQ_CAL, f->cal == ABSENT ? 0 : f->cpus), f->cal);
	CHECK_EQ_U64(sum(&t, IRQ_TLB, f->tlb == ABSENT ? 0 : f->cpus), f->tlb);
	proc_end(&t);
}

TEST(interrupts)
{
	static const struct irq_file files[] = {
		{ "csm442-3.13-interrupts", 8, 60437631, 3477977, 37554,
		  912120 },
		{ "diamond-interrupts_24_core_1", 24, 22914741634, ABSENT,
		  ABSENT, ABSENT },
		{ "el9-5.14-interrupts", 1, 93666, 0, 0, 0 },
		{ "hotsos-k8s-interrupts", 2, 3309631, 1563298, 278256,
		  1016222 },
		{ "live618-interrupts", 2, 330373, 341268, 5395451, 25241 },
		{ "nodeexp-interrupts", 4, 609476365, 43415236, 604435,
		  41218043 },
		{ "pcp-interrupts-1cpu-i686", 1, 6651207, 0, 0, 0 },
		{ "pcp-interrupts-8cpu-x86_64", 8, 95861098, 2084984, 477134,
		  2094731 },
		{ "pcp-interrupts-16cpu-s390x", 16, ABSENT, ABSENT, ABSENT,
		  ABSENT },
		{ "procfs-interrupts", 4, 34396, 42717, 9400, 738 },
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		check_interrupts(files + i);
}

TEST(C16_interrupts_of_1152_cpus)
{
	static const struct irq_file file = {
		"pcp-interrupts-1152cpu-x86_64.bz2", 1152, 509807994, 14620212,
		937811470, 3865670,
	};

	check_interrupts(&file);
}

static void check_vmstat(const char *name, int keys, uint64_t faults,
			 uint64_t remote)
{
	struct proc_test t;
	size_t len;
	char *text = real_text(name, &len);

	proc_start(&t);
	CHECK_EQ_INT(vmstat_parse(text, len, &t.s), keys);
	free(text);
	sample_seal(&t.s);
	CHECK_EQ_INT((int)t.s.n, keys);
	CHECK_EQ_U64(proc_value(&t, VM_PGFAULT, 0, 0), faults);
	CHECK_EQ_U64(proc_value(&t, VM_NR_TLB_REMOTE_FLUSH, 0, 0), remote);
	proc_end(&t);
}

TEST(C30_vmstat_of_many_kernels)
{
	check_vmstat("csm442-3.13-vmstat", 113, 442617297, 667919);
	check_vmstat("diamond-proc_vmstat_1", 90, 16924689509, ABSENT);
	check_vmstat("diamond-proc_vmstat_2", 90, 16924690220, ABSENT);
	check_vmstat("el9-5.14-vmstat", 171, 2045076, ABSENT);
	check_vmstat("hotsos-k8s-vmstat", 138, 32987806, ABSENT);
	check_vmstat("jmr540-3.18-vmstat", 83, 60317, ABSENT);
	check_vmstat("live618-vmstat", 192, 8825849, ABSENT);
	check_vmstat("nodeexp-vmstat", 120, 2320168809, ABSENT);
}

struct stat_file {
	const char *name;
	int cpus, times;
	uint64_t switches, forks, running, user;	/* user: of all CPUs */
};

static void check_stat(const struct stat_file *f)
{
	struct proc_test t;
	size_t len;
	char *text = real_text(f->name, &len);

	proc_start(&t);
	CHECK_EQ_INT(stat_parse(text, len, &t.s), f->cpus);
	free(text);
	sample_seal(&t.s);
	CHECK_EQ_U64(proc_value(&t, STAT_SWITCHES, 0, 0), f->switches);
	CHECK_EQ_U64(proc_value(&t, STAT_FORKS, 0, 0), f->forks);
	CHECK_EQ_U64(proc_value(&t, STAT_RUNNING, 0, 0), f->running);
	CHECK_EQ_U64(sum(&t, STAT_USER, (uint64_t)f->cpus), f->user);
	CHECK_EQ_U64(t.s.n, (uint64_t)(f->cpus * f->times) + 4);
	proc_end(&t);
}

TEST(C15_stat)
{
	static const struct stat_file files[] = {
		{ "csm442-3.13-stat", 8, 10, 474806682, 177557, 3, 713570 },
		{ "el9-5.14-stat", 1, 10, 292488, 14037, 3, 4429 },
		{ "hotsos-k8s-stat", 2, 10, 11955301, 100196, 5, 69485 },
		{ "live618-stat", 2, 10, 60576513, 24527, 4, 31411 },
		{ "nodeexp-stat", 8, 10, 38014093, 26442, 2, 301851 },
		{ "pcp-bigsys-480cpu-stat", 480, 9, 18908765, 75118, 2, 17228 },
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		check_stat(files + i);
}

TEST(loadavg)
{
	static const struct {
		const char *name;
		struct loadavg want;
	} files[] = {
		{ "csm442-3.13-loadavg", { 3, 368, 80 } },
		{ "el9-5.14-loadavg", { 2, 117, 57 } },
		{ "live618-loadavg", { 5, 130, 732 } },
		{ "nodeexp-loadavg", { 1, 719, 21 } },
		{ "procfs-loadavg", { 1, 497, 2 } },
	};
	struct loadavg l;
	size_t i, len;
	char *text;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		text = real_text(files[i].name, &len);
		CHECK_EQ_INT(loadavg_parse(text, len, &l), 0);
		free(text);
		CHECK_EQ_U64(l.running, files[i].want.running);
		CHECK_EQ_U64(l.tasks, files[i].want.tasks);
		CHECK_EQ_U64(l.avg1_centi, files[i].want.avg1_centi);
	}
}

TEST(C32_pressure)
{
	static const struct {
		const char *name;
		int bits;
		uint64_t some, full;
	} files[] = {
		{ "live618-pressure_cpu", 3, 167584255, 0 },
		{ "live618-pressure_io", 3, 9399349, 7321352 },
		{ "live618-pressure_memory", 3, 0, 0 },
		{ "nodeexp-pressure_cpu", 3, 14036781, 0 },
		/* its only line has lost its end */
		{ "nodeexp-pressure_irq", -EINVAL, ABSENT, ABSENT },
		{ "pcp-pressure001-cpu", 1, 157656722, ABSENT },
		{ "pcp-pressure002-cpu", 3, 424932863, 387245317 },
		{ "pcp-pressure002-irq", 2, ABSENT, 100648410 },
	};
	struct proc_test t;
	size_t i, len;
	char *text;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		text = real_text(files[i].name, &len);
		proc_start(&t);
		CHECK_EQ_INT(pressure_parse(text, len, PSI_CPU_SOME,
					    PSI_CPU_FULL, &t.s), files[i].bits);
		free(text);
		sample_seal(&t.s);
		CHECK_EQ_U64(proc_value(&t, PSI_CPU_SOME, 0, 0), files[i].some);
		CHECK_EQ_U64(proc_value(&t, PSI_CPU_FULL, 0, 0), files[i].full);
		proc_end(&t);
	}
}

struct schedstat_file {
	const char *name;
	unsigned cpus, domains;
	uint64_t run, delay, slices;	/* sums */
	uint16_t first;			/* metric of a domain's first number */
	uint64_t first_sum;
};

static void check_schedstat(const struct schedstat_file *f)
{
	struct schedstat_facts facts;
	struct proc_test t;
	size_t len;
	char *text = real_text(f->name, &len);

	proc_start(&t);
	CHECK_EQ_INT(schedstat_parse(text, len, 1, &t.s, &facts),
		     (int)f->cpus);
	free(text);
	sample_seal(&t.s);
	CHECK_EQ_INT((int)facts.bad, 0);
	CHECK_EQ_INT((int)facts.domains, (int)f->domains);
	CHECK_EQ_U64(sum(&t, SCHEDSTAT_RUN, f->cpus), f->run);
	CHECK_EQ_U64(sum(&t, SCHEDSTAT_DELAY, f->cpus), f->delay);
	CHECK_EQ_U64(sum(&t, SCHEDSTAT_SLICES, f->cpus), f->slices);
	CHECK_EQ_U64(sum(&t, f->first, f->domains), f->first_sum);
	proc_end(&t);
}

TEST(schedstat)
{
	static const struct schedstat_file files[] = {
		{ "csm442-3.13-schedstat", 8, 16, 15452999917838, 870867630547,
		  265467445, SD_IDLE_CALLS, 57601943 },
		{ "nodeexp-schedstat", 2, 2, 3950622930755515, 707903591957602,
		  9913053251, SD_IDLE_CALLS, 430152284 },
		{ "synth-schedstat-v16", 4, 8, 4000000000006, 4000000006, 49386,
		  SD_BUSY_CALLS, 367490 },
		{ "el9-5.14-schedstat", 1, 0, 85778645197, 139355221621,
		  282008, SCHEDSTAT_YIELD, ABSENT },
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		check_schedstat(files + i);
}

TEST(C25_schedstat_of_old_versions)
{
	static const char *const names[] = {
		"synth-schedstat-v10", "synth-schedstat-v11",
		"synth-schedstat-v12", "synth-schedstat-v14",
	};
	struct schedstat_facts facts;
	struct proc_test t;
	size_t i, len;
	char *text;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		text = real_text(names[i], &len);
		proc_start(&t);
		CHECK_EQ_INT(schedstat_parse(text, len, 1, &t.s, &facts),
			     -EOPNOTSUPP);
		free(text);
		CHECK_EQ_U64(t.s.n, 0);
		proc_end(&t);
	}
}

TEST(C27_a_cow)
{
	struct schedstat_facts facts;
	struct tasks_delay delay;
	struct proc_test t;
	size_t len;
	char *text = real_text("procfs-26233_schedstat", &len);

	proc_start(&t);
	CHECK_EQ_INT(schedstat_parse(text, len, 1, &t.s, &facts), -EINVAL);
	CHECK_EQ_INT(tasks_parse_delay(text, len, &delay), -EINVAL);
	free(text);
	proc_end(&t);
}

TEST(C2_task_stat)
{
	static const struct {
		const char *name, *comm;
		char state;
		uint64_t start;
	} files[] = {
		{ "procfs-584_stat", "(a b ) ( c d) ", 'R', 10839175 },
		{ "procfs-26231_stat", "vim", 'R', 82375 },
		{ "procfs-26232_stat", "ata_sff", 'S', 5 },
	};
	struct self_stat stat;
	size_t i, len;
	char *text;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		text = real_text(files[i].name, &len);
		CHECK_EQ_INT(self_parse(text, len, &stat), 0);
		free(text);
		CHECK_EQ_STR(stat.comm, files[i].comm);
		CHECK_EQ_INT(stat.state, files[i].state);
		CHECK_EQ_U64(stat.start, files[i].start);
	}
}

TEST_MAIN
