/* SPDX-License-Identifier: Apache-2.0
 *
 * What each of several planners gives the bindings of a tight fleet.
 */
#ifndef BALLAST_OPTIMUM_PLANNER_H
#define BALLAST_OPTIMUM_PLANNER_H

#include "ballast/base/arena.h"
#include "ballast/capacity/ledger.h"
#include "ballast/diagnose/diagnose.h"
#include "tight.h"

enum planner {
    PLANNER_BALLAST,
    PLANNER_FIRST_PASS, /* Ballast without its second look */
    PLANNER_KARMADA     /* karmada-scheduler alone: who is lost has been evicted, each binding is
                         * placed by itself, and runs as far as its clusters have room when its turn
                         * comes */
};

struct planned {
    struct fleet *fleet;
    const struct diagnosis *diagnosis;
    struct ledger *ledger; /* before the first take */
    /* By binding, in replicas: what its lost clusters had, and what runs anew somewhere else. */
    const int64_t *lost, *given;
    int64_t moved; /* in all, whether it finds room or not */
};

/* What is free of a resource before the first take (milli, Mi, pods), and what one replica asks. */
int64_t planned_room(const struct planned *planned, uint32_t cluster,
                     enum ledger_resource resource);
int64_t planned_request(const struct binding *binding, enum ledger_resource resource);

/* The plan of that seed's fleet; NULL with an error. All but the fleet is in the arena. */
struct planned *planned_new(struct arena *arena, uint64_t seed, enum planner planner,
                            struct error *err);
void planned_free(struct planned *planned);

#endif
