/* SPDX-License-Identifier: Apache-2.0
 *
 * Homeless replicas after permanent losses of clusters, and the certificate of survival: each
 * cluster, region, provider or zone lost in turn. Pure; threads are a port.
 */
#ifndef BALLAST_SIMULATE_SURVIVAL_H
#define BALLAST_SIMULATE_SURVIVAL_H

#include "ballast/base/workers.h"
#include "ballast/model/finding.h"
#include "ballast/plan/plan.h"
#include "ballast/simulate/change.h"

/* A binding with homeless replicas. */
struct homeless {
    uint32_t binding; /* index into fleet->bindings */
    int32_t priority; /* spec.schedulePriority.priority; 0: none */
    int64_t replicas;
    bool lacks_room;     /* for lack of capacity; false: a rule or the owner keeps it in place */
    const char *code;    /* of the reason: "NoRoom", "Tolerated", "KindNotMovable", ... */
    const char *message; /* one sentence without a full stop, or "" */
};

/* Homeless replicas of one priority. */
struct priority_loss {
    int32_t priority;
    uint32_t bindings;
    int64_t replicas;
};

/* A joint loss of clusters. Bindings that are out of scope or being deleted do not count. */
struct loss {
    const char *name;         /* of the cluster or group; "": a group without a name */
    const uint32_t *clusters; /* indices into fleet->clusters */
    uint32_t n_clusters;
    uint32_t bindings; /* bindings with replicas in these clusters */
    int64_t replicas;  /* replicas in these clusters */
    int64_t rehomed;   /* of `replicas`: those placed elsewhere */
    int64_t homeless;  /* of `replicas`: those without a place */
    int64_t copies;    /* of `replicas`: duplicates of a workload that still runs elsewhere */
    const struct homeless *items; /* by priority, then by replicas, the highest first */
    uint32_t n_items;
    const struct priority_loss *priorities; /* of homeless replicas, the highest first */
    uint32_t n_priorities;
    struct quantity missing[N_LEDGER_RESOURCES]; /* requests of the items with lacks_room */
};

/* A plan and its inputs. */
struct planned {
    const struct fleet *fleet;
    const struct fleet *original; /* with the replicas before scaling; NULL: nothing was scaled */
    const struct diagnosis *diagnosis;
    const struct plan *plan;
};

/* Returns the loss under `plan` in `lost` clusters (by cluster) and scaled workloads, in `arena`.
 * Sets only counts, lists and amounts. */
struct loss loss_of_plan(struct arena *arena, const struct planned *planned, const bool *lost);

struct survival {
    const struct fleet *fleet; /* the fleet on which the losses were tried: see survival_of */
    enum guard_group by;       /* GUARD_BY_NONE: single clusters */
    const struct loss *losses; /* the worst first: by homeless, then copies, then name */
    uint32_t n_losses;
    uint32_t n_survived;  /* losses without homeless replicas */
    uint32_t n_ungrouped; /* clusters that name no group */
};

/* Tries each loss on its own, in `arena`; `policy` is from simulation_policy. False: stopped. The
 * fleet is planned beforehand, so present problems do not count as consequences. A loss plans only
 * bindings with replicas in the lost clusters. The number of workers changes no result. */
bool survival_of(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                 enum guard_group by, const struct workers *workers, struct survival *ret);

/* Returns the worst loss, or NULL if there is none. */
const struct loss *survival_worst(const struct survival *survival);

#endif
