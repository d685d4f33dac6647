/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a perf ring buffer: the first two choose where it is read from
 * and what samples should hold.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>
#include "perf_ring.h"

enum { RING = 1024 };

static uint64_t sum;

static void see(void *arg, const struct perf_sample *s)
{
	size_t i;

	(void)arg;
	for (i = 0; i < s->nip; i++)
		sum += s->ip[i];
	for (i = 0; i < s->nraw; i++)
		sum += ((const unsigned char *)s->raw)[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned char copy[PERF_RECORD_ROOM] __attribute__((aligned(8)));
	struct perf_layout l = {
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_ID,
	};
	struct perf_ring ring = { .size = RING, .copy = copy };
	unsigned char *bytes;
	uint64_t lost = 0, head;

	if (size < 2)
		return 0;
	bytes = calloc(1, RING);
	ring.data = bytes;
	ring.tail = data[0] * 8ULL;
	l.sample_type |= data[1] & 1 ? PERF_SAMPLE_CALLCHAIN : 0;
	l.sample_type |= data[1] & 2 ? PERF_SAMPLE_RAW : 0;
	l.read_format |= data[1] & 4 ? PERF_FORMAT_TOTAL_TIME_ENABLED : 0;
	size -= 2;
	memcpy(bytes, data + 2, size < RING ? size : RING);
	head = ring.tail + (size < 2 * RING ? size : 2 * RING);
	perf_ring_read(&ring, head, &l, see, NULL, &lost);
	if (ring.tail != head)
		abort();
	free(bytes);
	return 0;
}
