/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the clusters of a plan: leaving and arriving replicas, and the scarcest resource.
 */
#include "ballast/base/str.h"
#include "cluster_bars.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "report/view/bars.h"
#include "report/view/tally.h"
#include "report/view/view.h"
#include "text_reports.h"

#define CLUSTERS_SHOWN_MAX 20

enum { CLUSTER, BINDINGS, LEAVING, ARRIVING, TIGHTEST, BEFORE, AFTER, OF, SOURCE, N_COLUMNS };

static const struct grid_column columns[] = {
    [CLUSTER] = {"CLUSTER", .cut_to = 20},    [BINDINGS] = {"BINDINGS", .right = true},
    [LEAVING] = {"LEAVING", .right = true},   [ARRIVING] = {"ARRIVING", .right = true},
    [TIGHTEST] = {"ROOM OF", .right = false}, [BEFORE] = {"BEFORE", .right = true},
    [AFTER] = {"AFTER", .right = true},       [OF] = {"OF", .right = true},
    [SOURCE] = {"BY", .right = false},
};

static void
fill_room(const struct report_view *view, struct grid *grid, uint32_t at,
          const struct cluster_tally *cluster)
{
    enum ledger_resource tightest =
        cluster->has_room ? tally_tightest(&cluster->room) : N_LEDGER_RESOURCES;

    if (tightest == N_LEDGER_RESOURCES) {
        grid_set(grid, at, TIGHTEST, "-");
        return;
    }
    const struct free_amount *amount = &cluster->room.of[tightest];

    grid_set(grid, at, TIGHTEST, ledger_resource_name(tightest));
    grid_set(grid, at, BEFORE, tally_amount_text(view->arena, tightest, amount->before));
    grid_set(grid, at, AFTER, tally_amount_text(view->arena, tightest, amount->after));
    grid_set(grid, at, OF, tally_amount_text(view->arena, tightest, amount->allocatable));
    grid_set(grid, at, SOURCE, cluster->room.source);
}

static void
print_bars(const struct printer *printer, const struct report_view *view,
           const struct cluster_tally *clusters, uint32_t shown)
{
    const struct report *report = view->report;
    const struct cluster_side *before =
        cluster_sides(view->arena, report->fleet, report->diagnosis, NULL, report->ledger);
    const struct cluster_side *after =
        cluster_sides(view->arena, report->fleet, report->diagnosis, report->plan, report->ledger);
    struct cluster_row *rows = ARENA_ARRAY(view->arena, struct cluster_row, shown);
    struct cluster_side(*sides)[2] = arena_calloc(view->arena, shown, sizeof(*sides));

    for (uint32_t i = 0; i < shown; i++) {
        uint32_t cluster = clusters[i].cluster;

        rows[i] = (struct cluster_row){.name = clusters[i].name, .word = ""};
        sides[i][0] = cluster != CLUSTER_NONE ? before[cluster] : (struct cluster_side){0};
        sides[i][1] = cluster != CLUSTER_NONE ? after[cluster] : (struct cluster_side){0};
        sides[i][0].replicas = clusters[i].before;
        sides[i][0].stuck = clusters[i].stuck_before;
        sides[i][1].replicas = clusters[i].after;
        sides[i][1].stuck = clusters[i].stuck_after;
        rows[i].before = &sides[i][0];
        rows[i].after = &sides[i][1];
    }
    print_cluster_rows(printer, view, rows, shown);
}

static void
print_numbers(const struct printer *printer, const struct report_view *view,
              const struct cluster_tally *clusters, uint32_t shown)
{
    struct grid grid = grid_new(view->arena, columns, N_COLUMNS, shown);

    for (uint32_t i = 0; i < shown; i++) {
        grid_set(&grid, i, CLUSTER, clusters[i].name);
        grid_set(&grid, i, BINDINGS, number_text(view->arena, clusters[i].bindings));
        grid_set(&grid, i, LEAVING, number_text(view->arena, clusters[i].leaving));
        grid_set(&grid, i, ARRIVING, number_text(view->arena, clusters[i].arriving));
        fill_room(view, &grid, i, &clusters[i]);
    }
    grid.indent = 2;
    grid.width = view->options->width;
    grid_print(&grid, printer);
}

void
print_cluster_table(const struct printer *printer, const struct report_view *view)
{
    uint32_t count = 0;
    const bool has_bars = view->options->bars != BARS_NONE && view->report->ledger != NULL;
    const struct cluster_tally *clusters =
        has_bars || view_is_large(view) ? tally_clusters(view, &count) : NULL;
    uint32_t shown = count < CLUSTERS_SHOWN_MAX ? count : CLUSTERS_SHOWN_MAX;

    if (count == 0) {
        return;
    }
    if (has_bars) {
        print_bars(printer, view, clusters, shown);
    } else {
        print_numbers(printer, view, clusters, shown);
    }
    if (shown < count) {
        int64_t leaving = 0, arriving = 0;

        for (uint32_t i = shown; i < count; i++) {
            leaving += clusters[i].leaving;
            arriving += clusters[i].arriving;
        }
        print_line(printer, INK_DIM, "  ... and %s more clusters: %s leaving, %s arriving",
                   number_text(view->arena, (int64_t)count - shown),
                   number_text(view->arena, leaving), number_text(view->arena, arriving));
    }
    print_line(printer, INK_NONE, "%s", "");
}
