/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints clusters with replicas on unready nodes, a line each.
 */
#include "ballast/model/member.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define CLUSTERS_SHOWN_MAX 10
#define NODES_NAMED_MAX 3

struct dead_nodes {
    uint32_t count;
    const char *names; /* "n-01, n-02, n-03 and 2 more" */
    int64_t replicas;
};

static void
name_nodes(const struct report_view *view, const struct member *member, struct dead_nodes *ret)
{
    struct name_list names = name_list_new(view->arena, NODES_NAMED_MAX);

    for (uint32_t i = 0; i < member->n_nodes; i++) {
        if (node_is_dead(&member->nodes[i])) {
            name_list_add(&names, member->nodes[i].name);
        }
    }
    ret->count = names.count;
    ret->names = name_list_text(&names, "", "");
}

void
print_nodes(const struct printer *printer, const struct report_view *view)
{
    const struct report *report = view->report;
    const struct fleet *fleet = report->fleet;
    int64_t *replicas = ARENA_ARRAY(view->arena, int64_t, fleet->n_clusters);
    uint32_t shown = 0;

    for (uint32_t i = 0; i < report->diagnosis->n_findings; i++) {
        const struct finding *finding = &report->diagnosis->findings[i];

        if (finding->type == FINDING_NODES_NOT_READY &&
            finding->cluster_index < fleet->n_clusters) {
            replicas[finding->cluster_index] += finding->replicas;
        }
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        struct dead_nodes dead = {.replicas = replicas[i]};

        if (replicas[i] == 0 || shown++ >= CLUSTERS_SHOWN_MAX) {
            continue;
        }
        name_nodes(view, &fleet->members[i], &dead);
        print_line(printer, INK_YELLOW, "  nodes        %s: %s of %u not ready with %s on %s: %s",
                   fleet->clusters[i].name, number_text(view->arena, dead.count),
                   fleet->members[i].n_nodes,
                   counted(view->arena, dead.replicas, "replica", "replicas"),
                   plural(dead.count, "it", "them"), dead.names);
    }
    if (shown > CLUSTERS_SHOWN_MAX) {
        print_line(printer, INK_YELLOW, "  nodes        ... and %u more clusters",
                   shown - CLUSTERS_SHOWN_MAX);
    }
}
