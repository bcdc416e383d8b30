/* SPDX-License-Identifier: Apache-2.0
 *
 * A changed fleet, planned as a run would plan it: what becomes of whom, before
 * and after by cluster, and the steps of a drain. Pure. Results hold what they
 * say themselves, beside the fleets and the plan that they point to.
 */
#ifndef BALLAST_SIMULATE_SIMULATE_H
#define BALLAST_SIMULATE_SIMULATE_H

#include "ballast/simulate/survival.h"

/* One cluster, on one side of the changes. */
struct cluster_side {
    bool is_there;           /* it exists on that side */
    bool is_well;            /* it may be given replicas */
    bool has_room;           /* it is ready, and `room` is known */
    struct ledger_free room; /* of the ledger: `before` counts on the side before, else `after` */
    int64_t replicas;        /* that bindings have there */
    int64_t stuck;           /* of them, unschedulable or failed past the thresholds */
    struct quantity waiting[N_LEDGER_RESOURCES]; /* what the unschedulable ones ask for */
};

struct cluster_outlook {
    const char *name;
    enum cluster_fate fate;
    struct cluster_side before, after;
};

/* What a drain does of one binding: first what it starts elsewhere, and, when that is ready, what
 * it stops. */
struct drain_move {
    uint32_t binding;   /* index into the changed fleet's bindings */
    uint32_t wave;      /* from 0: the first that moves some of it */
    uint32_t last_wave; /* a later one where PodDisruptionBudgets let it go in parts */
    int64_t starts;     /* replicas that other clusters gain */
    int64_t stops;      /* replicas that the drained clusters lose */
    int64_t stays;      /* replicas that they keep */
    /* replicas that are ready now, when what starts is ready (at most, of several waves), and when
     * the rest is stopped; what nobody counts as ready or not counts as ready */
    int64_t ready_now, ready_between, ready_after;
    int64_t floor; /* no step may leave fewer ready: as many as now, or as are wanted */
    const struct decision *decision;
};

/* A number of replicas in a cluster. */
struct drain_part {
    uint32_t cluster; /* index into the changed fleet's clusters */
    int64_t replicas;
};

enum drain_step_type { DRAIN_START, DRAIN_STOP };

/* Steps come in pairs, a wave each: start, wait until that is ready, stop. A wave stops no more
 * than PodDisruptionBudgets let go then. */
struct drain_step {
    enum drain_step_type type;
    uint32_t wave;
    uint32_t bindings;
    int64_t replicas;
    const struct drain_part *parts; /* by cluster, in their order */
    uint32_t n_parts;
    int64_t ready; /* of all bindings with replicas in the drained clusters, when it is done */
};

struct drain {
    int64_t ready_now;              /* of all those bindings */
    const struct drain_move *moves; /* in the order in which they are made */
    uint32_t n_moves;
    const struct drain_step *steps;
    uint32_t n_steps;
    int64_t moving, staying;      /* replicas in the drained clusters */
    const struct homeless *stays; /* what stays there, and why */
    uint32_t n_stays;
};

struct simulation {
    const struct fleet *before; /* as it was seen */
    const struct diagnosis *diagnosis_before;
    const struct changed_fleet *changed;
    const struct diagnosis *diagnosis; /* of the changed fleet, as the next three */
    const struct plan *plan;
    struct ledger *ledger;
    struct policy policy;                   /* by which it was planned */
    const struct cluster_outlook *clusters; /* by the changed fleet's clusters */
    uint32_t n_clusters;
    struct loss loss;   /* what the changes leave without a home: of what is lost, or scaled */
    struct drain drain; /* no moves where nothing is drained */
};

/* Each cluster of a fleet, in `arena`: as it is, or, with a plan, as that leaves it. The ledger is
 * that of the plan. */
struct cluster_side *cluster_sides(struct arena *arena, const struct fleet *fleet,
                                   const struct diagnosis *diagnosis, const struct plan *plan,
                                   struct ledger *ledger);

/* In `arena`. The fleet's own diagnosis has to be of it and of `policy`. A policy that is stopped
 * leaves a simulation of no use. */
const struct simulation *simulate(struct arena *arena, const struct fleet *fleet,
                                  const struct diagnosis *diagnosis,
                                  const struct changed_fleet *changed, const struct policy *policy);

#endif
