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
#ifndef BALLAST_SCHEDULE_H
#define BALLAST_SCHEDULE_H

#include "ballast/arena.h"
#include "ballast/error.h"
#include "ballast/fleet.h"
#include "ballast/policy.h"

struct scheduler;

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
};

/* All filters for one cluster, with upstream's exemptions for clusters that are already targets.
 * `affinity_name` is the term of clusterAffinities to use, "" for none. */
enum filter_verdict scheduler_filter(struct scheduler *scheduler, const struct binding *binding,
                                     const char *affinity_name, uint32_t cluster);
/* Upstream's text for a verdict, such as "cluster(s) had untolerated taint {a=b:NoSchedule}". */
const char *scheduler_filter_reason(struct scheduler *scheduler, const struct binding *binding,
                                    enum filter_verdict verdict, uint32_t cluster,
                                    struct arena *arena);

/* The name of the term a binding observes now (status.schedulerObservingAffinityName, else the
 * first term's, "" without terms). */
const char *schedule_observed_affinity(const struct binding *binding);

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
    enum division division; /* WEBSTER is upstream's; PROPORTIONAL Karmada 0.8's rules */

    /* beyond parity; zero for upstream's answer */
    const bool *excluded;  /* by cluster index: no candidates and no targets; NULL: none */
    const bool *pinned;    /* by cluster index: feasible whatever the filters say, and kept by the
                              selection; NULL: none */
    bool partial;          /* too little room is no error: what fits is placed */
    bool keep_current;     /* static weights: as long as `current` does not exceed `replicas`, it is
                              the floor, and only what is missing is divided, with the current
                              replicas as initial seats */
    bool respect_capacity; /* static weights: no cluster gets more on top of `current` than fits;
                              what a full one would get goes to the others of the list */
};

enum schedule_failure {
    SCHEDULE_OK,
    SCHEDULE_FIT_ERROR,           /* "FitError" */
    SCHEDULE_UNSCHEDULABLE_ERROR, /* "UnschedulableError" */
    SCHEDULE_OTHER_ERROR,         /* "Error" */
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

/* Whether and why karmada-scheduler would schedule a binding (vectors: trigger). */
enum schedule_trigger {
    TRIGGER_NONE,
    TRIGGER_PLACEMENT_CHANGED,
    TRIGGER_REPLICAS_CHANGED,
    TRIGGER_RESCHEDULE,
    TRIGGER_ALWAYS,
    TRIGGER_TERMINATING_CLUSTER,
};
enum schedule_trigger schedule_trigger(const struct fleet *fleet, const struct binding *binding);
const char *schedule_trigger_name(enum schedule_trigger trigger); /* "placementChanged", ... */
/* The parts that findings are made of. */
bool schedule_placement_changed(const struct binding *binding);
bool schedule_replicas_changed(const struct binding *binding);

#endif
