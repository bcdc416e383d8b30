/* SPDX-License-Identifier: Apache-2.0
 *
 * Settled pods of a member under construction: how many there are of each owner
 * and version, and what they take on each node.
 */
#ifndef BALLAST_MODEL_SETTLED_H
#define BALLAST_MODEL_SETTLED_H

#include "ballast/base/arena.h"
#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/model/member.h"

/* Start from zeroed memory. */
struct settled {
    struct arena *arena;  /* of what follows; NULL: there is nothing */
    struct map *by_owner; /* the beginning of a struct settled_pods -> index into pods, and one */
    struct map *by_node;  /* a node's name -> its struct node_sum */
    VEC_OF(struct settled_pods) pods;
};

void settled_release(struct settled *settled);
size_t settled_footprint(const struct settled *settled); /* bytes, about */
/* Counts so many settled pods that are alike; owner's and node's names are interned, and so are
 * `template_hash` and `revision`. False, and nothing is counted, when they have to be kept: their
 * requests are none that add up. */
bool settled_add(struct settled *settled, const struct pod *pod, uint32_t count,
                 const char *template_hash, const char *revision);
/* What they take on a node, to be added to; a pod more each. The sums of the settled last as long
 * as it does. False, and nothing is added, where requests are none that add up. */
struct node_sum;
struct node_sum *settled_node(struct settled *settled, const char *node_name);
bool settled_add_to_node(struct settled *settled, struct node_sum *sum, const struct pod *pod,
                         uint32_t count);
/* What settled pods take on a node, *ret_sum for the time of the call; false: there are none. */
bool settled_find(const struct settled *settled, const char *node_name, struct pod_sum *ret_sum);

#endif
