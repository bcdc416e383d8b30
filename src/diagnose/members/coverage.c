/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the members that Ballast did not see, and the unseen ones that hold replicas in scope.
 */
#include "ballast/diagnose/coverage.h"

#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"

#define PERCENT 100

/* The message for a part that is missing without a reason: a missing file is no empty list. */
#define NOT_GIVEN "not in the fleet's files"

struct coverage_search {
    struct arena *arena;
    const struct fleet *fleet;
    const struct policy *policy;
    const struct map *namespaces; /* with a bound Deployment */
};

/* True if a bound Deployment may own the pod: only its ReplicaSet and Deployment show that. */
static bool
leads_on(const struct coverage_search *looking, const struct pod *pod)
{
    return str_eq(pod->owner.kind, "ReplicaSet") && pod->deletion_timestamp == TIME_NONE &&
           !pod_is_ready(pod) && !pod_is_finished(pod) &&
           map_get_str(looking->namespaces, pod->namespace_) != NULL;
}

static bool
any_leads_on(const struct coverage_search *looking, const struct member *member)
{
    for (uint32_t i = 0; i < member->n_pods; i++) {
        if (leads_on(looking, &member->pods[i])) {
            return true;
        }
    }
    return false;
}

static bool
is_told_by_estimator(const struct member_sources *sources, const struct member *member)
{
    const struct estimator_answers *answers = &member->estimator;

    return sources_have(sources, SOURCE_ESTIMATOR) &&
           answers->n_stuck + answers->n_room + answers->n_sets > 0;
}

/* Missing nodes count only if pods are no source: the cluster's status replaces them. */
static const char *
missing_parts(const struct coverage_search *looking, const struct member *member)
{
    const struct member_sources *sources = &looking->policy->sources;

    if (is_told_by_estimator(sources, member)) {
        return "";
    }
    if (!sources_have(sources, SOURCE_PODS)) {
        return sources_have(sources, SOURCE_NODES) && !member->has_nodes ? "nodes" : "";
    }
    if (!member->has_pods) {
        return "pods";
    }
    if ((member->has_replica_sets && member->has_deployments) || !any_leads_on(looking, member)) {
        return "";
    }
    return member->has_replica_sets  ? "deployments"
           : member->has_deployments ? "replicasets"
                                     : "replicasets, deployments";
}

static bool
is_unseen(const struct coverage_search *looking, const struct member *member,
          struct unseen_member *ret)
{
    ret->cluster = member->cluster;
    ret->parts = member->gap.parts;
    ret->message = member->gap.message;
    if (ret->parts == NULL) {
        ret->parts = missing_parts(looking, member);
        ret->message = NOT_GIVEN;
    }
    return !str_is_empty(ret->parts);
}

static const bool *
find_holders(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis)
{
    bool *holds = ARENA_ARRAY(arena, bool, fleet->n_clusters);

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];
        enum left_alone left_alone = diagnosis->bindings[i].left_alone;

        if (left_alone == LEFT_ALONE_OUT_OF_SCOPE || left_alone == LEFT_ALONE_DELETING) {
            continue;
        }
        for (uint32_t t = 0; t < binding->clusters.count; t++) {
            const struct target *target = &binding->clusters.items[t];

            if (target->cluster != CLUSTER_NONE &&
                (target->replicas > 0 || binding_is_set(binding))) {
                holds[target->cluster] = true;
            }
        }
    }
    return holds;
}

static struct map *
bound_namespaces(const struct fleet *fleet)
{
    struct map *namespaces = map_new();
    bool added;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (str_eq(fleet->bindings[i].resource.kind, "Deployment")) {
            map_put_str(namespaces, fleet->bindings[i].resource.namespace_, &added);
        }
    }
    return namespaces;
}

static bool
looks_into_members(const struct member_sources *sources)
{
    return sources_have(sources, SOURCE_PODS) || sources_have(sources, SOURCE_NODES) ||
           sources_have(sources, SOURCE_ESTIMATOR);
}

static bool
is_too_many(const struct limit *allowed, uint32_t missed, uint32_t needed)
{
    int64_t most = allowed->unit == LIMIT_UNIT_PERCENT ? allowed->value * needed / PERCENT
                   : allowed->unit == LIMIT_UNIT_COUNT ? allowed->value
                                                       : LIMIT_OPEN;

    return missed > most;
}

const struct coverage *
coverage_of(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
            const struct policy *policy)
{
    struct coverage *coverage = ARENA_NEW(arena, struct coverage);

    if (!looks_into_members(&policy->sources)) {
        return coverage;
    }
    struct map *namespaces = bound_namespaces(fleet);
    const struct coverage_search looking = {arena, fleet, policy, namespaces};
    const bool *holds = find_holders(arena, fleet, diagnosis);
    struct unseen_member *unseen = ARENA_ARRAY(arena, struct unseen_member, fleet->n_clusters);

    coverage->asked = fleet->n_clusters;
    coverage->unseen = unseen;
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        struct unseen_member *member = &unseen[coverage->n_unseen];
        bool is_needed = diagnosis->clusters[i].ready && holds[i];

        coverage->needed += is_needed ? 1 : 0;
        if (is_unseen(&looking, &fleet->members[i], member)) {
            member->is_ready = diagnosis->clusters[i].ready;
            member->is_missed = is_needed;
            coverage->missed += is_needed ? 1 : 0;
            coverage->n_unseen++;
        }
    }
    coverage->seen = coverage->asked - coverage->n_unseen;
    coverage->is_blind = is_too_many(&policy->allow_unseen, coverage->missed, coverage->needed);
    map_free(namespaces);
    return coverage;
}
