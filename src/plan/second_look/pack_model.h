/* SPDX-License-Identifier: Apache-2.0
 *
 * A packing of the decisions of a plan. A room of the packing is a cluster.
 */
#ifndef BALLAST_PLAN_PACK_MODEL_H
#define BALLAST_PLAN_PACK_MODEL_H

#include "ballast/capacity/ledger_sums.h"
#include "ballast/packing/packing.h"
#include "plan/move/move.h"

struct trace_entry;

struct pack_model {
    struct packing packing;
    bool is_cut;                 /* there are more bindings or clusters than it may have */
    uint32_t *clusters;          /* by room */
    int32_t *had;                /* by option: replicas of the first decision */
    const struct decision **old; /* by item: the first decision */
    bool *holds;                 /* by item: the ledger holds its decision */
    bool *is_decided;            /* by item: decided again */
    struct trace_entry **traces; /* by item: the record of its first decision */
    uint32_t *comes;             /* by room: first binding that gains there; UINT32_MAX: none */
    int32_t *caps;               /* by cluster: caps of the item that is decided now */
    int64_t (*used)[N_LEDGER_RESOURCES];    /* by room: of the first decisions */
    int64_t (*missing)[N_LEDGER_RESOURCES]; /* by room: of replicas that should have fitted */
    struct ledger_sums *sums; /* by room: left without the packing; NULL: some are no sums, so ask
                                 the ledger once it has all back */
};

/* Gathers bindings with unplaced replicas and those that may make capacity for them, in `arena`.
 * False: no unplaced replicas can be placed anew. */
bool pack_model_gather(struct arena *arena, struct planner *planner, const uint32_t *order,
                       const struct decision *const *decisions, struct pack_model *ret);
/* True if all capacity is sums, so that decisions keep what they took. Fills `sums`, in `arena`. */
bool pack_model_sum(struct arena *arena, struct planner *planner, struct pack_model *model);
/* Measures free capacity. If it is no sums, call once the ledger has back all that items took. */
void pack_model_measure(struct planner *planner, struct pack_model *model);
/* Returns the replicas that the decision adds in the option's cluster. */
int32_t pack_given(const struct fleet *fleet, const struct pack_model *model,
                   const struct decision *decision, const struct pack_option *option);
/* Marks, by cluster, where unplaced replicas would fit, so that they wait for another reason. */
void pack_model_mark_useful(struct planner *planner, const struct pack_model *model,
                            const struct decision *const *decisions, bool *useful);
/* Lowers the capacity by the missing resources, but not below the first decisions, and restores
 * their replicas. False: nothing was missing. */
bool pack_model_learn(struct pack_model *model);

#endif
