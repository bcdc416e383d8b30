/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports members that show no pod of a namespace whose workloads have ready pods there.
 */
#include "notices.h"

#include "ballast/base/str.h"

struct left_out_pods {
    const char *namespace_; /* the first by name; NULL: none */
    uint32_t workloads;     /* of all these namespaces */
};

static void
note_target(const struct notices *notices, uint32_t binding, uint32_t entry,
            struct left_out_pods *by_cluster)
{
    const struct binding *of = &notices->fleet->bindings[binding];
    const struct binding_state *state = &notices->diagnosis->bindings[binding];
    const struct target_state *target = &notices->diagnosis->targets[state->first_target + entry];
    const uint32_t cluster = of->clusters.items[entry].cluster;
    const char *namespace_ = of->resource.namespace_;

    if (cluster == CLUSTER_NONE || target->failed >= 0 || target->ready <= 0 ||
        !notices->fleet->members[cluster].has_pods ||
        member_shows_pods_of(&notices->fleet->members[cluster], namespace_)) {
        return;
    }
    struct left_out_pods *found = &by_cluster[cluster];

    found->workloads++;
    if (found->namespace_ == NULL || strcmp(namespace_, found->namespace_) < 0) {
        found->namespace_ = namespace_;
    }
}

void
notice_pods(struct notices *notices)
{
    const struct fleet *fleet = notices->fleet;
    struct left_out_pods *by_cluster =
        ARENA_ARRAY(notices->arena, struct left_out_pods, fleet->n_clusters);

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        for (uint32_t t = 0; t < fleet->bindings[i].clusters.count; t++) {
            note_target(notices, i, t, by_cluster);
        }
    }
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        if (by_cluster[c].namespace_ != NULL) {
            notice_add(
                notices, fleet->clusters[c].name,
                "it shows no pod of namespace %s, although %u %s in such a namespace %s ready "
                "pods there. Their pods count as not seen: list the pods of all namespaces "
                "(kubectl get pods -A)",
                by_cluster[c].namespace_, by_cluster[c].workloads,
                by_cluster[c].workloads == 1 ? "workload" : "workloads",
                by_cluster[c].workloads == 1 ? "has" : "have");
        }
    }
}
