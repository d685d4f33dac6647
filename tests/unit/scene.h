/*
 * Two samples ten seconds apart, built number by number, and what a pane makes
 * of them at some size.
 */
#ifndef SCENE_H
#define SCENE_H

#include <locale.h>

#include "buckets.h"
#include "golden.h"
#include "health.h"
#include "model.h"
#include "page.h"
#include "pane.h"
#include "rows.h"
#include "series.h"
#include "sample.h"
#include "view.h"

#define SCENE_SPAN_NS 10000000000ull

struct scene {
	struct names *names;
	struct host host;
	struct sample old, now;
	struct model m;
	struct series *series;
	struct view view;
	struct rows rows;
	struct surface page;
};

static TEST_UNUSED void scene_open(struct scene *sc, uint32_t cpus)
{
	memset(sc, 0, sizeof(*sc));
	setlocale(LC_CTYPE, "C.UTF-8");
	sc->names = names_new();
	sc->series = series_new();
	strcpy(sc->host.name, "web-07");
	strcpy(sc->host.release, "6.18.44");
	sc->host.cpus = cpus;
	sc->host.clk_tck = 100;
	sc->host.page_size = 4096;
	CHECK_EQ_INT(sample_init(&sc->old), 0);
	CHECK_EQ_INT(sample_init(&sc->now), 0);
	sc->old.names = sc->now.names = sc->names;
	sc->old.host = sc->now.host = &sc->host;
	sc->old.seq = 1;
	sc->now.seq = 11;
	sc->old.mono_ns = sc->old.boot_ns = 1000 * SCENE_SPAN_NS;
	sc->now.mono_ns = sc->now.boot_ns = 1001 * SCENE_SPAN_NS;
	sc->view.scratch = &sc->rows;
}

static TEST_UNUSED void scene_put(struct scene *sc, uint16_t metric,
				  uint32_t key, uint32_t sub, uint64_t old,
				  uint64_t now)
{
	CHECK_EQ_INT(sample_add(&sc->old, metric, key, sub, old), 0);
	CHECK_EQ_INT(sample_add(&sc->now, metric, key, sub, now), 0);
}

/* It went on at this rate per second. */
static TEST_UNUSED void scene_rate(struct scene *sc, uint16_t metric,
				   uint32_t key, uint64_t per_s)
{
	scene_put(sc, metric, key, 0, 1000000, 1000000 + 10 * per_s);
}

static TEST_UNUSED void scene_gauge(struct scene *sc, uint16_t metric,
				    uint32_t key, uint64_t value)
{
	scene_put(sc, metric, key, 0, value, value);
}

static TEST_UNUSED void scene_why(struct scene *sc, const char *collector,
				  const char *remedy, const char *why)
{
	health_set(sc->now.health, collector, "", 0, -1, HEALTH_ABSENT, 1,
		   remedy, "%s", why);
}

/* A stack of up to 7 symbols, innermost first, " " between; those before the
 * source are inside the scheduler and end with '!'. */
static TEST_UNUSED uint32_t scene_stack(struct scene *sc, char state,
					const char *frames)
{
	char text[512], *at = text, *word;
	uint32_t frame[32];
	size_t n = 0;

	snprintf(text, sizeof(text), "%s", frames);
	while (n < 32 && (word = strsep(&at, " "))) {
		size_t len = strlen(word);
		uint32_t flags = 0;

		if (len && word[len - 1] == '!') {
			word[len - 1] = '\0';
			flags = SYMBOL_SCHED;
		}
		frame[n++] = names_symbol(sc->names, word, 0, flags);
	}
	return names_stack(sc->names, (uint8_t)state, frame, n);
}

static TEST_UNUSED uint32_t scene_task(struct scene *sc, int tid,
				       const char *comm)
{
	return names_task(sc->names, tid, 1, tid, comm, strlen(comm));
}

/* n stacks that stand for n * every switches, in the window. */
static TEST_UNUSED void scene_sched(struct scene *sc, uint32_t stack,
				    uint32_t task, uint64_t n, uint64_t every)
{
	scene_put(sc, SCHED_N, stack, task, 7, 7 + n);
	scene_put(sc, SCHED_W, stack, task, 70, 70 + n * every);
	scene_put(sc, SCHED_W2, stack, task, 700, 700 + n * every * every);
}

static TEST_UNUSED void scene_waits(struct scene *sc, uint32_t stack,
				    uint32_t task, uint64_t n, uint64_t avg_ns)
{
	scene_put(sc, SCHED_WAITS, stack, task, 3, 3 + n);
	scene_put(sc, SCHED_WAIT, stack, task, 30, 30 + n * avg_ns);
}

/* n times of `ns` were counted in the histogram of key. */
static TEST_UNUSED void scene_times(struct scene *sc, uint16_t metric,
				    uint32_t key, uint64_t ns, uint64_t n)
{
	scene_put(sc, metric, key, bucket_of(ns), 2, 2 + n);
}

static TEST_UNUSED void scene_seal(struct scene *sc)
{
	sample_seal(&sc->old);
	sample_seal(&sc->now);
	series_add(sc->series, &sc->old, &sc->now);
	model_update(&sc->m, &sc->old, &sc->now, sc->series);
}

static TEST_UNUSED void scene_draw(struct scene *sc, const struct pane *pane,
				   int w, int h)
{
	CHECK_EQ_INT(surface_resize(&sc->page, w, h), 0);
	surface_clear(&sc->page);
	if (sc->view.p[0].opened && pane->draw_open)
		pane->draw_open(&sc->page, &sc->m, &sc->view);
	else
		pane->draw(&sc->page, &sc->m, &sc->view);
}

/* Does the text of the page hold this? */
static TEST_UNUSED int scene_shows(struct scene *sc, const char *text)
{
	char *all = golden_text(&sc->page);
	int found = strstr(all, text) != NULL;

	free(all);
	return found;
}

static TEST_UNUSED void scene_golden(struct scene *sc, const struct pane *pane,
				     const char *name)
{
	static const int size[][2] = {
		{ 80, 24 }, { 40, 8 }, { 200, 50 }, { 1, 1 }
	};

	for (size_t i = 0; i < sizeof(size) / sizeof(*size); i++) {
		scene_draw(sc, pane, size[i][0], size[i][1]);
		golden_check(&sc->page, name);
	}
}

/* The whole page around the pane at `index` of the table. */
static TEST_UNUSED void scene_page(struct scene *sc, unsigned index,
				   const char *name)
{
	static const int size[][2] = { { 80, 24 }, { 40, 8 }, { 120, 40 } };
	struct page page = { 0 };

	sc->view.pane = index;
	sc->view.interval_ns = 1000000000;
	sc->view.window_ns = SCENE_SPAN_NS;
	sc->view.live = 1;
	sc->now.wall_ns = 1764600000000000000;
	for (size_t i = 0; i < sizeof(size) / sizeof(*size); i++) {
		CHECK_EQ_INT(page_draw(&page, size[i][0], size[i][1], &sc->m,
				       &sc->view), 0);
		golden_check(&page.s, name);
	}
	page_free(&page);
}

/* Every size must draw, and nothing but cells that may be shown. */
static TEST_UNUSED void scene_all_sizes(struct scene *sc,
					const struct pane *pane)
{
	for (int w = 0; w < 130; w += 1 + w / 12)
		for (int h = 0; h < 60; h += 1 + h / 8) {
			scene_draw(sc, pane, w, h);
			golden_check_cells(&sc->page);
		}
}

static TEST_UNUSED void scene_close(struct scene *sc)
{
	sample_free(&sc->old);
	sample_free(&sc->now);
	series_free(sc->series);
	names_free(sc->names);
	rows_free(&sc->rows);
	surface_free(&sc->page);
}

#endif
