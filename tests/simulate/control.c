/* SPDX-License-Identifier: Apache-2.0
 *
 * The controllers of the control plane.
 */
#include "control.h"

#include <string.h>

#include "api.h"
#include "objects.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

#define TEXT_MAX ((size_t)1 << 20)
#define FAILURE_SECONDS_PUSH 30 /* karmada's --cluster-failure-threshold */
#define FAILURE_SECONDS_PULL 60 /* its lease has to run out first */
#define SUMMARY_SECONDS 60      /* a resource summary is as old as that */
#define FINISHED ",\"conditions\":[{\"type\":\"Complete\",\"status\":\"True\"}]"
#define EVICTION_SECONDS 600 /* --graceful-eviction-timeout */

/* --- clusters --- */

static void
redraw(struct sim_cluster *cluster)
{
    document_free(cluster->document);
    cluster->document = NULL;
}

static void
sum_up(const struct sim *sim, struct sim_cluster *cluster)
{
    cluster->cpu = cluster->slots = 0;
    cluster->used = cluster->asked = 0;
    cluster->taken = cluster->waiting = 0;
    for (int n = 0; n < cluster->n_nodes; n++) {
        /* upstream's summary counts nodes that are ready, cordoned ones among them */
        cluster->cpu += cluster->nodes[n].present ? cluster->nodes[n].cpu : 0;
        cluster->slots += cluster->nodes[n].present ? POD_SLOTS : 0;
    }
    for (size_t i = 0; i < cluster->pods.count; i++) {
        const struct sim_pod *pod = &cluster->pods.items[i];

        *(pod->node != NOBODY ? &cluster->used : &cluster->asked) += pod->cpu;
        *(pod->node != NOBODY ? &cluster->taken : &cluster->waiting) += 1;
    }
    cluster->summed_up = sim->now;
    redraw(cluster);
}

static void
set_ready(const struct sim *sim, struct sim_cluster *cluster, bool ready)
{
    if (cluster->ready != ready) {
        cluster->ready = ready;
        cluster->since = sim->now;
        redraw(cluster);
        sim_tell(sim, "%s is %s", cluster->name, ready ? "ready" : "not ready");
    }
}

void
control_clusters(struct sim *sim)
{
    for (int c = 0; c < sim->n_clusters; c++) {
        struct sim_cluster *cluster = &sim->clusters[c];
        int64_t patience = cluster->pull ? FAILURE_SECONDS_PULL : FAILURE_SECONDS_PUSH;

        if (sim_reaches(cluster)) {
            cluster->contact = sim->now;
            set_ready(sim, cluster, true);
            if (sim->now - cluster->summed_up >= SUMMARY_SECONDS) {
                sum_up(sim, cluster);
            }
        } else if (sim->now - cluster->contact >= patience) {
            set_ready(sim, cluster, false);
        }
    }
}

/* --- the status of bindings --- */

static bool
is_healthy(const struct sim_status *status)
{
    return status->present && !status->denied && status->ready == status->replicas &&
           status->count == status->replicas;
}

static void
write_item(const struct sim_cluster *cluster, const struct sim_workload *subject,
           const struct sim_status *status, struct buf *out)
{
    const char *applied = status->denied
                              ? "false,\"appliedMessage\":\"admission webhook denied the request\""
                              : "true";

    if (!status->present) {
        buf_printf(out, "{\"clusterName\":\"%s\",\"applied\":%s}", cluster->name, applied);
        return;
    }
    buf_printf(out, "{\"clusterName\":\"%s\",\"applied\":%s,\"health\":\"%s\",\"status\":{",
               cluster->name, applied, is_healthy(status) ? "Healthy" : "Unhealthy");
    if (subject->kind == SIM_JOB) {
        buf_printf(out, "\"active\":%d%s}}", status->count, subject->is_finished ? FINISHED : "");
        return;
    }
    buf_printf(out, "\"replicas\":%d", status->count);
    if (status->ready > 0) { /* Kubernetes leaves a count of 0 out */
        buf_printf(out, ",\"readyReplicas\":%d,\"availableReplicas\":%d", status->ready,
                   status->ready);
    }
    buf_append_str(out, "}}");
}

/* What a member that is out of reach said last stays. */
static struct sim_status
look(struct sim *sim, int workload, int cluster)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    const struct sim_deployment *deployment = sim_deployment(sim, cluster, workload);

    if (((subject->assigned | subject->evicting) >> cluster & 1) == 0) {
        return (struct sim_status){0};
    }
    if (!sim_reaches(&sim->clusters[cluster])) {
        return subject->status[cluster];
    }
    return (struct sim_status){
        .present = deployment->replicas != NOBODY,
        .denied = (subject->denied_by >> cluster & 1) != 0,
        .replicas = deployment->replicas,
        .count = deployment->count,
        .ready = deployment->ready,
    };
}

static bool
same_status(const struct sim_status *a, const struct sim_status *b)
{
    return a->present == b->present && a->denied == b->denied &&
           (!a->present ||
            (a->replicas == b->replicas && a->count == b->count && a->ready == b->ready));
}

static void
write_aggregated(struct sim *sim, int workload)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    const char *comma = "";
    struct buf text;

    buf_init(&text, TEXT_MAX);
    buf_append_str(&text, "{\"status\":{\"aggregatedStatus\":[");
    for (int c = 0; c < sim->n_clusters; c++) {
        if (subject->status[c].present || subject->status[c].denied) {
            buf_append_str(&text, comma);
            write_item(&sim->clusters[c], subject, &subject->status[c], &text);
            comma = ",";
        }
    }
    buf_append_str(&text, "]}}");
    api_patch_status(sim, workload, &text);
    buf_release(&text);
}

void
control_collect_status(struct sim *sim)
{
    for (int w = 0; w < sim->n_workloads; w++) {
        bool changed = false;

        for (int c = 0; c < sim->n_clusters && sim->workloads[w].binding != NULL; c++) {
            struct sim_status status = look(sim, w, c);

            changed = changed || !same_status(&status, &sim->workloads[w].status[c]);
            sim->workloads[w].status[c] = status;
        }
        if (changed) {
            write_aggregated(sim, w);
        }
    }
}

/* --- graceful eviction --- */

static const struct value *
tasks_of(const struct sim_workload *workload)
{
    return value_get(value_get(document_root(workload->binding), "spec"), "gracefulEvictionTasks");
}

/* Every cluster that the binding is scheduled to reports it healthy. */
static bool
is_replaced(const struct sim *sim, const struct sim_workload *workload)
{
    for (int c = 0; c < sim->n_clusters; c++) {
        if ((workload->assigned >> c & 1) != 0 && !is_healthy(&workload->status[c])) {
            return false;
        }
    }
    return workload->observed == workload->generation;
}

static bool
is_over(const struct sim *sim, const struct sim_workload *workload, const struct value *task)
{
    const struct value *suppress = value_get(task, "suppressDeletion");
    const struct value *grace = value_get(task, "gracePeriodSeconds");
    int64_t patience = grace != NULL ? value_integer(grace) : EVICTION_SECONDS;
    int64_t created = 0;

    if (suppress != NULL) {
        return !value_bool(suppress);
    }
    timestamp_parse(value_string(value_get(task, "creationTimestamp")), &created);
    return sim->now > created / NANOS_PER_SECOND + patience || is_replaced(sim, workload);
}

/* A task that has no time of creation yet is given one. */
static void
stamp(const struct sim *sim, const struct value *task, struct buf *out)
{
    char now[TIMESTAMP_TEXT_MAX];
    struct buf text;

    buf_init(&text, TEXT_MAX);
    buf_printf(&text, "{\"creationTimestamp\":\"%s\"}",
               timestamp_format(sim->now * NANOS_PER_SECOND, now));
    struct document *time = parse_own(&text);
    struct document *stamped = document_merge(task, document_root(time));

    value_write_json(document_root(stamped), false, out);
    document_free(stamped);
    document_free(time);
    buf_release(&text);
}

static bool
keep_tasks(const struct sim *sim, const struct sim_workload *workload, const struct value *tasks,
           struct buf *out)
{
    const char *comma = "";
    bool changed = false;

    for (size_t i = 0; i < value_count(tasks); i++) {
        const struct value *task = value_at(tasks, i);
        bool is_new = value_get(task, "creationTimestamp") == NULL;

        if (!is_new && is_over(sim, workload, task)) {
            sim_tell(sim, "%s: eviction from %s is over", workload->name,
                     value_string(value_get(task, "fromCluster")));
            changed = true;
            continue;
        }
        buf_append_str(out, comma);
        comma = ",";
        changed = changed || is_new;
        if (is_new) {
            stamp(sim, task, out);
        } else {
            value_write_json(task, false, out);
        }
    }
    return changed;
}

void
control_evictions(struct sim *sim)
{
    for (int w = 0; w < sim->n_workloads; w++) {
        struct error err = ERROR_INIT;
        const struct value *tasks =
            sim->workloads[w].evicting != 0 ? tasks_of(&sim->workloads[w]) : NULL;
        struct buf text;

        if (tasks == NULL || value_count(tasks) == 0) {
            continue;
        }
        buf_init(&text, TEXT_MAX);
        buf_append_str(&text, "{\"spec\":{\"gracefulEvictionTasks\":[");
        bool changed = keep_tasks(sim, &sim->workloads[w], tasks, &text);

        buf_append_str(&text, "]}}");
        if (changed && !api_patch(sim, w, WRITER_CONTROLLER, &text, &err)) {
            BUG("%s", err.message);
        }
        buf_release(&text);
    }
}

/* --- the user --- */

void
control_taint(struct sim *sim, struct sim_cluster *cluster, bool tainted)
{
    sim_tell(sim, "%s: maintenance %s", cluster->name, tainted ? "begins" : "is over");
    cluster->tainted = tainted ? sim->now : 0;
    redraw(cluster);
}

void
control_reschedule(struct sim *sim, int workload)
{
    char now[TIMESTAMP_TEXT_MAX];

    sim_tell(sim, "%s is to be placed anew", sim->workloads[workload].name);
    sim->workloads[workload].asked = sim->now;
    api_write(sim, workload, WRITER_USER, "{\"spec\":{\"rescheduleTriggeredAt\":\"%s\"}}",
              timestamp_format(sim->now * NANOS_PER_SECOND, now));
}

void
control_scale(struct sim *sim, int workload, int replicas)
{
    struct sim_workload *subject = &sim->workloads[workload];

    sim_tell(sim, "%s is scaled from %d to %d", subject->name, subject->replicas, replicas);
    measures_saw_scale(sim, workload, replicas - subject->replicas);
    subject->replicas = replicas;
    api_write(sim, workload, WRITER_USER, "{\"spec\":{\"replicas\":%d}}", replicas);
}
