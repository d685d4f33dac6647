// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What has this kernel, by its own description of its types (BTF)?  It is read
 * when first asked for and given back before programs are loaded.
 */
#include <errno.h>
#include <string.h>
#include "bpf_own.h"

static int struct_has(const struct btf *btf, const char *name, size_t len,
		      const char *member)
{
	char type[64];
	const struct btf_type *t;
	const struct btf_member *m;
	int id, i;

	if (len >= sizeof(type))
		return 0;
	memcpy(type, name, len);
	type[len] = '\0';
	id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT);
	if (id < 0)
		return 0;
	t = btf__type_by_id(btf, (unsigned)id);
	for (i = 0, m = btf_members(t); i < btf_vlen(t); i++, m++)
		if (!strcmp(btf__name_by_offset(btf, m->name_off), member))
			return 1;
	return 0;
}

int bpf_kernel_has(struct bpf *b, const char *name)
{
	char trace[96] = "btf_trace_";
	const char *dot = strchr(name, '.');

	if (!b->kernel)
		b->kernel = btf__load_vmlinux_btf();
	if (!b->kernel)
		return 0;
	if (dot)
		return struct_has(b->kernel, name, (size_t)(dot - name),
				  dot + 1);
	strncat(trace, name, sizeof(trace) - sizeof("btf_trace_"));
	return btf__find_by_name_kind(b->kernel, trace, BTF_KIND_TYPEDEF) > 0 ||
	       btf__find_by_name_kind(b->kernel, name, BTF_KIND_FUNC) > 0 ||
	       btf__find_by_name_kind(b->kernel, name, BTF_KIND_STRUCT) > 0;
}

int bpf_trace_args(struct bpf *b, const char *tracepoint)
{
	char name[96] = "btf_trace_";
	const struct btf_type *t;
	int id, steps;

	if (!b->kernel)
		b->kernel = btf__load_vmlinux_btf();
	strncat(name, tracepoint, sizeof(name) - sizeof("btf_trace_"));
	id = b->kernel ? btf__find_by_name_kind(b->kernel, name,
						BTF_KIND_TYPEDEF) : -1;
	/* typedef -> pointer -> prototype, whose first argument is no one's */
	for (steps = 0; id > 0 && steps < 4; steps++) {
		t = btf__type_by_id(b->kernel, (unsigned)id);
		if (btf_is_func_proto(t))
			return btf_vlen(t) - 1;
		id = (int)t->type;
	}
	return -ENOENT;
}

void bpf_types_free(struct bpf *b)
{
	btf__free(b->kernel);
	b->kernel = NULL;
}
