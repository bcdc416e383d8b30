/* SPDX-License-Identifier: Apache-2.0
 *
 * A request answered as the scheduler of Karmada 0.8 would.
 */
#include "ballast/base/str.h"
#include "karmada08.h"
#include "scheduler.h"
#include "schedulers.h"

static void
karmada08_fail(struct arena *arena, const struct error *err, struct schedule_result *ret)
{
    *ret = (struct schedule_result){
        .failure = err->code == ERROR_NOT_FOUND ? SCHEDULE_FIT_ERROR
                   : err->code == ERROR_LIMIT   ? SCHEDULE_UNSCHEDULABLE_ERROR
                                                : SCHEDULE_OTHER_ERROR,
        .message = arena_printf(arena, "%s", err->message),
        .affinity_name = "",
    };
}

/* 0.8 fails over what is not Ready for certain: Unknown, and a cluster that is gone, do not
 * count. */
static bool
has_failed_target(const struct fleet *fleet, const struct target_list *bound)
{
    for (uint32_t i = 0; i < bound->count; i++) {
        uint32_t cluster = bound->items[i].cluster;
        const struct condition *ready =
            cluster < fleet->n_clusters
                ? condition_list_find(&fleet->clusters[cluster].conditions, "Ready")
                : NULL;

        if (ready != NULL && str_eq(ready->status, "False")) {
            return true;
        }
    }
    return false;
}

/* 0.8 writes the names alone, and scales what has no replicas then in its next round: both are one
 * here. */
static bool
replace_failed(struct arena *arena, const struct fleet *fleet, struct karmada08_binding *asked,
               struct target_list *ret, struct error *err)
{
    const struct karmada08_fleet clusters = {fleet->clusters, fleet->n_clusters};
    struct karmada08_failover failover;

    karmada08_failover(arena, &clusters, asked, KARMADA_V0_8, &failover);
    if (failover.targets.count == 0) {
        *ret = asked->bound;
        return true;
    }
    struct target *targets = ARENA_ARRAY(arena, struct target, failover.targets.count);

    for (uint32_t i = 0; i < failover.targets.count; i++) {
        const char *name = failover.targets.items[i];

        targets[i] = (struct target){.name = name, .cluster = fleet_find_cluster(fleet, name)};
    }
    asked->bound = (struct target_list){.items = targets, .count = failover.targets.count};
    return karmada08_scale(arena, &clusters, asked, ret, err);
}

/* In 0.8's order: what has no place or another placement, what has another number of replicas, what
 * is on a failed cluster. Room, division and bounds of the request are not looked at: 0.8 reads the
 * resource summaries, and has one way to divide. */
void
schedule_karmada08(struct scheduler *scheduler, struct arena *arena,
                   const struct schedule_request *request, struct schedule_result *ret)
{
    const struct binding *binding = request->binding;
    const struct fleet *fleet = scheduler->fleet;
    const struct karmada08_fleet clusters = {fleet->clusters, fleet->n_clusters};
    const struct karmada08_workload workload = {
        .api_version = binding->resource.api_version,
        .kind = binding->resource.kind,
        .replicas = request->replicas,
        .request = binding->requirements != NULL ? &binding->requirements->request : NULL,
    };
    struct karmada08_binding asked = {binding->placement, &workload, request->current};
    struct target_list targets = request->current;
    struct error err = ERROR_INIT;
    bool done = true;

    if (binding->placement == NULL) {
        schedule(scheduler, arena, request, ret); /* which says so */
        return;
    }
    if (targets.count == 0 || schedule_placement_changed(binding)) {
        done = karmada08_schedule(arena, &clusters, &asked, &targets, &err);
    } else if (schedule_replicas_changed(binding)) {
        done = karmada08_scale(arena, &clusters, &asked, &targets, &err);
    } else if (has_failed_target(fleet, &targets)) {
        done = replace_failed(arena, fleet, &asked, &targets, &err);
    }
    if (!done) {
        karmada08_fail(arena, &err, ret);
        return;
    }
    *ret = (struct schedule_result){.message = "", .affinity_name = "", .targets = targets};
}
