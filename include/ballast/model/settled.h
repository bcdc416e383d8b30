/* SPDX-License-Identifier: Apache-2.0
 *
 * Settled pods of a member under construction: their number by owner and version,
 * and the sum of their requests on each node.
 */
#ifndef BALLAST_MODEL_SETTLED_H
#define BALLAST_MODEL_SETTLED_H

#include "ballast/base/arena.h"
#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/model/member.h"

/* Start from zeroed memory; end with settled_release(). */
struct settled {
    struct arena *arena;  /* of the members below; NULL: nothing was added */
    struct map *by_owner; /* the beginning of a struct settled_pods -> index into pods, plus 1 */
    struct map *by_node;  /* a node's name -> its struct node_sum */
    VEC_OF(struct settled_pods) pods;
};

/* Frees everything. `settled` is empty afterwards. */
void settled_release(struct settled *settled);
/* Returns about how many bytes `settled` takes. */
size_t settled_footprint(const struct settled *settled);
/* Counts `count` settled pods like `pod`. All names, template_hash and revision are interned; they
 * and the pod's amounts outlive `settled`. False, without counting, if the caller must keep the
 * pods: an amount is negative or too large to be summed, or there are too many pods. */
bool settled_add(struct settled *settled, const struct pod *pod, uint32_t count,
                 const char *template_hash, const char *revision);
struct node_sum;
/* Returns the sum of a node's settled pods, valid as long as `settled`; makes it if there is none.
 * Keeps the pointer to the name. */
struct node_sum *settled_node(struct settled *settled, const char *node_name);
/* Adds `count` pods like `pod` to a node's sum, without counting them by owner. False, without
 * adding, if an amount is negative or too large to be summed, or there are too many pods. */
bool settled_add_to_node(struct settled *settled, struct node_sum *sum, const struct pod *pod,
                         uint32_t count);
/* Gets a node's sum, valid until the next change of `settled`. False if there is none. */
bool settled_find(const struct settled *settled, const char *node_name, struct pod_sum *ret_sum);

#endif
