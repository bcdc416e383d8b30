/* SPDX-License-Identifier: Apache-2.0
 *
 * What a member's estimator would answer, in the form of a snapshot.
 */
#include "api.h"
#include "member.h"
#include "objects.h"

#define TEXT_MAX ((size_t)1 << 20)
#define THRESHOLD 300

static void
write_stuck(const struct sim *sim, int cluster, struct buf *out)
{
    const char *comma = "";

    for (int w = 0; w < sim->n_workloads; w++) {
        const struct sim_workload *workload = &sim->workloads[w];

        if ((workload->assigned >> cluster & 1) != 0) {
            buf_printf(out,
                       "%s{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"namespace\":\"%s\","
                       "\"name\":\"%s\",\"replicas\":%d}",
                       comma, sim_kinds[workload->kind].api_version, sim_kinds[workload->kind].kind,
                       workload->namespace_, workload->name,
                       member_stuck(sim, cluster, w, THRESHOLD));
            comma = ",";
        }
    }
}

static bool
was_written(const struct sim *sim, int workload)
{
    for (int w = 0; w < workload; w++) {
        if (sim->workloads[w].cpu == sim->workloads[workload].cpu) {
            return true;
        }
    }
    return false;
}

static void
write_room(const struct sim *sim, int cluster, struct buf *out)
{
    const char *comma = "";

    for (int w = 0; w < sim->n_workloads; w++) {
        int cpu = sim->workloads[w].cpu;

        if (!was_written(sim, w)) {
            buf_printf(out,
                       "%s{\"requirements\":{\"resourceRequest\":{\"cpu\":\"%dm\"}},"
                       "\"replicas\":%d}",
                       comma, cpu, member_room(&sim->clusters[cluster], cpu));
            comma = ",";
        }
    }
}

const struct value *
objects_answers(struct sim *sim, int cluster)
{
    struct document **slot = &sim->clusters[cluster].answers;
    struct buf text;

    buf_init(&text, TEXT_MAX);
    buf_append_str(&text, "{\"apiVersion\":\"ballast.io/v1alpha1\",\"kind\":\"EstimatorAnswers\","
                          "\"unschedulableThreshold\":\"5m\",\"unschedulable\":[");
    write_stuck(sim, cluster, &text);
    buf_append_str(&text, "],\"available\":[");
    write_room(sim, cluster, &text);
    buf_append_str(&text, "]}");
    document_free(*slot);
    *slot = parse_own(&text);
    buf_release(&text);
    return document_root(*slot);
}
