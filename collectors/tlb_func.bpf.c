// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whose flush interrupts this CPU, where the kernel has no event for the call
 * being queued (6.1)?  Asked of the one that is hit: what it is told
 * names the CPU that began.  A CPU that calls it for itself is no interrupt.
 */
#include "core.bpf.h"
#include "tlb.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static const volatile struct tlb_facts facts;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);		/* CPUs x CPUs, at loading */
	__type(key, u32);
	__type(value, u64);
} matrix SEC(".maps");

struct flush_tlb_info {
	unsigned int initiating_cpu;	/* not in 5.10 */
} READ_BY_NAME;

SEC("fentry/flush_tlb_func")
int flush_tlb_func(u64 *ctx)
{
	const struct flush_tlb_info *info = (void *)ctx[0];
	u32 to = bpf_get_smp_processor_id(), cell;
	u32 from = BPF_CORE_READ(info, initiating_cpu);
	u64 *n;

	if (from == to || from >= facts.cpus || to >= facts.cpus)
		return 0;
	cell = from * facts.cpus + to;
	n = bpf_map_lookup_elem(&matrix, &cell);
	if (n)
		(*n)++;
	return 0;
}
