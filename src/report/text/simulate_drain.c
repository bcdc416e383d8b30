/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the steps of a drain.
 */
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define PARTS_SHOWN_MAX 6
#define STEPS_SHOWN_MAX 40

/* Returns "m2 25, m3 15 and 4 more clusters". */
static const char *
parts_text(const struct simulation_view *view, const struct drain_step *step)
{
    const struct fleet *fleet = view->simulated->report.fleet;
    struct arena *arena = view->view->arena;
    struct name_list parts = name_list_new(arena, PARTS_SHOWN_MAX);

    for (uint32_t i = 0; i < step->n_parts; i++) {
        name_list_add(&parts,
                      arena_printf(arena, "%s %s", fleet->clusters[step->parts[i].cluster].name,
                                   number_text(arena, step->parts[i].replicas)));
    }
    return name_list_text(&parts, "cluster", "clusters");
}

static void
print_steps(const struct printer *printer, const struct simulation_view *view,
            const struct drain *drain)
{
    struct arena *arena = view->view->arena;
    const uint32_t shown = shown_of(view, drain->n_steps, STEPS_SHOWN_MAX);

    for (uint32_t i = 0; i < shown; i++) {
        const struct drain_step *step = &drain->steps[i];
        const char *what = counted(arena, step->replicas, "replica", "replicas");
        const char *who = counted(arena, step->bindings, "workload", "workloads");

        if (step->type == DRAIN_START) {
            print_line(printer, INK_NONE, "  step %-7u start %s of %s: %s", i + 1, what, who,
                       parts_text(view, step));
        } else {
            const bool waits = i > 0 && drain->steps[i - 1].type == DRAIN_START;

            print_line(printer, INK_NONE, "  step %-7u %sstop %s: %s", i + 1,
                       waits ? arena_printf(arena, "wait until %s ready, then ",
                                            counted(arena, drain->steps[i - 1].ready, "replica is",
                                                    "replicas are"))
                             : "",
                       what, parts_text(view, step));
            print_line(printer, INK_DIM, "  %-12s %s ready then, %s before", "",
                       number_text(arena, step->ready), number_text(arena, drain->ready_now));
        }
    }
    if (drain->n_steps > shown) {
        print_line(printer, INK_DIM, "  ... and %s: --limit=0 lists all",
                   counted(arena, (int64_t)drain->n_steps - shown, "more step", "more steps"));
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
    const int64_t all = drain->moving + drain->ending + drain->staying;

    print_line(printer, drain->staying > 0 ? INK_RED : INK_GREEN, "Drain: %s%s; %s in %s, %s; %s",
               counted(arena, all, "replica", "replicas"), today_text(view, FATE_DRAINED, all),
               counted(arena, drain->moving, "moves", "move"),
               counted(arena, drain->n_steps, "step", "steps"),
               drain->ending > 0 ? "and only ending copies reduce ready replicas"
                                 : "and no step reduces ready replicas",
               counted(arena, drain->staying, "stays", "stay"));
    if (drain->ending > 0) {
        print_line(printer, INK_NONE, "  %-12s %s of %s: the workload keeps running elsewhere",
                   "ends", counted(arena, drain->ending, "replica", "replicas"),
                   counted(arena, drain->n_ending, "copy", "copies"));
    }
    print_steps(printer, view, drain);
    print_victims(printer, view, "STAYS", drain->stays, drain->n_stays);
    print_line(printer, INK_NONE, "%s", "");
}
