/* SPDX-License-Identifier: Apache-2.0
 *
 * One scheduling decision as karmada-scheduler makes it (pkg/scheduler/core of
 * the v1.19 development branch): filter, score, select, assign, over the terms
 * of the placement. Pure; what is shared between bindings of one placement and
 * kind is cached in the scheduler.
 *
 * Ballast's own planning uses the same code with a few bounds that are off for
 * parity: clusters that are excluded, clusters that must stay, and room that
 * need not suffice.
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

/* Caches live in `arena`. */
struct scheduler *scheduler_new(struct arena *arena, const struct fleet *fleet);

/* Why a cluster was refused, in the order in which we look. */
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

/* From now on the filters look at workload affinity groups as well, with mates where these say.
 * NULL: there are none. */
void scheduler_heed_groups(struct scheduler *scheduler, struct workload_groups *groups);

/* Over how many regions targets with replicas are spread; of a cluster that is gone or has none
 * it is not known. */
int64_t scheduler_count_regions(struct scheduler *scheduler, const struct target_list *targets);

/* All filters for one cluster, with upstream's exemptions for clusters that are already targets.
 * `affinity_name` is the term of clusterAffinities to use, "" for none. */
enum filter_verdict scheduler_filter(struct scheduler *scheduler, const struct binding *binding,
                                     const char *affinity_name, uint32_t cluster);
/* Of these clusters those that it passes, in their order; returns how many. */
uint32_t scheduler_list_passed(struct scheduler *scheduler, const struct binding *binding,
                               const char *affinity_name, uint32_t *clusters, uint32_t count);
/* The name of a verdict: upstream's plugin, "TaintToleration"; "" of FILTER_PASSED. */
const char *filter_verdict_name(enum filter_verdict verdict);
/* Upstream's text for a verdict, such as "cluster(s) had untolerated taint {a=b:NoSchedule}"; of a
 * group, with the mate that led to it. */
const char *scheduler_filter_reason(struct scheduler *scheduler, const struct binding *binding,
                                    enum filter_verdict verdict, uint32_t cluster,
                                    struct arena *arena);

/* The verdict is about where the mates of the binding are. */
bool filter_heeds_mates(enum filter_verdict verdict);

/* The first term of a name; NULL when there is none. */
const struct affinity_term *placement_find_term(const struct placement *placement,
                                                const char *name);
/* The name of the term a binding observes now (status.schedulerObservingAffinityName, else the
 * first term's, "" without terms). */
const char *schedule_observed_affinity(const struct binding *binding);
/* The name of the term that its targets belong to: the observed one, or the first that all of them
 * are in where some are outside of that. The scheduler alone can write which term it observes; a
 * binding that Ballast moved to another term is recognised by where it is. */
const char *schedule_affinity_in_use(const struct fleet *fleet, const struct binding *binding);

/* The overflow tier of that term which the cluster is in: 0 for the term's own clusters, and where
 * there are no tiers. The binding has a placement. */
uint32_t schedule_overflow_order(const struct binding *binding, const char *affinity,
                                 const struct cluster *cluster);

/* Where capacity comes from: how many more replicas of `requirements` (NULL: none given) fit into a
 * cluster. Never negative. */
struct capacity {
    int32_t (*available)(void *context, uint32_t cluster, const struct requirements *requirements);
    void *context;
};

struct schedule_request {
    const struct binding *binding;
    int32_t replicas;           /* to be assigned in all; upstream: spec.replicas */
    struct target_list current; /* taken as spec.clusters */
    bool fresh;                 /* upstream: binding_reschedule_required */
    struct capacity capacity;

    /* Beyond parity; zero for upstream's answer. */

    /* By cluster index; NULL: none. Excluded clusters do not exist for this decision: they are no
     * candidates and no targets (what `current` has there is placed again). Only the text of a
     * FitError counts them, as "cluster(s) were excluded". Stronger than `pinned`. */
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

    /* Further clusters that keep replicas, and that nobody knows: they count for maxGroups. */
    uint32_t n_gone;

    /* Too little room is no error, neither in selection nor in assignment: what fits is placed, and
     * `unplaced` says how many replicas did not. Fewer clusters or regions than minGroups are still
     * an error, unless some are pinned: then what there is has to do. With several affinity terms
     * one that holds all replicas is preferred, then the one that leaves the fewest over. */
    bool partial;

    /* Spread constraints that the clusters which are there cannot meet do not keep replicas from a
     * place: fewer clusters or regions than minGroups do, and a field that upstream does not select
     * by is left out. */
    bool degraded;

    /* The term to begin with; NULL: the one that the binding observes. `fresh`, which begins with
     * the first, is stronger; unless `stay_in_term` is set. */
    const char *affinity_name;

    /* Only the term to begin with is tried: what stays there belongs to it, and a binding does not
     * live in two terms at once. */
    bool stay_in_term;

    /* What runs stays, as in Steady mode, where upstream would divide all replicas anew:
     * - static weights: as long as `current` does not exceed `replicas`, it is the floor, and only
     *   what is missing is divided, with the current replicas as initial seats; where it does, what
     *   stays is divided by the weights, and no cluster gets more than it has;
     * - overflow tiers, whatever the strategy: each keeps what it has. What is missing goes to the
     *   first that has room; where `current` exceeds `replicas`, the last tiers lose what is over.
     */
    bool keep_current;

    /* Selected clusters that get no replicas are targets with 0, as with karmada-scheduler's
     * --enable-empty-workload-propagation. */
    bool keep_empty;

    /* Static weights: no cluster gets more on top of `current` than fits; what a full one would get
     * goes to the others of the list. What fits nowhere is an UnschedulableError, or with `partial`
     * unplaced. */
    bool respect_capacity;

    /* By cluster index; NULL: all have the same. Aggregated: clusters of an earlier turn (0, 1 or
     * 2) are filled before those of a later one, whatever their room. Fresh divisions alone. */
    const uint8_t *turns;

    /* KubeFed's own; the others do not look at them. */
    const struct preference *preference; /* that is for the binding; NULL: all weigh the same */
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
    SCHEDULE_UNSEEN_ERROR,        /* "ReadyReplicasUnknown": KubeFed plans nothing then */
    SCHEDULE_OTHER_ERROR,         /* "SchedulingError" */
};

struct schedule_result {
    enum schedule_failure failure;
    const char *message;        /* upstream's text, "" when OK */
    const char *affinity_name;  /* the term that won, "" without terms or when failed */
    struct target_list targets; /* sorted by name, without entries of 0 replicas (non-workloads:
                                   replicas 0, kept) */
    int32_t unplaced;           /* with `partial`: replicas that found no room */
};

/* The result lives in `arena`. */
void schedule(struct scheduler *scheduler, struct arena *arena,
              const struct schedule_request *request, struct schedule_result *ret);

/* Likewise, as that scheduler would. Of the request Karmada 0.8 and KubeFed read the binding,
 * `replicas`, `current` and what is theirs alone, and what they leave without replicas is a target
 * with 0. */
void schedule_as(enum upstream_scheduler upstream, struct scheduler *scheduler, struct arena *arena,
                 const struct schedule_request *request, struct schedule_result *ret);

/* The request that karmada-scheduler would make of a binding. */
struct schedule_request schedule_request_as_upstream(const struct binding *binding,
                                                     struct capacity capacity);

/* Why karmada-scheduler would schedule a binding anew, by its placement or its replicas. */
bool schedule_placement_changed(const struct binding *binding);
/* Its placement is another one than that, by the same rule. */
bool schedule_placement_differs(const struct binding *binding, const struct placement *other);
/* How far Ballast has divided it for its placement, by ANNOTATION_PLACED_FOR, which upstream does
 * not know. */
enum reschedule_state schedule_placement_state(const struct binding *binding);
bool schedule_replicas_changed(const struct binding *binding);

#endif
