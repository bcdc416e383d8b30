/* SPDX-License-Identifier: Apache-2.0
 *
 * Back towards the wanted split: what a preference with `rebalance`, a static weight
 * list, the strategy Aggregated, or dynamic weights once a lost cluster has returned
 * want of a binding's clusters, and how much of the way it may go. Pure.
 *
 * What is wanted does not depend on what is there, and each step leads between
 * what is there and what is wanted, never beyond: so steps add up, and the last
 * one is followed by none. Aggregated wants the clusters that have the most, and
 * a step gives these more: so it wants the same afterwards. Dynamic weights are
 * rooms, which change with all that happens in a cluster: so they are asked once for
 * each return, only clusters that returned are given any, and these lose none.
 */
#ifndef BALLAST_DIAGNOSE_BALANCE_H
#define BALLAST_DIAGNOSE_BALANCE_H

#include "ballast/base/arena.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

/* Who wants it. */
struct balance_rule {
    const char *origin;
    const struct preference *preference;      /* NULL: */
    const struct static_weight_list *weights; /* of the placement */
    bool tiered;  /* overflow tiers are wanted only for what the ones before have no room for */
    bool stays;   /* spread constraints chose the clusters: no other one takes part */
    bool gathers; /* into as few of the clusters that it is in as hold all */
    bool returns; /* by their room, to clusters that were lost and are back: */
    int64_t most; /* so many at most; of a rule that returns */
};

/* false when nobody wants another split of the binding than the one it has, whichever that is. */
bool balance_rule_for(const struct policy *policy, const struct fleet *fleet,
                      const struct binding *binding, struct balance_rule *ret);

/* As karmada-scheduler, which places Duplicated in every cluster that passes the filters: it is to
 * have a copy in each. With spread constraints it is in as many as it may be; components, and what
 * KubeFed places, are left as they are. */
bool balance_wants_copies(const struct policy *policy, const struct binding *binding);

/* A cluster that takes part. */
struct balance_row {
    const char *name;
    uint32_t cluster; /* index into fleet->clusters */
    uint32_t tier;    /* of the affinity term in use; 0 unless the rule is tiered */
    int64_t current;  /* replicas assigned there */
    int64_t floor;    /* of them, those that stay */
    int64_t capacity; /* what it holds when full; REBALANCE_UNKNOWN: unlimited */
    bool is_bound;    /* by a finding, beyond which no step goes: */
    int64_t bound;    /* what it wants there */
    bool receives;    /* may be given more now */
    bool returned;    /* balance_has_returned; of a rule that asks for it */
    int64_t wanted;   /* out */
    int64_t plan;     /* out: between current and wanted; the sum stays */
};

/* Differences of less than one replica from a cluster's exact share are rounding, which nobody
 * moves a replica for. Webster's method for weights (ties by the binding's uid, as
 * karmada-scheduler), KubeFed's planner for preferences. */
void balance_plan(struct arena *scratch, const struct balance_rule *rule, const struct fleet *fleet,
                  const struct binding *binding, struct balance_row *rows, uint32_t count);

/* The cluster counts in what is wanted, whether or not it may be given any now: what is meant for
 * one that is coming back, or is away for a moment, goes nowhere else meanwhile. One that is lost
 * (`lost`: to this binding, whose target it is) does not, unless it is the guard that keeps it:
 * then it may well be there. */
bool balance_counts(const struct cluster *cluster, const struct cluster_health *health, bool lost);
/* Replicas of a target that stay: those that are ready, unless what runs may be moved; all of them
 * where the pods are not seen, or in a cluster that may receive none now. */
int64_t balance_floor(const struct policy *policy, const struct cluster_health *health,
                      const struct target_state *state, int32_t assigned);
/* The cluster has been Ready for long enough to be given replicas back. */
bool balance_is_settled(const struct policy *policy, const struct cluster *cluster);

/* Replicas of the binding were moved out of the cluster as it was lost, by what runs noted on it;
 * now it is well, and the binding was not divided anew since with a share for it. It counts as
 * returned for cooldown.max from when it became ready, or from that move if this was later. */
bool balance_has_returned(const struct policy *policy, const struct cluster *cluster,
                          const struct cluster_health *health, const struct binding *binding);

/* How many replicas it may be given then: what a limit left behind of a first step, else all that
 * it lacks (INT64_MAX). A room that was reported before that step would ask for some of them twice.
 */
int64_t balance_return_most(const struct binding *binding);

/* As karmada-scheduler: the largest weight of the rules that select the cluster; 0 when none does.
 */
int64_t static_weight_of(const struct static_weight_list *weights, const struct cluster *cluster);

#endif
