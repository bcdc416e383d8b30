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

/* Returns a scheduler for a fleet, which outlives it; it and its caches are in `arena`. */
struct scheduler *scheduler_new(struct arena *arena, const struct fleet *fleet);

/* Why a cluster was refused, in the order of the filters. */
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

/* Makes the filters also heed workload affinity groups, with the clusters that `groups` has for the
 * other bindings; NULL: no groups. */
void scheduler_heed_groups(struct scheduler *scheduler, struct workload_groups *groups);

/* Returns how many regions have targets with replicas, without clusters that are gone. */
int64_t scheduler_count_regions(struct scheduler *scheduler, const struct target_list *targets);

/* Returns the verdict of all filters on one cluster, with upstream's exemptions for clusters that
 * are targets. `affinity_name`: term of clusterAffinities to use; "": none. */
enum filter_verdict scheduler_filter(struct scheduler *scheduler, const struct binding *binding,
                                     const char *affinity_name, uint32_t cluster);
/* Keeps those of `count` clusters that pass all filters, in their order, and returns their number.
 * `affinity_name`: term of clusterAffinities to use; "": none. */
uint32_t scheduler_list_passed(struct scheduler *scheduler, const struct binding *binding,
                               const char *affinity_name, uint32_t *clusters, uint32_t count);
/* Returns the name of a verdict: upstream's plugin, "TaintToleration"; "" for FILTER_PASSED. */
const char *filter_verdict_name(enum filter_verdict verdict);
/* Returns upstream's text for a verdict, such as "cluster(s) had untolerated taint
 * {a=b:NoSchedule}". For a workload affinity group, also names a binding that caused it. A
 * constant, or in `arena`. */
const char *scheduler_filter_reason(struct scheduler *scheduler, const struct binding *binding,
                                    enum filter_verdict verdict, uint32_t cluster,
                                    struct arena *arena);

/* True if a verdict depends on the clusters of the other bindings in the group. */
bool filter_heeds_affinity_group(enum filter_verdict verdict);

/* Returns the first affinity term of that name; NULL if there is none. */
const struct affinity_term *placement_find_term(const struct placement *placement,
                                                const char *name);
/* Returns the name of the term that a binding observes: status.schedulerObservingAffinityName, else
 * the first term's; "": no terms. */
const char *schedule_observed_affinity(const struct binding *binding);
/* Returns the name of the term that the targets belong to: the observed one, or, if some targets
 * are outside of it, the first that has all. Only the scheduler can write the observed term, so the
 * targets show that Ballast has moved a binding to another term. */
const char *schedule_affinity_in_use(const struct fleet *fleet, const struct binding *binding);

/* Returns a cluster's overflow tier in a term: 0 for the term's own clusters, and without tiers;
 * 1000 for a cluster in no tier. The binding has a placement. */
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
    int32_t replicas;           /* in all; upstream: spec.replicas */
    struct target_list current; /* instead of spec.clusters */
    bool fresh;                 /* upstream: binding_reschedule_required */
    struct capacity capacity;

    /* Beyond upstream; zero for upstream's answer. */

    /* By cluster index; NULL: none. Excluded clusters do not exist for this decision: they are no
     * candidates and no targets (replicas that `current` has there are placed again). Only the text
     * of a FitError counts them, as "cluster(s) were excluded". Stronger than `pinned`. */
    const bool *excluded;

    /* By cluster index; NULL: none. Pinned clusters keep running replicas. They are feasible
     * despite the filters, and always selected:
     * - by cluster: they come first and are never exchanged for clusters with more capacity. If
     *   they exceed maxGroups, only they are used;
     * - by region: every combination has their regions; if none is left, only their regions are
     *   used. In the regions they come first despite maxGroups. maxGroups of clusters leaves the
     *   other regions only the rest.
     * So they keep their replicas in Steady divisions that do not scale down, and in static ones
     * with `keep_current`. */
    const bool *pinned;

    /* Clusters with replicas that are not in the fleet: they count for maxGroups. */
    uint32_t n_gone;

    /* Missing capacity is no error, neither in selection nor in assignment: replicas that fit are
     * placed, and `unplaced` counts the others. Fewer clusters or regions than minGroups are still
     * an error, unless some are pinned. Of several affinity terms, one that holds all replicas
     * comes first, then the one that leaves the fewest unplaced. */
    bool partial;

    /* Spread constraints that the clusters cannot meet keep no replicas unplaced: fewer clusters or
     * regions than minGroups are enough. Ignores fields that upstream cannot select by. */
    bool degraded;

    /* Term to begin with; NULL: the observed one. `fresh` begins with the first term instead,
     * unless `stay_in_term` is set. */
    const char *affinity_name;

    /* Tries only the term to begin with: a binding is not in two terms, and replicas stay there. */
    bool stay_in_term;

    /* Running replicas stay, as in Steady mode, where upstream would divide all replicas again:
     * - static weights: up to `replicas`, `current` is the minimum, and only missing replicas are
     *   divided. Beyond, the weights divide the replicas that stay, and no cluster gets more;
     * - overflow tiers, with any strategy: each keeps its replicas. Missing ones go to the first
     *   tier with capacity; the last tiers lose an excess. */
    bool keep_current;

    /* Selected clusters without replicas are targets with 0, as with karmada-scheduler's
     * --enable-empty-workload-propagation. */
    bool keep_empty;

    /* Static weights: no cluster gets more on top of `current` than fits; others on the list get
     * the rest. Replicas that fit nowhere are an UnschedulableError, or with `partial` unplaced. */
    bool respect_capacity;

    /* By cluster index; NULL: all have one turn. Aggregated: clusters of an earlier turn (0, 1 or
     * 2) are filled before those of a later one, whatever their capacity. Fresh divisions only. */
    const uint8_t *turns;

    /* Only for KubeFed's scheduler. */
    const struct preference *preference; /* the binding's; NULL: equal weights */
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
    const char *message;        /* upstream's text; "": OK */
    const char *affinity_name;  /* the chosen term; "": no terms, or failed */
    struct target_list targets; /* sorted by name; 0 replicas only of non-workloads */
    int32_t unplaced;           /* with `partial`: replicas that fit nowhere */
};

/* Decides as karmada-scheduler would, into *ret; its lists and texts are in `arena`. */
void schedule(struct scheduler *scheduler, struct arena *arena,
              const struct schedule_request *request, struct schedule_result *ret);

/* Decides as that scheduler would, into *ret; its lists and texts are in `arena`. Karmada 0.8 and
 * KubeFed read only the binding, `replicas`, `current` and their own fields of the request. They
 * keep clusters without replicas as targets with 0. */
void schedule_as(enum upstream_scheduler upstream, struct scheduler *scheduler, struct arena *arena,
                 const struct schedule_request *request, struct schedule_result *ret);

/* Returns the request that karmada-scheduler would make for a binding. */
struct schedule_request schedule_request_as_upstream(const struct binding *binding,
                                                     struct capacity capacity);

/* True if karmada-scheduler would reschedule a binding because its placement changed. */
bool schedule_placement_changed(const struct binding *binding);
/* True if a binding's placement differs from `other` by karmada-scheduler's rule, which compares
 * only the affinity term in use. */
bool schedule_placement_differs(const struct binding *binding, const struct placement *other);
/* Returns how far Ballast has divided a binding for its placement, by ANNOTATION_PLACED_FOR. */
enum reschedule_state schedule_placement_state(const struct binding *binding);
/* True if karmada-scheduler would reschedule a binding because its replicas do not add up to
 * spec.replicas (Duplicated: because a target has another number). */
bool schedule_replicas_changed(const struct binding *binding);

#endif
