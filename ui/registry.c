#include "panes.h"
const struct pane *const pane_table[] = { &pane_schedule, NULL };
