/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a simulation for people: assumptions, losses, clusters before and after, and changed
 * bindings.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/failure_domain.h"
#include "cluster_bars.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define CLUSTERS_SHOWN_MAX 20
#define NAMES_SHOWN_MAX 4
#define CHANGE_BYTES_MAX 4096

static void
print_title(const struct printer *printer, const struct simulation_view *view)
{
    const struct report *report = &view->simulated->report;
    char now[TIMESTAMP_TEXT_MAX];

    print_line(printer, INK_BOLD, "Simulation at %s, nothing is written: %s in %s",
               timestamp_format_seconds(report->policy->now, now),
               counted(view->view->arena, report->plan->totals.in_scope, "binding", "bindings"),
               counted(view->view->arena, report->fleet->n_clusters, "cluster", "clusters"));
    print_sources(printer, view->view);
}

/* Returns "m1, m2, m3, m4 and 9 more". */
static const char *
names_of_fate(const struct simulation_view *view, enum cluster_fate fate)
{
    const struct simulation *simulation = view->simulated->simulation;
    const char *text = "";
    uint32_t count = 0;

    for (uint32_t i = 0; i < simulation->n_clusters; i++) {
        if (simulation->clusters[i].fate == fate && count++ < NAMES_SHOWN_MAX) {
            text = arena_printf(view->view->arena, "%s%s%s", text, count > 1 ? ", " : "",
                                simulation->clusters[i].name);
        }
    }
    return count > NAMES_SHOWN_MAX
               ? arena_printf(view->view->arena, "%s and %u more", text, count - NAMES_SHOWN_MAX)
               : text;
}

static void
print_changes(const struct printer *printer, const struct simulation_view *view)
{
    const struct change_list *changes = view->simulated->changes;

    for (uint32_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->items[i];
        bool is_group = change->by != GUARD_BY_NONE;

        print_line(printer, INK_NONE, "  %-12s %s%s%s", change_type_verb(change->type),
                   change->text, is_group ? ": " : "",
                   is_group
                       ? names_of_fate(view, change->type == CHANGE_LOSE ? FATE_LOST : FATE_DRAINED)
                       : "");
    }
}

/* Readers must know the rules of a run that are off. */
static void
print_assumptions(const struct printer *printer, const struct simulation_view *view)
{
    const struct changed_fleet *changed = view->simulated->simulation->changed;
    bool loses = changed->n_lost > 0 || view->simulated->survival != NULL;

    print_line(printer, INK_DIM,
               "  %-12s %sThe limits of a run do not hold: they only say how much goes at once.",
               "assumed",
               loses ? "What is lost is lost for good, so the disruption guard does not hold. "
               : changed->n_drained > 0
                   ? "The drain is wanted, so the disruption guard does not hold. "
                   : "");
}

void
print_simulation_heading(const struct printer *printer, const struct simulation_view *view)
{
    print_title(printer, view);
    print_changes(printer, view);
    print_assumptions(printer, view);
}

static void
print_clusters(const struct printer *printer, const struct simulation_view *view)
{
    const struct simulation *simulation = view->simulated->simulation;
    struct cluster_row *rows =
        ARENA_ARRAY(view->view->arena, struct cluster_row, simulation->n_clusters);
    uint32_t count = 0;

    /* first changed clusters, then clusters with moving replicas */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < simulation->n_clusters; i++) {
            const struct cluster_outlook *outlook = &simulation->clusters[i];
            bool is_changed = outlook->fate != FATE_STAYS;
            bool moves = outlook->before.replicas != outlook->after.replicas ||
                         outlook->before.stuck != outlook->after.stuck ||
                         simulation->n_clusters <= CLUSTERS_SHOWN_MAX;

            if (pass == 0 ? is_changed : !is_changed && moves) {
                rows[count++] = (struct cluster_row){.name = outlook->name,
                                                     .word = cluster_fate_word(outlook->fate),
                                                     .before = &outlook->before,
                                                     .after = &outlook->after};
            }
        }
    }
    uint32_t shown = count < CLUSTERS_SHOWN_MAX ? count : CLUSTERS_SHOWN_MAX;

    if (shown > 0) {
        print_cluster_rows(printer, view->view, rows, shown);
    }
    if (shown < count) {
        print_line(printer, INK_DIM, "  ... and %u more clusters that change", count - shown);
    }
    print_line(printer, INK_NONE, "%s", "");
}

/* Prints the moves of changed bindings, the most urgent first. */
static void
print_moves(const struct printer *printer, const struct simulation_view *view)
{
    static const struct grid_column columns[] = {{"WORKLOAD", .cut_to = 24, .cut_last = true},
                                                 {"CHANGE", .cut_to = 30}};
    const struct report_view *all = view->view;
    const uint32_t changed = view->simulated->report.plan->totals.changed;
    const uint32_t limit = all->options->limit;
    const uint32_t shown = limit == 0 || limit > changed ? changed : limit;
    struct grid grid = grid_new(all->arena, columns, sizeof(columns) / sizeof(columns[0]), shown);
    struct buf cell;

    buf_init(&cell, CHANGE_BYTES_MAX);
    for (uint32_t i = 0; i < shown; i++) { /* changed bindings come first */
        const struct row row = view_row(all, all->shown[i]);

        buf_clear(&cell);
        write_changes(all, &row, &cell);
        grid_set(&grid, i, 0, workload_text(all->arena, row.binding));
        grid_set(&grid, i, 1, arena_printf(all->arena, "%s", buf_text(&cell)));
    }
    buf_release(&cell);
    grid.width = all->options->width;
    if (shown > 0) {
        grid_print(&grid, printer);
    }
    if (shown < changed) {
        print_line(printer, INK_DIM, "... and %u more bindings: --limit=0 lists all",
                   changed - shown);
    }
    print_blocked(printer, all);
    print_line(printer, INK_NONE, "%s", "");
}

void
print_simulation_verdict(const struct printer *printer, const struct simulation_view *view)
{
    const struct simulation_report *simulated = view->simulated;
    const struct survival *survival = simulated->survival;
    int64_t homeless = simulation_homeless(simulated);

    if (simulated->has_max_homeless && survival != NULL && simulation_proves_nothing(simulated)) {
        print_line(printer, INK_RED, "FAILED: no cluster says its %s, so that nothing is proven",
                   failure_domain_word(survival->by, false));
    } else if (simulated->has_max_homeless) {
        print_line(printer, simulation_fails(simulated) ? INK_RED : INK_GREEN,
                   "%s: %s without a home at worst, %s allowed",
                   simulation_fails(simulated) ? "FAILED" : "Passed",
                   counted(view->view->arena, homeless, "replica", "replicas"),
                   number_text(view->view->arena, simulated->max_homeless));
    }
}

void
simulation_text(FILE *stream, const struct simulation_view *view)
{
    const struct report_options *options = view->view->options;
    const struct printer printer = {
        .stream = stream, .colour = options->colour, .width = options->text_width};
    const struct simulation *simulation = view->simulated->simulation;

    print_simulation_heading(&printer, view);
    print_line(&printer, INK_NONE, "%s", "");
    if (view->simulated->changes->count > 0) {
        print_loss(&printer, view, &simulation->loss);
        print_clusters(&printer, view);
        print_drain(&printer, view);
        print_moves(&printer, view);
    }
    if (view->simulated->survival != NULL) {
        print_survival(&printer, view);
    }
    print_simulation_verdict(&printer, view);
    print_ending(&printer, view->view);
}
