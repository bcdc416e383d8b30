/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is to blame where pods fail. The cluster is, where the same version of the
 * workload is ready in another cluster and does not fail there as well; where it
 * was ready until Ballast moved it here; where the cluster fails what others
 * start there, too; or where the workload's failover behaviour asks to leave
 * whatever the cause. Else the failure would follow the workload (a broken image
 * crashes everywhere), and moving it would only tour the fleet.
 */
#include "parts.h"

#include "ballast/base/str.h"

static const struct observation *
observation_at(const struct blame_question *asked, uint32_t target)
{
    return &asked->observations->items[asked->state->first_target + target];
}

/* Only counts are known: of `replicas` pods `updated` are of the current version and `ready` are
 * ready. When the two overlap for sure, one of the current version is ready. */
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

/* Some of its pods there fail in the same way, however long they have. */
static bool
fails_alike(const struct blame_question *asked, uint32_t target)
{
    const struct trouble *here =
        trouble_of(asked->observations, observation_at(asked, asked->target));
    const struct trouble *there = trouble_of(asked->observations, observation_at(asked, target));

    return there != NULL && (here->classes & (there->classes | there->young)) != 0;
}

static bool
is_ready_there(const struct blame_question *asked, uint32_t target)
{
    const struct target *other = &asked->binding->clusters.items[target];
    const struct observation *here = observation_at(asked, asked->target);
    const struct observation *there = observation_at(asked, target);

    if (other->cluster == CLUSTER_NONE || !asked->diagnosis->clusters[other->cluster].ready) {
        return false; /* what it says may be long over */
    }
    if (there->ready_current < 0) {
        return is_status_proof(asked->binding, other->name);
    }
    return there->steady > 0 && !fails_alike(asked, target) &&
           is_same_version(here, trouble_of(asked->observations, here), there);
}

/* The first by name of the clusters where the same version is ready; NULL: there is none. */
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

/* The cluster fails in the way in which this workload does, and not this one everywhere. */
static bool
is_failing_cluster(const struct blame_question *asked)
{
    const struct target *target = &asked->binding->clusters.items[asked->target];
    const struct trouble *trouble =
        trouble_of(asked->observations, observation_at(asked, asked->target));

    return target->cluster != CLUSTER_NONE &&
           (asked->diagnosis->clusters[target->cluster].failing & trouble->classes) != 0 &&
           !failed_before_move(asked->binding, target->name, asked->policy);
}

struct blame_verdict
find_blame(const struct blame_question *asked)
{
    const char *cluster = asked->binding->clusters.items[asked->target].name;
    const struct observation *here = observation_at(asked, asked->target);
    const char *witness = find_witness(asked);

    if (witness != NULL) {
        return (struct blame_verdict){BLAME_BY_WITNESS, witness};
    }
    if (trouble_of(asked->observations, here)->failover_asked) {
        return (struct blame_verdict){BLAME_BY_FAILOVER, ""};
    }
    if (!fails_elsewhere(asked)) {
        witness = ready_before_move(asked->binding, cluster, here,
                                    trouble_of(asked->observations, here), asked->policy);
        if (witness != NULL) {
            return (struct blame_verdict){BLAME_BY_RECORD, witness};
        }
        if (is_failing_cluster(asked)) {
            return (struct blame_verdict){BLAME_BY_FAILING_CLUSTER, ""};
        }
    }
    return (struct blame_verdict){BLAME_IS_WORKLOADS, ""};
}
