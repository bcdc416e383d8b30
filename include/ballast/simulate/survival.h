/* SPDX-License-Identifier: Apache-2.0
 *
 * What finds no home when clusters are lost for good, and the certificate of
 * survival: each cluster, region, provider or zone lost in turn. Pure; threads
 * are a port. Results hold what they say themselves, and names of the fleet.
 */
#ifndef BALLAST_SIMULATE_SURVIVAL_H
#define BALLAST_SIMULATE_SURVIVAL_H

#include "ballast/base/workers.h"
#include "ballast/model/finding.h"
#include "ballast/plan/plan.h"
#include "ballast/simulate/change.h"

/* A binding of which replicas find no home. */
struct homeless {
    uint32_t binding; /* index into fleet->bindings */
    int32_t priority; /* spec.schedulePriority.priority, 0 when it has none */
    int64_t replicas;
    bool lacks_room;     /* that is why; else a rule or its owner keeps it where it is */
    const char *code;    /* of the reason: "NoRoom", "Tolerated", "KindNotMovable", ... */
    const char *message; /* one sentence without a full stop; "" */
};

/* Of one priority. */
struct priority_loss {
    int32_t priority;
    uint32_t bindings;
    int64_t replicas;
};

/* Some clusters are lost together. Bindings out of scope do not count, nor do those that are being
 * deleted. */
struct loss {
    const char *name; /* of the cluster or the group; "" of a group whose objects do not say */
    const uint32_t *clusters; /* indices into fleet->clusters */
    uint32_t n_clusters;
    uint32_t bindings; /* with replicas there */
    int64_t replicas;  /* of theirs, there */
    int64_t rehomed;   /* of them, those that get a place elsewhere */
    int64_t homeless;  /* of them, those that get none */
    int64_t copies;    /* of them, those of duplicated workloads that go on elsewhere with fewer */
    const struct homeless *items; /* most replicas of the highest priority first */
    uint32_t n_items;
    const struct priority_loss *priorities; /* homeless; the highest first */
    uint32_t n_priorities;
    struct quantity missing[N_LEDGER_RESOURCES]; /* what those ask for that lack room */
};

/* A plan and what led to it. */
struct planned {
    const struct fleet *fleet;
    const struct fleet *original; /* whose bindings were scaled to be the fleet's; NULL: none was */
    const struct diagnosis *diagnosis;
    const struct plan *plan;
};

/* What that plan leaves without a home of what is in the clusters that are `lost` (by cluster), and
 * of what was scaled. Only the counts, lists and amounts are set. In `arena`. */
struct loss loss_of_plan(struct arena *arena, const struct planned *planned, const bool *lost);

struct survival {
    const struct fleet *fleet; /* that the losses were tried on: see survival_of */
    enum guard_group by;       /* GUARD_BY_NONE: single clusters */
    const struct loss *losses; /* the worst first: most homeless, then copies, then by name */
    uint32_t n_losses;
    uint32_t n_survived; /* without anything homeless */
    uint32_t
        n_ungrouped; /* clusters that are in none of them: they do not say which group is theirs */
};

/* Each loss on its own, planned by `policy` (of simulation_policy). What a run would do of the
 * fleet as it stands is done before: what is wrong already is no consequence of a loss, and its
 * room is taken. Then of each loss only those bindings are planned that have replicas in what is
 * lost, and the room is counted once a worker; the result is the same for any number of workers,
 * and for one loss alone. In `arena`. false: stopped. */
bool survival_of(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                 enum guard_group by, const struct workers *workers, struct survival *ret);

/* The worst of them; NULL: there is none. */
const struct loss *survival_worst(const struct survival *survival);

#endif
