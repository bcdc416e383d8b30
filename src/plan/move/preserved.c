/* SPDX-License-Identifier: Apache-2.0
 *
 * Bindings with spec.preserveResourcesOnDeletion. Karmada keeps their workload, with all replicas,
 * in a cluster that they leave, and no binding counts these. So divided bindings keep the target
 * with 0 replicas, and Karmada scales it down; other bindings do not leave.
 */
#include "move.h"

static bool
is_preserved(const struct move *move)
{
    return binding_rare(move->binding)->preserves_resources;
}

const struct target_list *
preserved_targets(struct planner *planner, const struct move *move, const struct decision *decision)
{
    const struct target_list *all = &move->binding->clusters;

    if (!is_preserved(move) || !move_is_divided(move) || !str_is_empty(decision->error_type)) {
        return NULL;
    }
    struct target *items = ARENA_ARRAY(planner->scratch, struct target, all->count);
    struct target_list left = {.items = items};
    struct target_list *list = ARENA_NEW(planner->scratch, struct target_list);

    for (uint32_t i = 0; i < all->count; i++) {
        if (all->items[i].cluster != CLUSTER_NONE &&
            !targets_has(&decision->after, all->items[i].name)) {
            items[left.count] = all->items[i];
            items[left.count++].replicas = 0;
        }
    }
    *list = targets_join(planner->scratch, &decision->after, &left);
    return list;
}

/* A division anew may choose the cluster again, unless the filters refuse it. */
static bool
would_be_left(const struct planner *planner, const struct move *move, uint32_t target)
{
    uint32_t cluster = move->binding->clusters.items[target].cluster;

    return move_would_leave(move, target) || (move_is_whole(move) && cluster != CLUSTER_NONE &&
                                              !move_passes(planner, move, move->affinity, cluster));
}

void
explain_preserved(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count && is_preserved(move); i++) {
        const struct target *target = &move->binding->clusters.items[i];

        if (move_must_stay(move) && would_be_left(planner, move, i)) {
            reason_add(planner, decision, "ResourcesPreserved", target->name,
                       "it stays, for with spec.preserveResourcesOnDeletion what it leaves in a "
                       "cluster goes on there");
        }
    }
}
