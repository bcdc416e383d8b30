/* SPDX-License-Identifier: Apache-2.0
 *
 * What a decision moves from cluster to cluster, in replicas: what limits count.
 */
#ifndef BALLAST_PLAN_FLOWS_H
#define BALLAST_PLAN_FLOWS_H

#include "plan/move/move.h"

struct disruption_account;

/* What a decision does to one cluster. */
struct flow {
    const struct target *target;
    int32_t before, after;
    int32_t out, in; /* replicas that move away and here */
    int32_t ends;    /* of a scale-down, before ready ones: not moved */
    int32_t held;    /* that would move away, but for a limit */
    bool leaves;     /* the cluster is to be left altogether */
    bool is_one;     /* and it is not left in part */
    /* the PodDisruptionBudget that lets go no more than may_go now; NULL: all may go */
    const struct disruption_account *kept_by;
    int32_t may_go;
};

struct flows {
    struct flow *items;
    uint32_t count;
    const struct flow *alone; /* larger than a limit: it goes, and nothing else; NULL: none */
    int64_t moved;
    int32_t unit; /* of what goes in part: a replica, or those of a copy; 0: all goes at once */
    int32_t copy_size; /* of those that come; one that waits is brought to it where it is */
    bool is_copies;    /* whole copies go from cluster to cluster */
    bool is_scaled;    /* it adds or ends replicas as well */
    bool is_one_way;   /* mode Evict: what is taken away, the scheduler places */
};

/* Counted; in the planner's scratch. */
struct flows flows_of(struct planner *planner, const struct move *move,
                      const struct decision *decision);

/* What of a workload is on its way already: assigned, and not seen yet in a cluster where it is
 * not stuck; or brought there by the last move, and not ready yet. */
int64_t flows_in_motion(const struct planner *planner, const struct move *move);

#endif
