/* SPDX-License-Identifier: Apache-2.0
 *
 * Karmada's cluster failover where an operator has asked for it: a cluster that
 * is not ready carries a NoExecute taint, and 300 seconds later (the tolerations
 * that the webhook adds by default) the taint manager (karmada
 * pkg/controllers/cluster/taint_manager.go) takes it out of spec.clusters and
 * leaves a graceful eviction task. Where the replicas go is karmada-scheduler's
 * business.
 */
#include "api.h"
#include "karmada.h"

#include "ballast/base/str.h"

#define TEXT_MAX ((size_t)1 << 20)
#define TOLERATION_SECONDS 300
#define EVICTION_SECONDS 2 /* --resource-eviction-rate 0.5: one in so many seconds */

static void
write_entries(const struct value *list, const char *without, struct buf *out)
{
    const char *comma = "";

    for (size_t i = 0; list != NULL && i < value_count(list); i++) {
        const struct value *entry = value_at(list, i);
        const struct value *name = value_get(entry, "name");

        if (name == NULL || !str_eq(value_string(name), without)) {
            buf_append_str(out, comma);
            value_write_json(entry, false, out);
            comma = ",";
        }
    }
}

static void
evict(struct sim *sim, int workload, int cluster)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    const struct value *spec = value_get(document_root(subject->binding), "spec");
    const char *name = sim->clusters[cluster].name;
    struct error err = ERROR_INIT;
    struct buf text;

    buf_init(&text, TEXT_MAX);
    buf_append_str(&text, "{\"spec\":{\"clusters\":[");
    write_entries(value_get(spec, "clusters"), name, &text);
    buf_append_str(&text, "],\"gracefulEvictionTasks\":[");
    write_entries(value_get(spec, "gracefulEvictionTasks"), "", &text);
    if ((subject->evicting >> cluster & 1) == 0) {
        buf_printf(&text,
                   "%s{\"fromCluster\":\"%s\",\"purgeMode\":\"Gracefully\",\"replicas\":%d,"
                   "\"reason\":\"TaintUntolerated\",\"producer\":\"TaintManager\"}",
                   subject->evicting != 0 ? "," : "", name, subject->split[cluster]);
    }
    buf_append_str(&text, "]}}");
    if (!api_patch(sim, workload, WRITER_POLICY, &text, &err)) {
        BUG("%s", err.message);
    }
    buf_release(&text);
    sim_tell(sim, "%s: the taint manager evicts it from %s", subject->name, name);
}

void
karmada_evict_tainted(struct sim *sim)
{
    int evicted = 0;

    for (int c = 0; c < sim->n_clusters; c++) {
        const struct sim_cluster *cluster = &sim->clusters[c];
        bool is_due = !cluster->ready && sim->now - cluster->since >= TOLERATION_SECONDS;

        for (int w = 0; is_due && w < sim->n_workloads && evicted < TICK / EVICTION_SECONDS; w++) {
            if ((sim->workloads[w].assigned >> c & 1) != 0) {
                evict(sim, w, c);
                evicted++;
            }
        }
    }
}
