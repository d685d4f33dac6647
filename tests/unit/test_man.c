/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the manual page have an entry for everything the tables have?
 */
#include "keys.h"
#include "metric.h"
#include "options.h"
#include "test.h"

static char *page_read(void)
{
	FILE *f = fopen("man/stalltop.1", "r");
	char *text = calloc(1, 65536);

	CHECK(f && text);
	CHECK(fread(text, 1, 65535, f) > 0);
	CHECK(feof(f));
	fclose(f);
	return text;
}

/* "-n, --count N\thelp" as the page writes it, ".It Fl n , Fl -count Ar N". */
static void option_entry(char *line, char *entry, size_t n)
{
	char *tab = strchr(line, '\t'), *name = strstr(line, "--"), *arg;
	char letter[16] = "";

	CHECK(tab && name);
	*tab = '\0';
	if (line[1] != '-')
		snprintf(letter, sizeof(letter), "Fl %c , ", line[1]);
	arg = strpbrk(name, " [");
	if (!arg)
		snprintf(entry, n, "\n.It %sFl %s\n", letter, name + 1);
	else if (*arg == ' ')
		snprintf(entry, n, "\n.It %sFl %.*s Ar %s\n", letter,
			 (int)(arg - name - 1), name + 1, arg + 1);
	else
		snprintf(entry, n, "\n.It %sFl %.*s Ns Op = Ns Ar", letter,
			 (int)(arg - name - 1), name + 1);
}

TEST(man_has_every_option)
{
	char *page = page_read(), *dump = NULL, *line, *save = NULL;
	char entry[160];
	size_t len, lines = 0;
	FILE *f = open_memstream(&dump, &len);

	options_dump(f);
	fclose(f);
	for (line = strtok_r(dump, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save), lines++) {
		option_entry(line, entry, sizeof(entry));
		if (!strstr(page, entry))
			FAIL("no entry:%s", entry);
	}
	CHECK(lines > 20);
	free(dump);
	free(page);
}

TEST(man_has_every_key)
{
	char *page = page_read(), entry[64];
	const struct key *k;

	for (k = key_table; k->label; k++) {
		if (!k->help)
			continue;
		snprintf(entry, sizeof(entry), "\n.It Ic \"%s\"\n", k->label);
		if (!strstr(page, entry))
			FAIL("no entry:%s", entry);
	}
	free(page);
}

TEST(man_has_every_group_of_metrics)
{
	char *page = page_read(), entry[64];
	const char *name;
	unsigned id;

	for (id = METRIC_NONE + 1; id < METRIC_FIXED; id++) {
		name = metric_info(id)->name;
		snprintf(entry, sizeof(entry), "\n.It Cm %.*s\n",
			 (int)strcspn(name, "."), name);
		if (!strstr(page, entry))
			FAIL("no entry:%s", entry);
	}
	free(page);
}

TEST_MAIN
