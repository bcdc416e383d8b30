/* SPDX-License-Identifier: Apache-2.0
 *
 * Graceful eviction tasks: a cluster that is left as a whole keeps its objects
 * until the replacement runs, or the grace period is over.
 */
#include "eviction_tasks.h"

#include <stdio.h>
#include <string.h>

#include "ballast/str.h"
#include "ballast/timestamp.h"

static bool
has_task(const struct binding *binding, const char *cluster)
{
    for (uint32_t i = 0; i < binding->n_eviction_tasks; i++) {
        if (str_eq(binding->eviction_tasks[i].from_cluster, cluster)) {
            return true;
        }
    }
    return false;
}

/* Cluster names are DNS labels and purge modes an enumeration: nothing in them needs escaping; one
 * that is neither gets no task. */
static bool
is_plain(const char *text)
{
    return strpbrk(text, "\"\\") == NULL;
}

static const char *
task_json(struct arena *arena, const struct binding *binding, const struct target *target)
{
    const struct failover_behavior *failover = &binding->failover_application;
    const char *purge = str_is_empty(failover->purge_mode) ? "Gracefully" : failover->purge_mode;
    char replicas[32] = "", grace[48] = "";

    if (target->replicas > 0) {
        snprintf(replicas, sizeof(replicas), "\"replicas\":%d,", target->replicas);
    }
    if (failover->has_grace_period_seconds) {
        snprintf(grace, sizeof(grace), ",\"gracePeriodSeconds\":%lld",
                 (long long)failover->grace_period_seconds);
    }
    return arena_printf(arena,
                        "{\"fromCluster\":\"%s\",\"purgeMode\":\"%s\",%s\"reason\":"
                        "\"ClusterUnhealthy\",\"producer\":\"ballast\"%s}",
                        target->name, purge, replicas, grace);
}

void
eviction_tasks_add(struct arena *arena, const struct move *move, struct decision *decision)
{
    const struct target_list *all = &move->binding->clusters;
    struct graceful_eviction_task *tasks =
        ARENA_ARRAY(arena, struct graceful_eviction_task, all->count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct target *target = &all->items[i];

        if (!move->targets[i].lost || !move_is_lost(move, i) || target->cluster == CLUSTER_NONE ||
            targets_has(&decision->after, target->name) || has_task(move->binding, target->name) ||
            !is_plain(target->name) || !is_plain(move->binding->failover_application.purge_mode)) {
            continue;
        }
        tasks[count++] = (struct graceful_eviction_task){
            .from_cluster = target->name,
            .reason = "ClusterUnhealthy",
            .producer = "ballast",
            .creation = TIME_NONE,
            .json = task_json(arena, move->binding, target),
        };
    }
    decision->new_tasks = tasks;
    decision->n_new_tasks = count;
}
