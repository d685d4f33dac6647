/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the overview tell counts of the own processes from those of whole CPUs?
 */
#include "panes.h"
#include "scene.h"

static void add_own(struct scene *sc, const char *name, uint64_t per_s)
{
	uint32_t text = names_text(sc->names, name, strlen(name));

	scene_put(sc, PERF_VALUE, text, PERF_OWN_USER, 9, 9 + per_s * (SCENE_SPAN_NS / 1000000000));
	scene_put(sc, PERF_ENABLED, text, PERF_OWN_USER, 9, 1000009);
	scene_put(sc, PERF_RUNNING, text, PERF_OWN_USER, 9, 1000009);
}

static const struct row *row_named(struct scene *sc, const char *name)
{
	rows_reset(&sc->rows);
	CHECK_EQ_INT(pane_overview.rows(&sc->m, &sc->view, &sc->rows), 0);
	for (size_t i = 0; i < sc->rows.n; i++)
		if (sc->rows.row[i].v[1].text &&
		    !strcmp(sc->rows.row[i].v[1].text, name))
			return &sc->rows.row[i];
	FAIL("no row %s", name);
	return NULL;
}

/* task-clock:u has the time in the kernel too, cycles:u has not: no GHz. */
TEST(user_code_is_compared_with_user_code_only)
{
	struct scene sc;

	scene_open(&sc, 2);
	add_own(&sc, "task-clock:u", 500000000);
	add_own(&sc, "cycles:u", 4000);
	add_own(&sc, "instructions:u", 8000);
	scene_seal(&sc);
	CHECK_EQ_STR(row_named(&sc, "instructions:u")->v[5].text, "2.00 IPC");
	CHECK_EQ_STR(row_named(&sc, "cycles:u")->v[5].text, "own");
	CHECK_NEAR(row_named(&sc, "task-clock:u")->v[2].r, .5, 1e-9);
	scene_draw(&sc, &pane_overview, 80, 24);
	CHECK(scene_shows(&sc, "OWN PROCESSES"));
	CHECK(scene_shows(&sc, "0.5 cpu"));
	CHECK(!scene_shows(&sc, "COUNTERS"));
	scene_close(&sc);
}

/* Where the kernel's side is let too, the name has no mark: the title has. */
TEST(with_the_kernel_the_clock_has_its_cycles)
{
	struct scene sc;

	scene_open(&sc, 2);
	add_own(&sc, "task-clock", 1000000000);
	add_own(&sc, "cycles", 3000000000);
	scene_seal(&sc);
	CHECK_EQ_STR(row_named(&sc, "cycles")->v[5].text, "3.00 GHz");
	scene_draw(&sc, &pane_overview, 80, 24);
	CHECK(scene_shows(&sc, "OWN PROCESSES"));
	scene_close(&sc);
}

TEST_MAIN
