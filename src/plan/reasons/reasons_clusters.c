/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds reasons that name clusters. The first reason stands for the decision in the totals, so the
 * most helpful one comes first. Clusters that do not exist explain an apparent lack of capacity.
 */
#include "ballast/base/wording.h"
#include "ballast/diagnose/unknown_clusters.h"
#include "plan/move/move.h"
#include "reasons.h"

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
explain_unknown_clusters(struct planner *planner, const struct binding *binding,
                         struct decision *decision)
{
    struct decision first = {.n_reasons = 0};
    struct telling telling = {.planner = planner, .decision = &first};

    binding_unknown_clusters(planner->policy, planner->fleet, binding, tell, &telling);
    reasons_begin_with(planner, &first, decision);
}

/* --- refusals --- */

enum nearness {
    NEARNESS_UNKNOWN,
    NEARNESS_CANDIDATE, /* lacks only capacity, or a rule bounds it */
    NEARNESS_OTHER,
    NEARNESS_SOURCE, /* replicas should leave it, as findings show */
    N_NEARNESS,
    NEARNESS_TOLD, /* a reason names it */
};

static bool
is_near(const struct planner *planner, const struct move *move, uint32_t index)
{
    return !planner->no_destination[index] && !move->closed[index] &&
           !binding_is_suspended_in(move->binding, planner->fleet->clusters[index].name) &&
           move_verdict(planner, move, index, NULL) == FILTER_PASSED;
}

/* Filled on demand: if all are near, most clusters of a large fleet are never looked at. */
static uint8_t
nearness_of(struct planner *planner, const struct move *move, uint32_t index, uint8_t *nearness)
{
    if (nearness[index] == NEARNESS_UNKNOWN) {
        nearness[index] = is_near(planner, move, index) ? NEARNESS_CANDIDATE : NEARNESS_OTHER;
    }
    return nearness[index];
}

static uint8_t *
nearness_of_sources(struct planner *planner, const struct move *move)
{
    uint8_t *nearness = ARENA_ARRAY(planner->scratch, uint8_t, planner->fleet->n_clusters);

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const uint32_t cluster = move->binding->clusters.items[i].cluster;

        if (cluster != CLUSTER_NONE && (move->leaves[i] || move->take[i] > 0)) {
            nearness[cluster] = NEARNESS_SOURCE;
        }
    }
    return nearness;
}

/* Adds the clusters that no reason names: the first by name (sources last), and how many more. */
static void
explain_rest(struct planner *planner, const bool *apart, const uint8_t *nearness,
             struct decision *decision)
{
    struct name_list rest = name_list_new(planner->scratch, 1);

    for (int sources = 0; sources <= 1; sources++) {
        for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
            if ((apart == NULL || !apart[i]) && nearness[i] != NEARNESS_TOLD &&
                (nearness[i] == NEARNESS_SOURCE) == (sources == 1)) {
                name_list_add(&rest, planner->fleet->clusters[i].name);
            }
        }
    }
    if (rest.count > 0) {
        reason_add(planner, decision, "MoreClusters", "", "%s",
                   name_list_text(&rest, "cluster", "clusters"));
    }
}

void
explain_refusals(struct planner *planner, const struct move *move, const bool *apart,
                 struct decision *decision)
{
    const uint32_t n_clusters = planner->fleet->n_clusters;
    uint8_t *nearness = nearness_of_sources(planner, move);
    uint32_t shown = 0;

    for (enum nearness near = NEARNESS_CANDIDATE; near < N_NEARNESS; near++) {
        for (uint32_t i = 0; i < n_clusters && shown < REFUSALS_MAX; i++) {
            if ((apart == NULL || !apart[i]) && nearness_of(planner, move, i, nearness) == near) {
                shown += explain_refusal(planner, move, i, decision) ? 1 : 0;
                nearness[i] = NEARNESS_TOLD;
            }
        }
    }
    explain_rest(planner, apart, nearness, decision);
}
