/* SPDX-License-Identifier: Apache-2.0
 *
 * One scheduling decision as karmada-scheduler makes it (pkg/scheduler/core of
 * the v1.19 development branch): filter, score, select, assign, over the terms
 * of the placement. Pure; the scheduler caches answers that bindings of one placement and kind
 * share.
 *
 * Ballast's own planning uses this code with options that are off for parity: excluded clusters,
 * clusters that must stay, and capacity that need not suffice.
 */
#ifndef BALLAST_SCHEDULE_SCHEDULE_H
#define BALLAST_SCHEDULE_SCHEDULE_H

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

struct scheduler;
struct workload_groups;

/* Returns a scheduler for a fleet; it and its caches live in `arena`. The fleet outlives it. */
struct scheduler *scheduler_new(struct arena *arena, const struct fleet *fleet);

/* Why a cluster was refused; the filters are asked in this order. */
enum filter_verdict {
    FILTER_PASSED,
    FILTER_DELETING,
    FILTER_API_ENABLEMENT,
    FILTER_TAINT_TOLERATION,
    FILTER_CLUSTER_AFFINITY,
    FILTER_SPREAD_CONSTRAINT,
    FILTER_CLUSTER_EVICTION,
    FILTER_WORKLOAD_AFFINITY,
    FILTER_WORKLOAD_ANTI_AFFINITY,
    N_FILTER_VERDICTS,
};

/* Makes the filters look at workload affinity groups as well, with the other bindings of a group
 * where `groups` says; NULL: there are none. */
void scheduler_heed_groups(struct scheduler *scheduler, struct workload_groups *groups);

/* Returns over how many regions the targets with replicas are spread. A cluster that is gone, or
 * has no region, does not count. */
int64_t scheduler_count_regions(struct scheduler *scheduler, const struct target_list *targets);

/* Returns the verdict of all filters on one cluster, with upstream's exemptions for clusters that
 * are already targets. `affinity_name` is the term of clusterAffinities to use; "": none. */
enum filter_verdict scheduler_filter(struct scheduler *scheduler, const struct binding *binding,
                                     const char *affinity_name, uint32_t cluster);
/* Keeps those of `count` clusters that pass all filters, in their order, and returns their number.
 * `affinity_name` is the term of clusterAffinities to use; "": none. */
uint32_t scheduler_list_passed(struct scheduler *scheduler, const struct binding *binding,
                               const char *affinity_name, uint32_t *clusters, uint32_t count);
/* Returns the name of a verdict: upstream's plugin, "TaintToleration"; "": FILTER_PASSED. */
const char *filter_verdict_name(enum filter_verdict verdict);
/* Returns upstream's text for a verdict, such as "cluster(s) had untolerated taint
 * {a=b:NoSchedule}"; for a workload affinity group also the mate that led to it. A constant, or in
 * `arena`. */
const char *scheduler_filter_reason(struct scheduler *scheduler, const struct binding *binding,
                                    enum filter_verdict verdict, uint32_t cluster,
                                    struct arena *arena);

/* True if a verdict depends on where the other bindings of its group are. */
bool filter_heeds_affinity_group(enum filter_verdict verdict);

/* Returns the first affinity term of that name; NULL: there is none. */
const struct affinity_term *placement_find_term(const struct placement *placement,
                                                const char *name);
/* Returns the name of the term that a binding observes now: status.schedulerObservingAffinityName,
 * else the first term's; "": it has no terms. */
const char *schedule_observed_affinity(const struct binding *binding);
/* Returns the name of the term that the targets belong to: the observed one, or, if some are
 * outside of it, the first that has all of them. Only the scheduler can write which term it
 * observes, so a binding that Ballast moved to another term is recognised by its targets. */
const char *schedule_affinity_in_use(const struct fleet *fleet, const struct binding *binding);

/* Returns the overflow tier of a term that a cluster is in: 0 for the term's own clusters, and if
 * there are no tiers; 1000 for a cluster in none. The binding has a placement. */
uint32_t schedule_overflow_order(const struct binding *binding, const char *affinity,
                                 const struct cluster *cluster);

/* A source of capacity: how many more replicas of `requirements` (NULL: none given) fit into a
 * cluster. Never negative. */
struct capacity {
    int32_t (*available)(void *context, uint32_t cluster, const struct requirements *requirements);
    void *context;
};

struct schedule_request {
    const struct binding *binding;
    int32_t replicas;           /* to be assigned in all; upstream: spec.replicas */
    struct target_list current; /* counts as spec.clusters */
    bool fresh;                 /* upstream: binding_reschedule_required */
    struct capacity capacity;

    /* Beyond parity; zero for upstream's answer. */

    /* By cluster index; NULL: none. Excluded clusters do not exist for this decision: they are no
     * candidates and no targets (replicas that `current` has there are placed again). Only the text
     * of a FitError counts them, as "cluster(s) were excluded". Stronger than `pinned`. */
    const bool *excluded;

    /* By cluster index; NULL: none. Pinned clusters, those that keep running replicas, are feasible
     * whatever the filters say, and always selected:
     * - by cluster they are taken first and never exchanged for roomier ones, and if there are
     *   more of them than maxGroups, only they are used;
     * - by region their regions are part of every combination, and where that leaves none, only
     *   their regions are used; within the regions they are taken first, whatever maxGroups says,
     *   and with maxGroups of clusters leave only what is over to other regions.
     * Being selected, they keep their replicas in all Steady divisions that do not scale down, and
     * in static ones with `keep_current`. */
    const bool *pinned;

    /* Clusters that keep replicas but are not in the fleet: they count for maxGroups. */
    uint32_t n_gone;

    /* Too little capacity is no error, neither in selection nor in assignment: replicas that fit
     * are placed, and `unplaced` counts the others. Fewer clusters or regions than minGroups are
     * still an error, unless some are pinned. Of several affinity terms, one that holds all
     * replicas comes first, then the one that leaves the fewest unplaced. */
    bool partial;

    /* Spread constraints that the clusters cannot meet do not keep replicas unplaced: fewer
     * clusters or regions than minGroups are enough, and a field that upstream does not select by
     * is left out. */
    bool degraded;

    /* The term to begin with; NULL: the one that the binding observes. `fresh` begins with the
     * first term instead, unless `stay_in_term` is set. */
    const char *affinity_name;

    /* Only the term to begin with is tried: replicas that stay belong to it, and a binding is not
     * in two terms at once. */
    bool stay_in_term;

    /* Running replicas stay, as in Steady mode, where upstream would divide all replicas anew:
     * - static weights: while `current` does not exceed `replicas`, it is the floor, and only
     *   missing replicas are divided, with the current ones as initial replicas; else the replicas
     *   that stay are divided by the weights, and no cluster gets more than it has;
     * - overflow tiers, whatever the strategy: each keeps its replicas. Missing ones go to the
     *   first tier with capacity; where `current` exceeds `replicas`, the last tiers lose the
     *   excess. */
    bool keep_current;

    /* Selected clusters that get no replicas are targets with 0, as with karmada-scheduler's
     * --enable-empty-workload-propagation. */
    bool keep_empty;

    /* Static weights: no cluster gets more on top of `current` than fits; the share of a full one
     * goes to the others of the list. Replicas that fit nowhere are an UnschedulableError, or with
     * `partial` unplaced. */
    bool respect_capacity;

    /* By cluster index; NULL: all have one turn. Aggregated: clusters of an earlier turn (0, 1 or
     * 2) are filled before those of a later one, whatever their capacity. Fresh divisions only. */
    const uint8_t *turns;

    /* Only for KubeFed's scheduler. */
    const struct preference *preference; /* the binding's; NULL: all weigh the same */
    const struct target_state *states;   /* parallel to `current` */
    int64_t now;
};

enum schedule_failure {
    SCHEDULE_OK,
    SCHEDULE_FIT_ERROR,           /* "FitError" */
    SCHEDULE_UNSCHEDULABLE_ERROR, /* "UnschedulableError" */
    SCHEDULE_SPREAD_ERROR,        /* "SpreadConstraintError"; upstream has no name for these */
    SCHEDULE_CLUSTER_ERROR,       /* "NoClusterError" */
    SCHEDULE_STRATEGY_ERROR,      /* "UnsupportedStrategyError" */
    SCHEDULE_UNSEEN_ERROR,        /* "ReadyReplicasUnknown": KubeFed then plans nothing */
    SCHEDULE_OTHER_ERROR,         /* "SchedulingError" */
};

struct schedule_result {
    enum schedule_failure failure;
    const char *message;        /* upstream's text, "" when OK */
    const char *affinity_name;  /* the chosen term; "" without terms or when failed */
    struct target_list targets; /* sorted by name, without entries of 0 replicas (non-workloads:
                                   replicas 0, kept) */
    int32_t unplaced;           /* with `partial`: replicas that fit nowhere */
};

/* Makes one decision as karmada-scheduler would, into *ret; its lists and texts live in `arena`. */
void schedule(struct scheduler *scheduler, struct arena *arena,
              const struct schedule_request *request, struct schedule_result *ret);

/* Makes one decision as that scheduler would, into *ret; its lists and texts live in `arena`.
 * Karmada 0.8 and KubeFed read only the binding, `replicas`, `current` and their own fields of the
 * request, and keep clusters without replicas as targets with 0. */
void schedule_as(enum upstream_scheduler upstream, struct scheduler *scheduler, struct arena *arena,
                 const struct schedule_request *request, struct schedule_result *ret);

/* Returns the request that karmada-scheduler would make for a binding. */
struct schedule_request schedule_request_as_upstream(const struct binding *binding,
                                                     struct capacity capacity);

/* True if karmada-scheduler would schedule a binding anew because its placement changed. */
bool schedule_placement_changed(const struct binding *binding);
/* True if a binding's placement differs from `other` by karmada-scheduler's rule, which compares
 * only the affinity term in use. */
bool schedule_placement_differs(const struct binding *binding, const struct placement *other);
/* Returns how far Ballast has divided a binding for its placement, by ANNOTATION_PLACED_FOR, which
 * upstream does not know. */
enum reschedule_state schedule_placement_state(const struct binding *binding);
/* True if karmada-scheduler would schedule a binding anew because its replicas do not add up to
 * spec.replicas (Duplicated: because a target has another number). */
bool schedule_replicas_changed(const struct binding *binding);

#endif
