/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares names of clusters with the clusters of the fleet.
 */
#include "ballast/diagnose/unknown_clusters.h"

#include "ballast/base/str.h"

struct unknown_search {
    const struct fleet *fleet;
    unknown_cluster_taker *take;
    void *context;
};

static void
look_at(const struct unknown_search *search, const struct unknown_cluster *named)
{
    if (!str_is_empty(named->cluster) && !str_eq(named->cluster, "*") &&
        fleet_find_cluster(search->fleet, named->cluster) == CLUSTER_NONE) {
        search->take(search->context, named);
    }
}

static void
look_at_affinity(const struct unknown_search *search, const struct cluster_affinity *affinity,
                 struct unknown_cluster named)
{
    for (uint32_t i = 0; affinity != NULL && i < affinity->cluster_names.count; i++) {
        named.cluster = affinity->cluster_names.items[i];
        look_at(search, &named);
    }
}

void
preference_unknown_clusters(const struct fleet *fleet, const struct preference *preference,
                            unknown_cluster_taker *take, void *context)
{
    const struct unknown_search search = {fleet, take, context};

    for (uint32_t i = 0; i < preference->n_clusters; i++) {
        const struct preference_cluster *entry = &preference->clusters[i];
        struct unknown_cluster named = {
            .who = preference->origin,
            .about = entry->where != NULL ? entry->where : preference->origin,
            .field = preference->field != NULL ? preference->field : preference->origin,
            .cluster = entry->name,
        };

        look_at(&search, &named);
        look_at_affinity(&search, entry->affinity, named);
    }
}

static void
look_at_terms(const struct unknown_search *search, const struct affinity_term_list *terms)
{
    static const struct unknown_cluster named = {
        .who = "a term of the cluster affinities",
        .field = "spec.placement.clusterAffinities",
    };

    for (uint32_t i = 0; i < terms->count; i++) {
        const struct overflow_list *overflow = &terms->items[i].overflow;

        look_at_affinity(search, &terms->items[i].affinity, named);
        for (uint32_t j = 0; j < overflow->count; j++) {
            look_at_affinity(search, &overflow->items[j].affinity, named);
        }
    }
}

void
placement_unknown_clusters(const struct fleet *fleet, const struct placement *placement,
                           bool weights, unknown_cluster_taker *take, void *context)
{
    const struct unknown_search search = {fleet, take, context};
    const struct static_weight_list *list = &placement->replica_scheduling.static_weights;
    bool divides = weights && placement_strategy(placement) == STRATEGY_STATIC_WEIGHT;

    look_at_affinity(&search, placement->cluster_affinity,
                     (struct unknown_cluster){.who = "the cluster affinity",
                                              .field = "spec.placement.clusterAffinity"});
    look_at_terms(&search, &placement->cluster_affinities);
    for (uint32_t i = 0; divides && i < list->count; i++) {
        look_at_affinity(
            &search, &list->items[i].target,
            (struct unknown_cluster){
                .who = "the static weight list",
                .field = "spec.placement.replicaScheduling.weightPreference.staticWeightList",
            });
    }
}

void
binding_unknown_clusters(const struct policy *policy, const struct fleet *fleet,
                         const struct binding *binding, unknown_cluster_taker *take, void *context)
{
    const struct preference *preference = preference_for(policy, fleet, binding);

    if (preference != NULL) {
        preference_unknown_clusters(fleet, preference, take, context);
    }
    if (binding->placement != NULL) {
        placement_unknown_clusters(fleet, binding->placement, preference == NULL, take, context);
    }
}

const char *
cluster_hint(struct arena *arena, const struct fleet *fleet, const char *name)
{
    const char **known = ARENA_ARRAY(arena, const char *, fleet->n_clusters);

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        known[i] = fleet->clusters[i].name;
    }
    return str_hint(arena, name, known, fleet->n_clusters, "");
}
