/* SPDX-License-Identifier: Apache-2.0
 *
 * The replicas that a decision moves from cluster to cluster, as limits count them.
 */
#ifndef BALLAST_PLAN_FLOWS_H
#define BALLAST_PLAN_FLOWS_H

#include "plan/move/move.h"

struct disruption_account;

/* The change that a decision makes in one cluster. */
struct flow {
    const struct target *target;
    int32_t before, after;
    int32_t out, in; /* replicas that leave by a move, and that come by one */
    int32_t ends;    /* replicas that a scale-down ends before ready ones: not moved */
    int32_t held;    /* replicas that a limit keeps from moving away */
    bool leaves;     /* the cluster is to be left altogether */
    bool is_one;     /* it leaves as a whole or not at all */
    /* the PodDisruptionBudget that lets only may_go go now; NULL: all may go */
    const struct disruption_account *kept_by;
    int32_t may_go;
};

struct flows {
    struct flow *items;
    uint32_t count;
    const struct flow *alone; /* larger than a limit, goes alone; NULL: none */
    int64_t moved;
    int32_t unit; /* smallest part that goes: 1 replica, or those of a copy; 0: all goes at once */
    int32_t copy_size; /* of copies that come; a waiting copy is scaled to it */
    bool is_copies;    /* whole copies go from cluster to cluster */
    bool is_scaled;    /* replicas are added or ended, too */
    bool is_one_way;   /* mode Evict: the scheduler places the replicas */
};

/* Returns the flows of a decision, in scratch. */
struct flows flows_of(struct planner *planner, const struct move *move,
                      const struct decision *decision);

/* Counts the workload's replicas on their way: assigned but not seen where none is stuck, or
 * brought by the last move and not ready. */
int64_t flows_in_motion(const struct planner *planner, const struct move *move);

#endif
