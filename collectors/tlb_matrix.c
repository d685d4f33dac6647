// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which CPU interrupts which for a flush?
 */
#include <errno.h>
#include <string.h>
#include "tlb_matrix.h"

static const char sender[] = "csd_queue_cpu", victim[] = "flush_tlb_func";

int tlb_matrix_fit(struct tlb_matrix *m, struct bpf *b, uint32_t cpus,
		   uint64_t flush_func, struct bpf_why *why)
{
	struct tlb_facts *facts = bpf_variable(b, ".rodata", "facts");

	memset(m, 0, sizeof(*m));
	m->cpus = cpus;
	if (cpus > TLB_MATRIX_CPUS)
		bpf_why_set(why, -E2BIG, NULL, "more than %d CPUs",
			    TLB_MATRIX_CPUS);
	else if (!bpf_kernel_has(b, sender))
		bpf_why_set(why, -ENOENT, "a kernel with that event: 6.12 has "
			    "it, 6.1 has not", "no event csd_queue_cpu");
	else if (!flush_func)
		bpf_why_set(why, -ENOENT,
			    "as root: sysctl kernel.kptr_restrict=1",
			    "/proc/kallsyms shows no address of "
			    "flush_tlb_func");
	else
		m->by_sender = 1;
	if (!m->by_sender) {
		bpf_leave_out(b, sender);
		return why->err;
	}
	facts->flush_func = flush_func;
	facts->cpus = cpus;
	return bpf_resize(b, "matrix", cpus * cpus);
}

static int memory_find(struct tlb_matrix *m, struct bpf *b,
		       struct bpf_why *why)
{
	m->cell = bpf_memory(b, "matrix", NULL);
	if (m->cell)
		return 0;
	bpf_why_set(why, -ENOMEM, NULL, "its counts cannot be mapped");
	return -ENOMEM;
}

int tlb_matrix_start(struct tlb_matrix *m, struct bpf *b, struct bpf_why *why)
{
	int err = bpf_attach(b, sender);

	if (err)
		bpf_why_program(why, err, sender, "");
	else
		err = memory_find(m, b, why);
	m->by_sender = !err;
	return err;
}

static int func_load(struct tlb_matrix *m, struct bpf_why *why)
{
	struct tlb_facts *facts;
	int err = bpf_open(&m->own, "tlb_func", why);

	if (err)
		return err;
	if (!bpf_kernel_has(m->own, victim) ||
	    !bpf_kernel_has(m->own, "flush_tlb_info.initiating_cpu")) {
		bpf_why_set(why, -ENOENT, NULL, "flush_tlb_func does not tell "
			    "who began");
		return -ENOENT;
	}
	facts = bpf_variable(m->own, ".rodata", "facts");
	facts->cpus = m->cpus;
	bpf_resize(m->own, "matrix", m->cpus * m->cpus);
	err = bpf_load(m->own, why);
	if (err)
		return err;
	err = bpf_attach(m->own, victim);
	if (err)
		bpf_why_program(why, err, victim, "");
	return err;
}

int tlb_matrix_by_func(struct tlb_matrix *m, struct bpf_why *why)
{
	int err = -E2BIG;

	m->by_sender = 0;
	m->cell = NULL;
	if (m->cpus <= TLB_MATRIX_CPUS)
		err = func_load(m, why);
	if (!err)
		err = memory_find(m, m->own, why);
	if (err) {
		bpf_close(m->own);
		m->own = NULL;
	}
	return err;
}

int tlb_matrix_collect(const struct tlb_matrix *m, struct sample *to)
{
	uint32_t from, i;
	uint64_t n;
	int err = 0;

	for (from = 0; m->cell && from < m->cpus; from++)
		for (i = 0; i < m->cpus && !err; i++) {
			n = m->cell[from * m->cpus + i];
			if (n || !i)
				err = sample_add(to, TLB_SENT, from, i, n);
		}
	return err;
}

void tlb_matrix_free(struct tlb_matrix *m)
{
	bpf_close(m->own);
	memset(m, 0, sizeof(*m));
}
