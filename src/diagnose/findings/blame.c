/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides who is to blame for failing pods. The cluster is, if the workload's version is ready in
 * another cluster and does not fail there, or was ready until Ballast moved it here. So is a
 * cluster that fails workloads of others alike, or that the failover behaviour asks to leave for
 * any cause. Otherwise the failure would follow the workload (a broken image crashes everywhere),
 * and moves would only tour the fleet.
 */
#include "diagnose/members/observed.h"
#include "diagnose/owners/owners.h"
#include "findings.h"

#include "ballast/base/str.h"

static const struct observation *
observation_at(const struct blame_question *asked, uint32_t target)
{
    return &asked->observations->items[asked->state->first_target + target];
}

static const struct trouble *
trouble_at(const struct blame_question *asked)
{
    static const struct trouble none = {.revision = "", .is_updated = true};
    const struct trouble *trouble =
        trouble_of(asked->observations, observation_at(asked, asked->target));

    return trouble != NULL ? trouble : &none;
}

static unsigned
classes_at(const struct blame_question *asked)
{
    switch (asked->type) {
    case FINDING_FAILED_REPLICAS:
        return trouble_at(asked)->classes;
    case FINDING_NOT_READY_REPLICAS:
        return trouble_at(asked)->hung;
    case FINDING_NOT_APPLIED:
    case FINDING_PODS_NOT_CREATED:
        return FAILURE_BIT(FAILURE_CREATION);
    default:
        return 0;
    }
}

/* Judges by counts alone: of `replicas` pods, `updated` are of the current version and `ready` are
 * ready. If the two must overlap, a pod of the current version is ready. */
static bool
is_status_proof(const struct binding *binding, const char *cluster_name)
{
    const struct aggregated_status *status = binding_find_status(binding, cluster_name);

    if (status == NULL || !status->applied || status->ready_replicas <= 0) {
        return false;
    }
    if (status->updated_replicas < 0) {
        return status->health == HEALTH_HEALTHY && !str_eq(binding->resource.kind, "Deployment");
    }
    return (int64_t)status->ready_replicas + status->updated_replicas > status->replicas;
}

/* True if some of its pods there fail in one of these ways, past the threshold or not. */
static bool
fails_alike(const struct blame_question *asked, uint32_t target)
{
    const struct trouble *there = trouble_of(asked->observations, observation_at(asked, target));

    return there != NULL &&
           (classes_at(asked) & (there->classes | there->young | there->hung)) != 0;
}

static bool
is_ready_there(const struct blame_question *asked, uint32_t target)
{
    const struct target *other = &asked->binding->clusters.items[target];
    const struct observation *here = observation_at(asked, asked->target);
    const struct observation *there = observation_at(asked, target);

    if (other->cluster == CLUSTER_NONE || !asked->diagnosis->clusters[other->cluster].ready) {
        return false; /* its report may be long outdated */
    }
    if (there->ready_current < 0) {
        return is_status_proof(asked->binding, other->name);
    }
    return there->steady > 0 && !fails_alike(asked, target) &&
           is_same_version(here, trouble_at(asked), there);
}

static const char *
find_witness(const struct blame_question *asked)
{
    const struct target_list *targets = &asked->binding->clusters;
    const char *witness = NULL;

    for (uint32_t i = 0; i < targets->count; i++) {
        const char *name = targets->items[i].name;

        if (i != asked->target && (witness == NULL || strcmp(name, witness) < 0) &&
            is_ready_there(asked, i)) {
            witness = name;
        }
    }
    return witness;
}

static bool
fails_elsewhere(const struct blame_question *asked)
{
    for (uint32_t i = 0; i < asked->binding->clusters.count; i++) {
        if (i != asked->target && fails_alike(asked, i)) {
            return true;
        }
    }
    return false;
}

/* Excludes workloads that Ballast moved there after the same failure: they fail everywhere. */
static bool
is_failing_cluster(const struct blame_question *asked)
{
    const struct target *target = &asked->binding->clusters.items[asked->target];

    return target->cluster != CLUSTER_NONE &&
           (asked->diagnosis->clusters[target->cluster].failing & classes_at(asked)) != 0 &&
           !failed_before_move(asked->binding, target->name, asked->policy, asked->type);
}

struct blame_verdict
find_blame(const struct blame_question *asked)
{
    const char *cluster = asked->binding->clusters.items[asked->target].name;
    const struct observation *here = observation_at(asked, asked->target);
    const struct trouble *trouble = trouble_at(asked);
    const char *witness = find_witness(asked);

    if (witness != NULL) {
        return (struct blame_verdict){BLAME_BY_WITNESS, witness};
    }
    if (trouble->failover_asked) {
        return (struct blame_verdict){BLAME_BY_FAILOVER, ""};
    }
    if (!fails_elsewhere(asked)) {
        witness = asked->type == FINDING_FAILED_REPLICAS
                      ? ready_before_move(asked->binding, cluster, here, trouble, asked->policy)
                      : NULL;
        if (witness != NULL) {
            return (struct blame_verdict){BLAME_BY_RECORD, witness};
        }
        if (is_failing_cluster(asked)) {
            return (struct blame_verdict){BLAME_BY_FAILING_CLUSTER, ""};
        }
    }
    return (struct blame_verdict){BLAME_IS_WORKLOADS, ""};
}

const char *
verdict_text(struct arena *arena, const struct blame_verdict *verdict)
{
    switch (verdict->ground) {
    case BLAME_BY_WITNESS:
        return arena_printf(arena, "the same version is ready in %s", verdict->cluster);
    case BLAME_BY_RECORD:
        return arena_printf(arena, "this version was ready in %s until it was moved here",
                            verdict->cluster);
    case BLAME_BY_FAILING_CLUSTER:
        return "most workloads that were started in this cluster fail alike";
    case BLAME_BY_FAILOVER:
        return "its failover behaviour asks to leave";
    case BLAME_IS_WORKLOADS:
        break;
    }
    return "this version is ready in no other cluster, so moving it will not help";
}
