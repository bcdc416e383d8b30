/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans a changed fleet as a run would: clusters before and after, and the steps of a drain. Pure.
 */
#ifndef BALLAST_SIMULATE_SIMULATE_H
#define BALLAST_SIMULATE_SIMULATE_H

#include "ballast/plan/trace.h"
#include "ballast/simulate/repairs.h"
#include "ballast/simulate/survival.h"

/* A cluster before or after the changes. */
struct cluster_side {
    bool is_there;           /* exists on that side */
    bool is_well;            /* may receive replicas */
    bool has_room;           /* `room` is known, and the cluster ready */
    struct ledger_free room; /* on the side before use its `before`, else its `after` */
    int64_t replicas;        /* assigned by bindings; 0 in a lost cluster */
    int64_t stuck;           /* replicas in the states stuck and failing */
    struct quantity waiting[N_LEDGER_RESOURCES]; /* requests of the unschedulable ones */
};

struct cluster_outlook {
    const char *name;
    enum cluster_fate fate;
    struct cluster_side before, after;
};

/* One binding in a drain: first it starts replicas elsewhere, then it stops the old ones. */
struct drain_move {
    uint32_t binding;   /* index in the changed fleet */
    uint32_t wave;      /* first wave that moves some of it, from 0 */
    uint32_t last_wave; /* later than `wave` if PodDisruptionBudgets split the move */
    int64_t starts;     /* replicas that other clusters gain */
    int64_t stops;      /* replicas that the drained clusters lose */
    bool ends;          /* a copy whose workload runs elsewhere: it stops, and nothing starts */
    int64_t stays;      /* replicas that the drained clusters keep */
    /* ready replicas: today, after the starts (the maximum over waves), and at the end; replicas of
     * unknown readiness count as ready */
    int64_t ready_now, ready_between, ready_after;
    int64_t floor; /* least ready replicas in any step: ready_now, or fewer if fewer are wanted;
                    * where a copy ends, those of one copy are enough */
    const struct decision *decision;
};

/* Replicas in a cluster. */
struct drain_part {
    uint32_t cluster; /* index in the changed fleet */
    int64_t replicas;
};

enum drain_step_type { DRAIN_START, DRAIN_STOP };

/* A wave is a pair of steps: start, wait until ready, stop. PodDisruptionBudgets allow its
 * stops. */
struct drain_step {
    enum drain_step_type type;
    uint32_t wave;
    uint32_t bindings;
    int64_t replicas;
    const struct drain_part *parts; /* in order of the clusters */
    uint32_t n_parts;
    int64_t ready; /* ready replicas of all bindings in the drained clusters, after the step */
};

struct drain {
    int64_t ready_now;              /* of all bindings in the drained clusters */
    const struct drain_move *moves; /* in order of execution */
    uint32_t n_moves;
    const struct drain_step *steps;
    uint32_t n_steps;
    /* replicas in the drained clusters: those that start elsewhere, copies that end, and those that
     * stay */
    int64_t moving, ending, staying;
    uint32_t n_ending;            /* bindings with copies that end */
    const int64_t *ended;         /* part of `ending`, by cluster; NULL: nothing is drained */
    const struct homeless *stays; /* replicas that stay, with reasons */
    uint32_t n_stays;
};

struct simulation {
    const struct fleet *before; /* the original */
    const struct diagnosis *diagnosis_before;
    const struct repairs *repairs;       /* today's: before losses and drains, they are made */
    const struct changed_fleet *changed; /* repaired, if something is lost or drained */
    const struct diagnosis *diagnosis;   /* of the changed fleet, like plan and ledger */
    const struct plan *plan;
    struct ledger *ledger;
    struct policy policy;                   /* the planner's */
    const struct cluster_outlook *clusters; /* by the changed fleet's clusters */
    uint32_t n_clusters;
    struct loss loss;   /* homeless replicas of lost clusters and scaled workloads */
    struct drain drain; /* empty without drained clusters */
};

/* Returns how many replicas of a target stay stuck if `leaving` replicas leave: stuck ones leave
 * first. A negative `leaving` counts as 0. */
int64_t target_stuck_after(const struct target_state *state, int64_t leaving);
/* Returns each cluster of a fleet, in `arena`: after `plan` and its ledger, or today (NULL).
 * Without a ledger (NULL), no cluster has room that is known. */
struct cluster_side *cluster_sides(struct arena *arena, const struct fleet *fleet,
                                   const struct diagnosis *diagnosis, const struct plan *plan,
                                   struct ledger *ledger);

/* Simulates a changed fleet, in `arena`: first a run makes today's repairs, then clusters are lost
 * or drained. `diagnosis` must be of `fleet` and `policy`. `trace` (NULL: none) records the
 * decisions after the change; a drain records none. If the policy is stopped,
 * the result is unusable. */
const struct simulation *simulate(struct arena *arena, const struct fleet *fleet,
                                  const struct diagnosis *diagnosis,
                                  const struct changed_fleet *changed, const struct policy *policy,
                                  struct plan_trace *trace);

#endif
