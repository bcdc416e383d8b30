/* SPDX-License-Identifier: Apache-2.0
 *
 * What all that runs the program over a world shares.
 */
#ifndef BALLAST_WORLDS_RUN_PARTS_H
#define BALLAST_WORLDS_RUN_PARTS_H

#include "run.h"

#include "ballast/base/error.h"
#include "ballast/base/str.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

/* Where a world is read from and written to. */
struct world_ports {
    const struct world *world;
    struct random *shuffle; /* NULL: in the order of the world */
    json_t *patches;
};

/* A backend's read, its context the ports. */
struct fleet *world_ports_read(void *context, struct error *err);

/* The world's configuration. */
bool world_policy(const struct world *world, struct arena *arena, struct interner *strings,
                  struct policy *policy, struct error *err);

#endif
