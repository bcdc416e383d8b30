/* SPDX-License-Identifier: Apache-2.0
 *
 * Which sources are used for a member, and what one adds to those before it.
 */
#include "ballast/model/sources.h"

static const char *const names[] = {
#define X(id, name, text) name,
    MEMBER_SOURCES(X)
#undef X
};

bool
member_source_parse(const char *name, enum member_source *ret)
{
    for (int i = 0; i < N_MEMBER_SOURCES; i++) {
        if (str_eq(names[i], name)) {
            *ret = (enum member_source)i;
            return true;
        }
    }
    return false;
}

/* Returns the source's place in the order; `count` if it is not named. */
static uint32_t
place_of(const struct member_sources *sources, enum member_source source)
{
    uint32_t place = 0;

    while (place < sources->count && sources->order[place] != source) {
        place++;
    }
    return place;
}

bool
sources_have(const struct member_sources *sources, enum member_source source)
{
    return place_of(sources, source) < sources->count;
}

static bool
sources_prefer(const struct member_sources *sources, enum member_source first,
               enum member_source second)
{
    return sources_have(sources, second) && place_of(sources, first) < place_of(sources, second);
}

/* A member's objects show which pods of a Deployment are stuck. Estimators know no other kind. */
static bool
member_shows_stuck(const struct member *member)
{
    return member->has_pods && member->has_replica_sets && member->has_deployments;
}

static bool
member_shows_room(const struct member *member)
{
    return member->has_nodes && member->has_pods;
}

bool
sources_ask_stuck(const struct member_sources *sources, const struct member *member)
{
    bool told =
        sources_prefer(sources, SOURCE_PODS, SOURCE_ESTIMATOR) && member_shows_stuck(member);

    return sources_have(sources, SOURCE_ESTIMATOR) && !told;
}

bool
sources_ask_room(const struct member_sources *sources, const struct cluster *cluster,
                 const struct member *member)
{
    bool told =
        (sources_prefer(sources, SOURCE_NODES, SOURCE_ESTIMATOR) && member_shows_room(member)) ||
        (sources_prefer(sources, SOURCE_STATUS, SOURCE_ESTIMATOR) && cluster->has_resource_summary);

    return sources_have(sources, SOURCE_ESTIMATOR) && !told;
}

static void
forget_pods(struct member *member)
{
    member->has_pods = member->has_replica_sets = false;
    member->has_deployments = member->has_stateful_sets = member->has_jobs = false;
    member->n_pods = member->n_settled = member->n_replica_sets = member->n_workloads = 0;
    member->n_settled_workloads = 0;
}

const struct member *
sources_keep(const struct member_sources *sources, struct arena *arena, const struct fleet *fleet)
{
    struct member *members = ARENA_ARRAY(arena, struct member, fleet->n_clusters);

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        members[i] = fleet->members[i];
        if (!sources_have(sources, SOURCE_PODS)) {
            forget_pods(&members[i]);
        }
        if (!sources_have(sources, SOURCE_NODES)) {
            members[i].has_nodes = false;
            members[i].n_nodes = 0;
        }
        if (!sources_ask_stuck(sources, &members[i])) {
            members[i].estimator.n_stuck = 0;
        }
        if (!sources_ask_room(sources, &fleet->clusters[i], &members[i])) {
            members[i].estimator.n_room = 0;
            members[i].estimator.n_sets = 0;
        }
    }
    return members;
}
