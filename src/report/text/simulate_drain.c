/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the steps of a drain.
 */
#include "ballast/base/str.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define PARTS_SHOWN_MAX 6
#define STEPS_SHOWN_MAX 40
#define STAYS_SHOWN_MAX 10

/* Returns "m2 25, m3 15 and 4 more clusters". */
static const char *
parts_text(const struct simulation_view *view, const struct drain_step *step)
{
    const struct fleet *fleet = view->simulated->report.fleet;
    struct arena *arena = view->view->arena;
    const char *text = "";

    for (uint32_t i = 0; i < step->n_parts && i < PARTS_SHOWN_MAX; i++) {
        text = arena_printf(arena, "%s%s%s %s", text, i > 0 ? ", " : "",
                            fleet->clusters[step->parts[i].cluster].name,
                            number_text(arena, step->parts[i].replicas));
    }
    return step->n_parts > PARTS_SHOWN_MAX ? arena_printf(arena, "%s and %u more clusters", text,
                                                          step->n_parts - PARTS_SHOWN_MAX)
                                           : text;
}

static void
print_steps(const struct printer *printer, const struct simulation_view *view,
            const struct drain *drain)
{
    struct arena *arena = view->view->arena;

    for (uint32_t i = 0; i < drain->n_steps && i < STEPS_SHOWN_MAX; i++) {
        const struct drain_step *step = &drain->steps[i];
        const char *what = counted(arena, step->replicas, "replica", "replicas");
        const char *who = counted(arena, step->bindings, "binding", "bindings");

        if (step->type == DRAIN_START) {
            print_line(printer, INK_NONE, "  step %-7u start %s of %s: %s", i + 1, what, who,
                       parts_text(view, step));
        } else {
            print_line(
                printer, INK_NONE, "  step %-7u when they are ready, %s, stop %s: %s", i + 1,
                counted(arena, drain->steps[i - 1].ready, "replica in all", "replicas in all"),
                what, parts_text(view, step));
            print_line(printer, INK_DIM, "  %-12s %s ready then, %s now", "",
                       number_text(arena, step->ready), number_text(arena, drain->ready_now));
        }
    }
    if (drain->n_steps > STEPS_SHOWN_MAX) {
        print_line(printer, INK_DIM, "  ... and %u more steps", drain->n_steps - STEPS_SHOWN_MAX);
    }
}

static void
print_stays(const struct printer *printer, const struct simulation_view *view,
            const struct drain *drain)
{
    static const struct grid_column columns[] = {{"STAYS", .cut_to = 24, .cut_last = true},
                                                 {"REPLICAS", .right = true},
                                                 {"REASON", .right = false},
                                                 {"", .cut_to = 20}};
    struct arena *arena = view->view->arena;
    uint32_t shown = drain->n_stays < STAYS_SHOWN_MAX ? drain->n_stays : STAYS_SHOWN_MAX;
    struct grid grid = grid_new(arena, columns, sizeof(columns) / sizeof(columns[0]), shown);

    for (uint32_t i = 0; i < shown; i++) {
        const struct homeless *stay = &drain->stays[i];

        grid_set(&grid, i, 0,
                 workload_text(arena, &view->simulated->report.fleet->bindings[stay->binding]));
        grid_set(&grid, i, 1, number_text(arena, stay->replicas));
        grid_set(&grid, i, 2, stay->code);
        grid_set(&grid, i, 3, stay->message);
    }
    grid.indent = 2;
    grid.width = view->view->options->width;
    if (shown > 0) {
        grid_print(&grid, printer);
    }
    if (shown < drain->n_stays) {
        print_line(printer, INK_DIM, "  ... and %u more bindings", drain->n_stays - shown);
    }
}

void
print_drain(const struct printer *printer, const struct simulation_view *view)
{
    const struct drain *drain = &view->simulated->simulation->drain;
    struct arena *arena = view->view->arena;

    if (view->simulated->simulation->changed->n_drained == 0) {
        return;
    }
    print_line(printer, drain->staying > 0 ? INK_RED : INK_GREEN,
               "Drain: %s in %s, none of which leaves fewer ready than now; %s there",
               counted(arena, drain->moving, "replica moves", "replicas move"),
               counted(arena, drain->n_steps, "step", "steps"),
               counted(arena, drain->staying, "stays", "stay"));
    print_steps(printer, view, drain);
    print_stays(printer, view, drain);
    print_line(printer, INK_NONE, "%s", "");
}
