/* SPDX-License-Identifier: Apache-2.0
 *
 * A small fleet for tests of scheduling: clusters c0, c1, ... that have the API
 * apps/v1 Deployment and so much room each, and one binding of a Deployment.
 * Tests change what they are about and read the answer as a text.
 */
#ifndef BALLAST_TEST_WORLD_H
#define BALLAST_TEST_WORLD_H

#include "ballast/schedule/schedule.h"

#define WORLD_MAX 24

struct world {
    struct arena *arena;
    struct fleet fleet;
    struct cluster clusters[WORLD_MAX];
    int32_t room[WORLD_MAX];
    bool excluded[WORLD_MAX];
    bool pinned[WORLD_MAX];
    struct target current[WORLD_MAX];
    struct graceful_eviction_task task;
    struct spread_constraint constraints[3];
    struct affinity_term terms[3];
    struct static_weight weights[WORLD_MAX];
    struct toleration tolerations[2];
    struct requirements requirements;
    struct placement placement;
    struct rare_members rare;
    struct binding binding;
    struct schedule_request request;
};

/* `count` clusters with room for `room` replicas each; a Duplicated placement, replicas 0. */
void world_init(struct world *world, uint32_t count, int32_t room);
void world_release(struct world *world);

/* "Divided" with "Weighted" (dynamic), "Aggregated" or "static" (weights as given, see
 * world_weigh). */
void world_divide(struct world *world, const char *preference, int32_t replicas);
void world_weigh(struct world *world, uint32_t cluster, int64_t weight);
/* spec.clusters += cluster. */
void world_run(struct world *world, uint32_t cluster, int32_t replicas);
void world_spread(struct world *world, enum spread_field field, int64_t min, int64_t max);
void world_taint(struct world *world, uint32_t cluster, const char *key, const char *value,
                 const char *effect);
/* An affinity for these clusters, a text such as "c0 c3". */
struct cluster_affinity world_affinity(struct world *world, const char *names);
/* Appends a term; `overflow` NULL: without overflow affinities, else one a word of it. */
void world_term(struct world *world, const char *name, const char *clusters, const char *overflow);

/* "c0=2 c3=1", behind it "; term NAME" and "; N unplaced" where there is such a thing; or
 * "FitError: ...", "UnschedulableError: ...", "Error: ...". */
const char *world_schedule(struct world *world);

#endif
