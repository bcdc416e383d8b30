/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the clusters that a plan changes.
 */
#include "cluster_bars.h"
#include "report/print/printer.h"
#include "report/view/bars.h"
#include "report/view/tally.h"
#include "report/view/view.h"
#include "text_reports.h"

#define CLUSTERS_SHOWN_MAX 20

static void
print_shown(const struct printer *printer, const struct report_view *view,
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

void
print_cluster_table(const struct printer *printer, const struct report_view *view)
{
    uint32_t count = 0;
    const bool is_shown = view->options->bars != BARS_NONE || view_is_large(view);
    const struct cluster_tally *clusters = is_shown ? tally_clusters(view, &count) : NULL;
    uint32_t shown = count < CLUSTERS_SHOWN_MAX ? count : CLUSTERS_SHOWN_MAX;

    if (count == 0) {
        return;
    }
    print_shown(printer, view, clusters, shown);
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
