/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the program's own code still allocate after so many samples?
 *
 * Preloaded, it counts the calls that come from the program itself, not from a
 * library, once ALLOCATIONS_AFTER samples were taken (each reads
 * CLOCK_BOOTTIME, once), and writes to the file ALLOCATIONS at the end
 * "SAMPLES COUNTED", then the places of the first of them, one a line.
 */
#define _GNU_SOURCE 1
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PLACES = 4096 };

/* The C library's own, under these names since 2.0. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t size);

static uintptr_t base, begin, end;
static unsigned long samples, after, counted;
static uintptr_t place[PLACES];

static int program_find(struct dl_phdr_info *info, size_t size, void *arg)
{
	int i;

	(void)size;
	(void)arg;
	base = info->dlpi_addr;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		begin = base + p->p_vaddr;
		end = begin + p->p_memsz;
	}
	return 1;		/* the program is the first */
}

__attribute__((constructor)) static void counting_begin(void)
{
	const char *text = getenv("ALLOCATIONS_AFTER");

	after = text ? strtoul(text, NULL, 10) : 0;
	dl_iterate_phdr(program_find, NULL);
}

__attribute__((destructor)) static void counting_end(void)
{
	const char *path = getenv("ALLOCATIONS");
	FILE *f = path ? fopen(path, "w") : NULL;
	unsigned long i;

	if (!f)
		return;
	fprintf(f, "%lu %lu\n", samples, counted);
	for (i = 0; i < counted && i < PLACES; i++)
		fprintf(f, "0x%lx\n", (unsigned long)(place[i] - base));
	fclose(f);
}

static void count(const void *from)
{
	uintptr_t at = (uintptr_t)from;

	if (samples <= after || at < begin || at >= end)
		return;
	if (counted < PLACES)
		place[counted] = at;
	counted++;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
	samples += id == CLOCK_BOOTTIME;
	return (int)syscall(SYS_clock_gettime, id, t);
}

void *malloc(size_t size)
{
	count(__builtin_return_address(0));
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	count(__builtin_return_address(0));
	return __libc_calloc(n, size);
}

void *realloc(void *at, size_t size)
{
	count(__builtin_return_address(0));
	return __libc_realloc(at, size);
}

void *reallocarray(void *at, size_t n, size_t size)
{
	size_t bytes;

	count(__builtin_return_address(0));
	return __builtin_mul_overflow(n, size, &bytes) ? NULL :
	       __libc_realloc(at, bytes);
}

char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *to = __libc_malloc(size);

	count(__builtin_return_address(0));
	return to ? memcpy(to, text, size) : NULL;
}
