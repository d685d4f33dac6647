/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the bytes of a perf ring buffer say?
 *
 * The order of a sample's fields is that of perf_event.h, "PERF_RECORD_SAMPLE";
 * records are multiples of eight bytes, so a header never wraps.
 */
#include <string.h>
#include <linux/perf_event.h>
#include "perf_ring.h"

struct cursor {			/* the rest of a record */
	const uint64_t *p;
	size_t n;		/* words left */
};

static int take(struct cursor *c, uint64_t *v)
{
	if (!c->n)
		return -1;
	*v = *c->p++;
	c->n--;
	return 0;
}

/* Two 32-bit fields share a word. */
static int take_pair(struct cursor *c, uint32_t *first, uint32_t *second)
{
	uint32_t pair[2];
	uint64_t v;

	if (take(c, &v))
		return -1;
	memcpy(pair, &v, sizeof(pair));
	*first = pair[0];
	*second = pair[1];
	return 0;
}

static int take_read(struct cursor *c, uint64_t read_format, uint64_t *count)
{
	uint64_t rest;
	int extra = __builtin_popcountll(read_format);

	if (take(c, count))
		return -1;
	while (extra--)
		if (take(c, &rest))
			return -1;
	return 0;
}

static int is_context(uint64_t ip)
{
	return ip >= (uint64_t)PERF_CONTEXT_MAX;
}

/* The kernel's part of a call chain, without the markers around it. */
static int take_stack(struct cursor *c, struct perf_sample *s)
{
	uint64_t n;
	size_t i = 0;

	if (take(c, &n) || n > c->n)
		return -1;
	while (i < n && c->p[i] == (uint64_t)PERF_CONTEXT_KERNEL)
		i++;
	s->ip = c->p + i;
	while (i < n && !is_context(c->p[i]))
		i++;
	s->nip = (size_t)(c->p + i - s->ip);
	c->p += n;
	c->n -= n;
	return 0;
}

static int take_raw(struct cursor *c, struct perf_sample *s)
{
	uint32_t size;
	size_t words;

	if (!c->n)
		return -1;
	memcpy(&size, c->p, sizeof(size));
	words = ((size_t)size + sizeof(size) + 7) / 8;
	if (words > c->n)
		return -1;
	s->raw = (const char *)c->p + sizeof(size);
	s->nraw = size;
	c->p += words;
	c->n -= words;
	return 0;
}

static int take_sample(struct cursor *c, const struct perf_layout *l,
		       struct perf_sample *s)
{
	uint32_t reserved;

	memset(s, 0, sizeof(*s));
	if (l->sample_type & PERF_SAMPLE_TID && take_pair(c, &s->pid, &s->tid))
		return -1;
	if (l->sample_type & PERF_SAMPLE_TIME && take(c, &s->time_ns))
		return -1;
	if (l->sample_type & PERF_SAMPLE_CPU &&
	    take_pair(c, &s->cpu, &reserved))
		return -1;
	if (l->sample_type & PERF_SAMPLE_READ &&
	    take_read(c, l->read_format, &s->count))
		return -1;
	if (l->sample_type & PERF_SAMPLE_CALLCHAIN && take_stack(c, s))
		return -1;
	if (l->sample_type & PERF_SAMPLE_RAW && take_raw(c, s))
		return -1;
	return 0;
}

/* LOST carries the event's id before the number, LOST_SAMPLES does not. */
static int take_lost(struct cursor *c, uint32_t type, uint64_t *lost)
{
	uint64_t id, n;

	if (type == PERF_RECORD_LOST && take(c, &id))
		return -1;
	if (take(c, &n))
		return -1;
	*lost += n;
	return 0;
}

enum perf_record perf_record_parse(const struct perf_layout *l,
				   const void *rec, size_t len,
				   struct perf_sample *s, uint64_t *lost)
{
	struct perf_event_header h;
	struct cursor c;

	if (len < sizeof(h))
		return RECORD_BAD;
	memcpy(&h, rec, sizeof(h));
	if (h.size != len || len % 8)
		return RECORD_BAD;
	c.p = (const uint64_t *)rec + 1;
	c.n = len / 8 - 1;
	switch (h.type) {
	case PERF_RECORD_SAMPLE:
		return take_sample(&c, l, s) ? RECORD_BAD : RECORD_SAMPLE;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return take_lost(&c, h.type, lost) ? RECORD_BAD : RECORD_LOST;
	default:
		return RECORD_OTHER;
	}
}

/* The record at the tail in one piece; NULL if its size is nonsense. */
static const void *record_at(const struct perf_ring *r, uint64_t head,
			     size_t *len)
{
	size_t at = r->tail & (r->size - 1), first;
	struct perf_event_header h;

	if (head - r->tail < sizeof(h) || at + sizeof(h) > r->size)
		return NULL;
	memcpy(&h, r->data + at, sizeof(h));
	if (h.size < sizeof(h) || h.size % 8 || h.size > head - r->tail)
		return NULL;
	*len = h.size;
	if (at + h.size <= r->size)
		return r->data + at;
	first = r->size - at;
	memcpy(r->copy, r->data + at, first);
	memcpy(r->copy + first, r->data, h.size - first);
	return r->copy;
}

size_t perf_ring_read(struct perf_ring *r, uint64_t head,
		      const struct perf_layout *l,
		      void (*fn)(void *arg, const struct perf_sample *),
		      void *arg, uint64_t *lost)
{
	struct perf_sample s;
	size_t handed = 0, len = 0;
	const void *rec;

	/* More than a ring of bytes: these were written over. */
	if (head - r->tail > r->size) {
		r->tail = head;
		++*lost;
	}
	while (r->tail != head) {
		rec = record_at(r, head, &len);
		if (!rec) {
			r->tail = head;
			++*lost;
			break;
		}
		switch (perf_record_parse(l, rec, len, &s, lost)) {
		case RECORD_SAMPLE:
			s.count += r->count_base;
			fn(arg, &s);
			handed++;
			break;
		case RECORD_BAD:
			++*lost;
			break;
		default:
			break;
		}
		r->tail += len;
	}
	return handed;
}
