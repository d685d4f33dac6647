/*
 * Does a page still look as it did? A surface is compared with a text file in
 * tests/golden/, row by row, blanks at line ends left out; GENERATE=1 in the
 * environment writes the file anew instead. Look at the diff before you commit.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include "surface.h"
#include "test.h"
#include "text.h"

static TEST_UNUSED size_t golden_line(const struct surface *s, int y, char *to)
{
	size_t n = 0, end = 0;

	for (int x = 0; x < s->w; x++) {
		uint32_t ch = s->cell[y * s->w + x].ch;

		if (ch == CELL_REST)
			continue;
		n += text_encode(to + n, ch);
		if (ch != ' ')
			end = n;
	}
	return end;
}

/* Malloced text of the whole surface. */
static TEST_UNUSED char *golden_text(const struct surface *s)
{
	char *text = malloc((size_t)s->h * ((size_t)s->w * 4 + 1) + 1);
	size_t n = 0;

	for (int y = 0; y < s->h; y++) {
		n += golden_line(s, y, text + n);
		text[n++] = '\n';
	}
	text[n] = '\0';
	return text;
}

static TEST_UNUSED char *golden_read(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	if (f) {
		size_t n = fread(text, 1, (1 << 20) - 1, f);

		text[n] = '\0';
		fclose(f);
	}
	return text;
}

/* A pane that leaves a name's byte in a cell could move the cursor. */
static TEST_UNUSED void golden_check_cells(const struct surface *s)
{
	for (int i = 0; i < s->w * s->h; i++) {
		uint32_t ch = s->cell[i].ch;

		if ((ch && ch < 0x20) || (ch >= 0x7f && ch < 0xa0))
			FAIL("control character %#x in cell %d", ch, i);
		if (s->ascii && ch > 0x7e)
			FAIL("character %#x in cell %d of ASCII", ch, i);
	}
}

static TEST_UNUSED void golden_check(const struct surface *s, const char *name)
{
	char path[256], *got = golden_text(s), *want;
	int same;

	golden_check_cells(s);
	snprintf(path, sizeof(path), "tests/golden/%s-%dx%d.txt", name, s->w,
		 s->h);
	if (getenv("GENERATE")) {
		FILE *f = fopen(path, "w");

		CHECK(f && fputs(got, f) >= 0 && !fclose(f));
		free(got);
		return;
	}
	want = golden_read(path);
	same = !strcmp(got, want);
	if (!same)
		printf("got:\n%s\nwant (%s):\n%s\n", got, path, want);
	free(got);
	free(want);
	if (!same)
		FAIL("%s differs", path);
}

#endif
