/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet of one cluster for the suites of the ledger.
 */
#ifndef BALLAST_LEDGER_FIXTURE_H
#define BALLAST_LEDGER_FIXTURE_H

#include "ballast/capacity/ledger.h"

#define MEMORY(gib)                                                                                \
    {                                                                                              \
        .nano = (nanos128)(gib) * (1 << 30) * 1000000000                                           \
    }
#define CPU(milli)                                                                                 \
    {                                                                                              \
        .nano = (nanos128)(milli)*1000000                                                          \
    }
#define COUNT(n)                                                                                   \
    {                                                                                              \
        .nano = (nanos128)(n)*1000000000                                                           \
    }
#define LIST(array)                                                                                \
    {                                                                                              \
        .items = (array), .count = sizeof(array) / sizeof((array)[0]), .present = true             \
    }

/* 500m of cpu and 1 GiB, and 1500m of cpu. */
extern const struct requirements small;
extern const struct requirements large;
extern const struct resource_model models[1];
extern const struct model_count counts[1];

/* A fleet of one cluster, with whatever a test adds to it. */
struct ledger_world {
    struct arena *arena;
    struct cluster cluster;
    struct member member;
    struct fleet fleet;
    struct diagnosis diagnosis;
    struct policy policy;
};

void ledger_world_init(struct ledger_world *world);
struct ledger *ledger_world_open(struct ledger_world *world);
void check_room(struct ledger *ledger, const struct requirements *requirements, int32_t want,
                const char *want_source);

#endif
