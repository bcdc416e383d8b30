/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters the reasons name, and in what order. The first reason stands
 * for the decision in the totals, so it has to be the one that helps most.
 *
 * Clusters that do not exist come before all others: they are why there seems
 * to be no room.
 */
#include "ballast/diagnose/unknown_clusters.h"
#include "planner.h"

#define UNKNOWN_MAX 5 /* clusters named in one decision */

struct telling {
    struct planner *planner;
    struct decision *decision;
    uint32_t count;
};

static void
tell(void *context, const struct unknown_cluster *unknown)
{
    struct telling *telling = context;
    struct planner *planner = telling->planner;

    if (telling->count++ < UNKNOWN_MAX) {
        reason_add(planner, telling->decision, "UnknownCluster", unknown->cluster,
                   "%s names cluster %s, which does not exist%s", unknown->who, unknown->cluster,
                   cluster_hint(planner->scratch, planner->fleet, unknown->cluster));
    }
}

void
tell_unknown_clusters(struct planner *planner, const struct binding *binding,
                      struct decision *decision)
{
    struct decision first = {.n_reasons = 0};
    struct telling telling = {.planner = planner, .decision = &first};

    binding_unknown_clusters(planner->policy, planner->fleet, binding, tell, &telling);
    reasons_begin_with(planner, &first, decision);
}

/* --- refusals --- */

enum nearness {
    NEARNESS_CANDIDATE, /* the placement allows it, and it is well: only room is missing, or the
                           like */
    NEARNESS_OTHER,
    NEARNESS_SOURCE, /* replicas are to leave it: the findings say so already */
    N_NEARNESS,
};

static bool
is_near(const struct planner *planner, const struct move *move, uint32_t index)
{
    return !planner->no_destination[index] && !move->closed[index] &&
           !binding_is_suspended_in(move->binding, planner->fleet->clusters[index].name) &&
           move_verdict(planner, move, index, NULL) == FILTER_PASSED;
}

static const uint8_t *
nearness_of_all(struct planner *planner, const struct move *move)
{
    const uint32_t n_clusters = planner->fleet->n_clusters;
    uint8_t *nearness = ARENA_ARRAY(planner->scratch, uint8_t, n_clusters);

    for (uint32_t i = 0; i < n_clusters; i++) {
        nearness[i] = is_near(planner, move, i) ? NEARNESS_CANDIDATE : NEARNESS_OTHER;
    }
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const uint32_t cluster = move->binding->clusters.items[i].cluster;

        if (cluster != CLUSTER_NONE && (move->leaves[i] || move->take[i] > 0)) {
            nearness[cluster] = NEARNESS_SOURCE;
        }
    }
    return nearness;
}

void
tell_refusals(struct planner *planner, const struct move *move, const bool *apart,
              struct decision *decision)
{
    const uint32_t n_clusters = planner->fleet->n_clusters;
    const uint8_t *nearness = nearness_of_all(planner, move);
    uint32_t shown = 0, more = 0;

    for (uint8_t near = 0; near < N_NEARNESS; near++) {
        for (uint32_t i = 0; i < n_clusters; i++) {
            if (nearness[i] != near || (apart != NULL && apart[i])) {
                continue;
            }
            if (shown == REFUSALS_MAX) {
                more++;
            } else {
                shown += tell_refusal(planner, move, i, decision) ? 1 : 0;
            }
        }
    }
    if (more > 0) {
        reason_add(planner, decision, "MoreClusters", "", "and %u more clusters", more);
    }
}
