/* SPDX-License-Identifier: Apache-2.0
 *
 * From decisions to a packing.
 */
#ifndef BALLAST_PLAN_PACK_MODEL_H
#define BALLAST_PLAN_PACK_MODEL_H

#include "ballast/capacity/ledger_sums.h"
#include "ballast/packing/packing.h"
#include "plan/move/move.h"

struct trace_entry;

struct pack_model {
    struct packing packing;
    bool is_cut;                 /* there are more bindings, or clusters, than it may have */
    uint32_t *clusters;          /* by room */
    int32_t *had;                /* by option: replicas at first */
    const struct decision **old; /* by item */
    bool *holds;                 /* by item: what its decision takes is taken */
    bool *is_decided;            /* by item: again */
    struct trace_entry **traces; /* of them: what was told before */
    uint32_t *comes;             /* by room: the first binding that is to have more there than at
                                    first; UINT32_MAX: none */
    int32_t *caps;               /* by cluster, of whoever is decided now */
    int32_t *no_surplus;         /* by cluster: 0 */
    int64_t (*used)[N_LEDGER_RESOURCES];    /* by room: at first */
    int64_t (*missing)[N_LEDGER_RESOURCES]; /* by room: of what should have fitted */
    struct ledger_sums *sums; /* by room: what is left while nothing of the packing is there; NULL:
                                 of some it is no sum, and the ledger says so once all is given
                                 back */
};

/* In `arena`: what has something left over, and what may make room for it. false: nothing that is
 * left over may be put anew. */
bool pack_model_gather(struct arena *arena, struct planner *planner, const uint32_t *order,
                       const struct decision *const *decisions, struct pack_model *ret);
/* Whether all rooms are sums. Then what holds of the first pass may go on to hold. */
bool pack_model_sum(struct arena *arena, struct planner *planner, struct pack_model *model);
/* The rooms; where they are no sums, once the ledger has back what the items were given. */
void pack_model_measure(struct planner *planner, struct pack_model *model);
/* What the decision gives there more than there was before. */
int32_t pack_given(const struct fleet *fleet, const struct pack_model *model,
                   const struct decision *decision, const struct pack_option *option);
/* By cluster: something that is left over has room there, and waits for another reason. */
void pack_model_mark_useful(struct planner *planner, const struct pack_model *model,
                            const struct decision *const *decisions, bool *useful);
/* Where something was missing there is so much less room, but as much as was given at first;
 * replicas are what they were then. false: nothing was missing. */
bool pack_model_learn(struct pack_model *model);

#endif
