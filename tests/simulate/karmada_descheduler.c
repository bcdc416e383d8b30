/* SPDX-License-Identifier: Apache-2.0
 *
 * karmada-descheduler (karmada pkg/descheduler/descheduler.go and core/): of
 * Deployments with dynamic division, in clusters that are short of ready
 * replicas, it takes away what the estimator says is unschedulable, never below
 * what is ready. Where they go is karmada-scheduler's business.
 */
#include "api.h"
#include "karmada.h"
#include "member.h"
#include "objects.h"

#include "ballast/base/str.h"

#define TEXT_MAX ((size_t)1 << 20)
#define UNSCHEDULABLE_SECONDS 300 /* --unschedulable-threshold */

/* By the binding's status; -1 when it does not say. */
static int
ready_by_status(const struct sim *sim, const struct sim_workload *workload, int cluster)
{
    const struct value *status = value_get(document_root(workload->binding), "status");
    const struct value *items = value_get(status, "aggregatedStatus");

    for (size_t i = 0; items != NULL && i < value_count(items); i++) {
        const struct value *item = value_at(items, i);

        if (str_eq(value_string(value_get(item, "clusterName")), sim->clusters[cluster].name)) {
            const struct value *ready = value_get(value_get(item, "status"), "readyReplicas");

            return ready != NULL ? (int)value_integer(ready) : -1;
        }
    }
    return -1;
}

/* The new count of one cluster. */
static int
count_after(const struct sim *sim, int workload, int cluster, int ready)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int assigned = subject->split[cluster];
    int stuck = ready < assigned ? member_stuck(sim, cluster, workload, UNSCHEDULABLE_SECONDS) : 0;
    int target = assigned - stuck;

    if (stuck == 0 || assigned < stuck) {
        return assigned;
    }
    return target < ready && ready <= assigned ? ready : target;
}

static void
deschedule_one(struct sim *sim, int workload)
{
    struct sim_workload *subject = &sim->workloads[workload];
    int ready[SIM_CLUSTERS], split[SIM_CLUSTERS];
    struct error err = ERROR_INIT;
    int removed = 0;
    struct buf text;

    for (int c = 0; c < sim->n_clusters; c++) {
        ready[c] = ready_by_status(sim, subject, c);
    }
    for (int c = 0; c < sim->n_clusters; c++) {
        split[c] = count_after(sim, workload, c, ready[c]);
        removed += subject->split[c] - split[c];
    }
    if (removed == 0) {
        return;
    }
    buf_init(&text, TEXT_MAX);
    buf_append_str(&text, "{\"spec\":{\"clusters\":");
    objects_write_targets(sim, subject->assigned, split, &text);
    buf_append_str(&text, "}}");
    if (!api_patch(sim, workload, WRITER_POLICY, &text, &err)) {
        BUG("%s", err.message);
    }
    buf_release(&text);
    sim_tell(sim, "%s: karmada-descheduler takes away %d replicas", subject->name, removed);
}

void
karmada_deschedule(struct sim *sim)
{
    for (int w = 0; w < sim->n_workloads; w++) {
        const struct sim_workload *workload = &sim->workloads[w];

        if (workload->binding != NULL && workload->kind == SIM_DEPLOYMENT &&
            (workload->strategy == STRATEGY_AGGREGATED ||
             workload->strategy == STRATEGY_DYNAMIC_WEIGHT)) {
            deschedule_one(sim, w);
        }
    }
}
