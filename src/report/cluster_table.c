/* SPDX-License-Identifier: Apache-2.0
 *
 * A large plan by cluster: what leaves, what arrives, and how much room that
 * leaves of the resource of which least is left.
 */
#include "ballast/base/str.h"
#include "grid.h"
#include "tally.h"

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

void
print_cluster_table(const struct printer *printer, const struct report_view *view)
{
    uint32_t count = 0;
    const struct cluster_tally *clusters =
        view_is_large(view) ? tally_clusters(view, &count) : NULL;
    uint32_t shown = count < CLUSTERS_SHOWN_MAX ? count : CLUSTERS_SHOWN_MAX;
    struct grid grid = grid_new(view->arena, columns, N_COLUMNS, shown);

    if (count == 0) {
        return;
    }
    for (uint32_t i = 0; i < shown; i++) {
        grid_set(&grid, i, CLUSTER, safe_text(view->arena, clusters[i].name));
        grid_set(&grid, i, BINDINGS, number_text(view->arena, clusters[i].bindings));
        grid_set(&grid, i, LEAVING, number_text(view->arena, clusters[i].leaving));
        grid_set(&grid, i, ARRIVING, number_text(view->arena, clusters[i].arriving));
        fill_room(view, &grid, i, &clusters[i]);
    }
    grid.indent = 2;
    grid.width = view->options->width;
    grid_print(&grid, printer);
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
