/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do items come back as they went, and is anything else refused or skipped, by
 * the codec as well?
 */
#include <errno.h>
#include <zstd.h>
#include "codec.h"
#include "codec_format.h"
#include "test.h"
#include "wire.h"

static struct wire_out out;

static struct wire_in in_of(const void *data, size_t len)
{
	struct wire_in in = { data, len, 0 };

	return in;
}

TEST(numbers_of_every_size_come_back)
{
	static const int64_t v[] = { 0, 23, 24, 255, 256, 65535, 65536,
				     UINT32_MAX, 1ll << 32, INT64_MAX, -1, -24,
				     -25, -256, -257, -65537, INT64_MIN };
	struct wire_in in;
	int64_t got = 0;
	uint64_t u;
	size_t i;

	out.len = 0;
	for (i = 0; i < sizeof(v) / sizeof(*v); i++)
		wire_int(&out, v[i]);
	wire_uint(&out, UINT64_MAX);
	in = in_of(out.data, out.len);
	for (i = 0; i < sizeof(v) / sizeof(*v); i++) {
		CHECK_EQ_INT(wire_get_int(&in, &got), 0);
		CHECK_EQ_INT(got, v[i]);
	}
	CHECK_EQ_INT(wire_get_uint(&in, &u, UINT64_MAX - 1), -EBADMSG);
	in.at -= 9;
	CHECK_EQ_INT(wire_get_int(&in, &got), -EBADMSG);
	in.at -= 9;
	CHECK_EQ_INT(wire_get_uint(&in, &u, UINT64_MAX), 0);
	CHECK_EQ_U64(u, UINT64_MAX);
	CHECK_EQ_INT(wire_get_int(&in, &got), -EAGAIN);
}

TEST(text_that_is_no_utf8_becomes_bytes)
{
	static const struct {
		const char *text;
		int major;
	} t[] = {
		{ "", 3 }, { "pipe_read", 3 }, { "\xc3\xa9", 3 },
		{ "\xe2\x82\xac", 3 }, { "\xf0\x9f\x98\x80", 3 },
		{ "\xff", 2 }, { "\xc3", 2 }, { "\xc0\x80", 2 },
		{ "\xed\xa0\x80", 2 }, { "\xf4\x90\x80\x80", 2 },
		{ "a\x80", 2 }, { "\xe0\x80\x80", 2 },
	};
	struct wire_in in;
	const char *text;
	size_t i, len;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		out.len = 0;
		wire_str(&out, t[i].text);
		CHECK_EQ_INT(out.data[0] >> 5, t[i].major);
		in = in_of(out.data, out.len);
		CHECK_EQ_INT(wire_get_text(&in, &text, &len), 0);
		CHECK_EQ_U64(len, strlen(t[i].text));
		CHECK(!memcmp(text, t[i].text, len));
	}
}

TEST(lengths_beyond_the_bytes_are_no_items)
{
	static const uint8_t huge[] = { 0x9b, 0xff, 0xff, 0xff, 0xff,
					0xff, 0xff, 0xff, 0xff };
	uint8_t b[sizeof(huge)];
	struct wire_in in = in_of(huge, sizeof(huge));
	const char *text;
	size_t n;

	CHECK_EQ_INT(wire_get_array(&in, &n), -EAGAIN);
	in.at = 0;
	CHECK_EQ_INT(wire_skip(&in), -EAGAIN);
	memcpy(b, huge, sizeof(b));
	b[0] = 0x5b;
	in = in_of(b, sizeof(b));
	CHECK_EQ_INT(wire_get_text(&in, &text, &n), -EAGAIN);
	b[0] = 0xbb;
	in = in_of(b, sizeof(b));
	CHECK_EQ_INT(wire_get_map(&in, &n), -EAGAIN);
	in.at = 0;
	CHECK_EQ_INT(wire_skip(&in), -EAGAIN);
}

TEST(skip_takes_one_item_of_any_kind)
{
	static const struct {
		const char *hex;
		int result;
	} t[] = {
		{ "00", 0 }, { "3903e7", 0 }, { "f6", 0 }, { "f5", 0 },
		{ "f97e00", 0 }, { "fa47c35000", 0 }, { "fb7ff0000000000000", 0 },
		{ "f8ff", 0 }, { "e0", 0 }, { "f7", 0 }, { "c074", -EAGAIN },
		{ "d9d9f7820102", 0 }, { "c6c600", 0 },
		{ "a201020304", 0 }, { "9f0102ff", 0 }, { "bf0102ff", 0 },
		{ "5f41004101ff", 0 }, { "80", 0 }, { "a0", 0 },
		{ "ff", -EBADMSG }, { "1c", -EBADMSG }, { "1f", -EBADMSG },
		{ "df00", -EBADMSG }, { "8201ff", -EBADMSG },
		{ "9f01", -EAGAIN }, { "19", -EAGAIN }, { "", -EAGAIN },
		{ "81818181818181818181818181818100", 0 },
		{ "818181818181818181818181818181818100", -EBADMSG },
	};
	uint8_t b[64];
	struct wire_in in;
	size_t i, n;
	unsigned byte;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		for (n = 0; n < strlen(t[i].hex) / 2; n++) {
			sscanf(t[i].hex + 2 * n, "%2x", &byte);
			b[n] = byte;
		}
		in = in_of(b, n);
		if (wire_skip(&in) != t[i].result)
			FAIL("%s is not %d", t[i].hex, t[i].result);
		if (!t[i].result)
			CHECK_EQ_U64(in.at, n);
	}
}

/* ---- what a newer version may write ---- */

static void put_metric(int id, const char *name, const char *unit,
		       const char *scope)
{
	wire_array(&out, 7);		/* one element more than we know */
	wire_uint(&out, id);
	wire_str(&out, name);
	wire_str(&out, unit);
	wire_str(&out, "counter");
	wire_str(&out, scope);
	wire_str(&out, "none");
	wire_null(&out);
}

static void put_head(int major)
{
	wire_map(&out, 4);
	wire_str(&out, "topology");
	wire_map(&out, 1);
	wire_uint(&out, 1);
	wire_array(&out, 1);
	wire_null(&out);
	wire_str(&out, "format");
	wire_str(&out, "stalltop");
	wire_str(&out, "version");
	wire_array(&out, 3);
	wire_uint(&out, major);
	wire_uint(&out, 9);
	wire_str(&out, "beta");
	wire_str(&out, "metrics");
	wire_array(&out, 5);
	put_metric(900, "vm.pgfault", "count", "none");	/* under another id */
	put_metric(3, "future.thing", "count", "socket");
	put_metric(4, "vm.pgmajfault", "furlongs", "none");
	put_metric(5, "stat.user", "ticks", "task");	/* not its scope */
	put_metric(0x4007, "vm.a_new_key", "count", "none");
}

static void put_reading(int metric, uint64_t value)
{
	wire_array(&out, 3);
	wire_uint(&out, metric);
	wire_uint(&out, 0);
	wire_uint(&out, value);
}

static void put_sample(void)
{
	wire_map(&out, 7);
	wire_str(&out, "mono_ns");
	wire_uint(&out, 1);
	wire_str(&out, "boot_ns");
	wire_uint(&out, 2);
	wire_str(&out, "wall_ns");
	wire_int(&out, -3);
	wire_str(&out, "utc_offset_s");
	wire_int(&out, -4);
	wire_str(&out, "future");
	wire_array(&out, 1);
	wire_map(&out, 0);
	wire_str(&out, "names");
	wire_array(&out, 2);
	wire_array(&out, 4);		/* a kind of name we do not know */
	wire_uint(&out, 7);
	wire_uint(&out, 99);
	wire_uint(&out, 0);
	wire_null(&out);
	wire_array(&out, 5);
	wire_uint(&out, 8);
	wire_uint(&out, NAME_TEXT);
	wire_uint(&out, 0);
	wire_str(&out, "known");
	wire_null(&out);
	wire_str(&out, "readings");
	wire_array(&out, 6);
	put_reading(3, 30);
	put_reading(4, 40);
	put_reading(5, 50);
	put_reading(6, 60);		/* in no dictionary */
	put_reading(900, 90);
	put_reading(0x4007, 70);
}

static size_t compress(uint8_t *block, size_t room,
		       const struct wire_out *plain)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();
	ZSTD_inBuffer in = { plain->data, plain->len, 0 };
	ZSTD_outBuffer to = { block, room, CODEC_MARK_BYTES };

	ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
	CHECK_EQ_U64(ZSTD_compressStream2(z, &to, &in, ZSTD_e_flush), 0);
	CHECK_EQ_U64(ZSTD_compressStream2(z, &to, &in, ZSTD_e_end), 0);
	ZSTD_freeCCtx(z);
	return to.pos;
}

/* A block around what was put: `head` bytes are its head, the rest a sample. */
static size_t make_block(uint8_t *block, size_t room, size_t head)
{
	struct wire_out plain = { 0 };
	uint32_t crc = crc32c(0, out.data, head);
	size_t n;

	memset(block, 0, CODEC_MARK_BYTES);
	put_le(block, MARK_MAGIC, 4);
	put_le(block + 4, MARK_PAYLOAD, 4);
	memcpy(block + 8, CODEC_NAME, 8);
	put_le(block + 32, 12, 8);
	put_le(block + 56, crc32c(0, block, 56), 4);
	CHECK_EQ_INT(wire_reserve(&plain, out.len), 0);
	memcpy(plain.data, out.data, head);
	plain.len = head;
	wire_array(&plain, 3);
	wire_uint(&plain, 12);
	wire_uint(&plain, item_crc(crc, 12, out.data + head, out.len - head));
	wire_bytes(&plain, out.data + head, out.len - head);
	n = compress(block, room, &plain);
	wire_free(&plain);
	return n;
}

TEST(what_is_unknown_is_kept_out_and_the_rest_is_read)
{
	struct codec_decoder *d = codec_decoder_new(1 << 20);
	static uint8_t block[8192];
	struct sample s;
	size_t head, len;

	CHECK_EQ_INT(sample_init(&s), 0);
	out.len = 0;
	put_head(1);
	head = out.len;
	put_sample();
	len = make_block(block, sizeof(block), head);
	if (codec_next(d, block, len, 0, &s) != 1)
		FAIL("%s", codec_why(d));
	CHECK_EQ_U64(s.seq, 12);
	CHECK_EQ_INT(s.wall_ns, -3);
	CHECK_EQ_INT(s.utc_offset_s, -4);
	CHECK_EQ_U64(s.n, 2);
	CHECK_EQ_U64(sample_find(&s, VM_PGFAULT, 0, 0)->value, 90);
	CHECK_EQ_U64(sample_find(&s, metric_find("vm.a_new_key"), 0, 0)->value,
		     70);
	CHECK_EQ_STR(names_str(s.names, 8), "known");
	CHECK_EQ_U64(names_count(s.names), 1);
	CHECK(!s.host);
	CHECK_EQ_U64(metric_find("future.thing"), METRIC_NONE);
	CHECK_EQ_INT(codec_next(d, block, len, 0, &s), 0);
	sample_free(&s);
	codec_decoder_free(d);
}

TEST(another_major_version_is_refused_in_words)
{
	struct codec_decoder *d = codec_decoder_new(1 << 20);
	static uint8_t block[8192];
	struct sample s;
	size_t head, len;

	CHECK_EQ_INT(sample_init(&s), 0);
	out.len = 0;
	put_head(2);
	head = out.len;
	put_sample();
	len = make_block(block, sizeof(block), head);
	CHECK_EQ_INT(codec_next(d, block, len, 0, &s), -EBADMSG);
	CHECK(strstr(codec_why(d), "version"));
	CHECK_EQ_INT(codec_next(d, block, len, 0, &s), -EBADMSG);
	sample_free(&s);
	codec_decoder_free(d);
	wire_free(&out);
}

TEST_MAIN
