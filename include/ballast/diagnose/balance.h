/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the wanted split of a binding, and how far a step may go towards it. The split comes
 * from a preference with `rebalance`, a static weight list, the strategy Aggregated, or dynamic
 * weights after the return of a lost cluster. Pure.
 *
 * The wanted split does not depend on the current split, and each step ends between the two: so
 * steps add up, and no step follows the last. Aggregated wants the clusters that have the most, and
 * a step gives these more: so it wants the same afterwards. Dynamic weights are capacities, which
 * change with every event in a cluster. So they count once for each return; only returned clusters
 * gain replicas, and they lose none.
 */
#ifndef BALLAST_DIAGNOSE_BALANCE_H
#define BALLAST_DIAGNOSE_BALANCE_H

#include "ballast/base/arena.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

/* The rule that wants a split. */
struct balance_rule {
    const char *origin;
    const struct preference *preference;      /* NULL: no preference */
    const struct static_weight_list *weights; /* of the placement; NULL: no list */
    bool tiered;  /* an overflow tier gets only what earlier tiers cannot hold */
    bool stays;   /* spread constraints chose the clusters: no other takes part */
    bool gathers; /* into the fewest of its clusters that hold all */
    bool returns; /* by capacity, to clusters that were lost and are back */
    int64_t most; /* replicas; limit of a rule that returns */
};

/* Fills the rule that decides the split of the binding. False if none does. */
bool balance_rule_for(const struct policy *policy, const struct fleet *fleet,
                      const struct binding *binding, struct balance_rule *ret);

/* True if the binding should have a copy in every cluster that passes the filters, as
 * karmada-scheduler places Duplicated bindings. False with spread constraints, which limit the
 * copies; for components; and for bindings of KubeFed. */
bool balance_wants_copies(const struct policy *policy, const struct binding *binding);

/* A cluster that takes part. */
struct balance_row {
    const char *name;
    uint32_t cluster; /* index into fleet->clusters */
    uint32_t tier;    /* overflow tier of the affinity term in use; 0 unless the rule is tiered */
    int64_t current;  /* replicas assigned there */
    int64_t floor;    /* of them: replicas that stay */
    int64_t capacity; /* replicas that it holds when full; REBALANCE_UNKNOWN: unlimited */
    bool is_bound;    /* a finding limits the step to `bound` */
    int64_t bound;    /* replicas that the finding wants there */
    bool receives;    /* may get more now */
    bool returned;    /* balance_has_returned(), if the rule needs it */
    int64_t wanted;   /* out: replicas */
    int64_t plan;     /* out: between current and wanted; the sum stays */
};

/* Fills `wanted` and `plan` of each row. A difference of less than one replica from a cluster's
 * exact share is rounding, and moves nothing. Weights use Webster's method (ties by the binding's
 * uid, as karmada-scheduler), preferences KubeFed's planner. */
void balance_plan(struct arena *scratch, const struct balance_rule *rule, const struct fleet *fleet,
                  const struct binding *binding, struct balance_row *rows, uint32_t count);

/* True if the cluster has a share in the wanted split, even if it may get no replicas yet. Its
 * share goes to no other cluster while it is coming back or briefly away. `lost`: the binding has
 * lost it as a target. A lost cluster has no share, unless the guard keeps it: then it may well be
 * there. */
bool balance_counts(const struct cluster *cluster, const struct cluster_health *health, bool lost);
/* Returns the replicas of a target that stay: the ready ones, unless running replicas may move. All
 * stay if the pods are not seen, or if the cluster may receive none now. */
int64_t balance_floor(const struct policy *policy, const struct cluster_health *health,
                      const struct target_state *state, int32_t assigned);
/* True if the cluster has been Ready for long enough to get replicas back. */
bool balance_is_settled(const struct policy *policy, const struct cluster *cluster);

/* True if a run moved replicas of the binding out of the cluster when it was lost, and the cluster
 * is well. False once a later division gave it a share. The cluster counts as returned for
 * cooldown.max from when it became ready, or from that move if that was later. */
bool balance_has_returned(const struct policy *policy, const struct cluster *cluster,
                          const struct cluster_health *health, const struct binding *binding);

/* Returns how many replicas a returned cluster may get: the number that a limit deferred from a
 * first step, else INT64_MAX. A capacity reported before that step would ask for some of them
 * twice. */
int64_t balance_return_most(const struct binding *binding);

/* Returns the largest weight of the rules that select the cluster, as karmada-scheduler does; 0 if
 * no rule selects it. */
int64_t static_weight_of(const struct static_weight_list *weights, const struct cluster *cluster);

#endif
