/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters where a ResourceQuota refuses pods of a namespace, by the state of the workloads there.
 * No workload of that namespace gets more replicas in that cluster.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "move.h"

static int
spent_quota_cmp(const void *a, const void *b)
{
    const struct spent_quota *x = a, *y = b;
    int order = strcmp(x->namespace_, y->namespace_);

    return order != 0 ? order : (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

void
find_spent_quotas(struct planner *planner)
{
    const struct fleet *fleet = planner->fleet;
    VEC_OF(struct spent_quota) spent = VEC_INIT;

    for (uint32_t i = 0; i < fleet->n_bindings && !policy_stands_in(planner->policy); i++) {
        const struct binding *binding = &fleet->bindings[i];
        const struct target_state *states =
            &planner->diagnosis->targets[planner->diagnosis->bindings[i].first_target];

        for (uint32_t j = 0; j < binding->clusters.count; j++) {
            if (states[j].over_quota > 0) {
                vec_add(&spent,
                        ((struct spent_quota){.namespace_ = binding->namespace_,
                                              .cluster = binding->clusters.items[j].cluster}));
            }
        }
    }
    if (spent.count > 1) {
        qsort(spent.items, spent.count, sizeof(*spent.items), spent_quota_cmp);
    }
    planner->spent = vec_to_arena(&spent, planner->arena);
    planner->n_spent = pin_uint32(spent.count);
    vec_free(&spent);
}

/* Returns the first entry of the namespace; n_spent: there is none. */
static uint32_t
first_spent(const struct planner *planner, const char *namespace_)
{
    uint32_t low = 0, high = planner->n_spent;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (strcmp(planner->spent[middle].namespace_, namespace_) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < planner->n_spent && str_eq(planner->spent[low].namespace_, namespace_)
               ? low
               : planner->n_spent;
}

bool
is_quota_spent(const struct planner *planner, const struct move *move, const char *cluster)
{
    const char *namespace_ = move->binding->namespace_;

    for (uint32_t i = first_spent(planner, namespace_);
         i < planner->n_spent && str_eq(planner->spent[i].namespace_, namespace_); i++) {
        if (str_eq(planner->fleet->clusters[planner->spent[i].cluster].name, cluster)) {
            return true;
        }
    }
    return false;
}

void
close_spent(const struct planner *planner, const struct move *move, const struct move_marks *marks)
{
    const char *namespace_ = move->binding->namespace_;

    for (uint32_t i = first_spent(planner, namespace_);
         i < planner->n_spent && str_eq(planner->spent[i].namespace_, namespace_); i++) {
        const uint32_t cluster = planner->spent[i].cluster;
        const char *name = planner->fleet->clusters[cluster].name;

        marks->closed[cluster] = true;
        marks->excluded[cluster] = marks->excluded[cluster] || !move_holds_some(move, name);
    }
}
