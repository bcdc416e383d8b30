/* SPDX-License-Identifier: Apache-2.0
 *
 * What is asked of a binding.
 */
#include "ballast/binding.h"

#include "ballast/str.h"
#include "ballast/timestamp.h"

bool
binding_is_workload(const struct binding *binding)
{
    return binding->replicas > 0 || binding->requirements != NULL || binding->n_components > 0;
}

int
binding_find_target(const struct binding *binding, const char *cluster_name)
{
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        if (str_eq(binding->clusters.items[i].name, cluster_name)) {
            return (int)i;
        }
    }
    return -1;
}

bool
binding_reschedule_required(const struct binding *binding)
{
    return binding->reschedule_triggered_at != TIME_NONE &&
           binding->last_scheduled_time != TIME_NONE &&
           binding->reschedule_triggered_at > binding->last_scheduled_time;
}

const struct aggregated_status *
binding_find_status(const struct binding *binding, const char *cluster_name)
{
    for (uint32_t i = 0; i < binding->n_aggregated; i++) {
        if (str_eq(binding->aggregated[i].cluster_name, cluster_name)) {
            return &binding->aggregated[i];
        }
    }
    return NULL;
}

bool
binding_is_evicting(const struct binding *binding, const char *cluster_name)
{
    for (uint32_t i = 0; i < binding->n_eviction_tasks; i++) {
        if (str_eq(binding->eviction_tasks[i].from_cluster, cluster_name)) {
            return true;
        }
    }
    return false;
}

int
binding_cmp(const struct binding *a, const struct binding *b)
{
    int order = strcmp(a->namespace_, b->namespace_);

    if (order == 0) {
        order = strcmp(a->name, b->name);
    }
    return order != 0 ? order : (a->kind > b->kind) - (a->kind < b->kind);
}
