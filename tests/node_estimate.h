/* SPDX-License-Identifier: Apache-2.0
 *
 * The answers of scheduler-estimator about nodes, from what Ballast's node pools
 * are made of.
 */
#ifndef BALLAST_TESTS_NODE_ESTIMATE_H
#define BALLAST_TESTS_NODE_ESTIMATE_H

#include "ballast/schedule/estimate.h"

/* Replicas that fit in the room that is left, 0 when the node is not eligible. */
static inline int32_t
estimate_node(const struct node_room *room, const struct requirements *requirements)
{
    return estimate_node_eligible(room->node, requirements, false)
               ? estimate_node_room(room, requirements)
               : 0;
}

/* The sum over nodes, pinned to int32. */
static inline int32_t
estimate_nodes(const struct node_room *rooms, uint32_t count,
               const struct requirements *requirements)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += estimate_node(&rooms[i], requirements);
    }
    return sum < INT32_MAX ? (int32_t)sum : INT32_MAX;
}

#endif
