/* SPDX-License-Identifier: Apache-2.0
 *
 * karmada-scheduler (karmada pkg/scheduler): the decision is the library's port
 * of it, which the conformance vectors hold to the real one. Of capacity it
 * knows the Clusters' status and what each member's estimator tells of its
 * nodes; of a member that is gone the estimator tells what it saw last. It
 * remembers nothing from one binding to the next.
 */
#include "../upstream_trigger.h"
#include "karmada.h"

#include <inttypes.h>

#include "api.h"
#include "checks.h"
#include "member.h"
#include "objects.h"
#include "observe.h"

#include "ballast/base/timestamp.h"
#include "ballast/schedule/estimate.h"
#include "ballast/schedule/schedule.h"

#define TEXT_MAX ((size_t)1 << 20)
#define BACKOFF_MAX 1000 /* seconds: workqueue's default */

struct estimators {
    const struct sim *sim;
    const struct fleet *fleet;
    const struct sim_workload *workload;
};

static int32_t
available(void *context, uint32_t index, const struct requirements *requirements)
{
    struct estimators *estimators = context;
    const struct cluster *cluster = &estimators->fleet->clusters[index];
    int32_t general = estimate_cluster(cluster, requirements);
    int c = sim_find_cluster(estimators->sim, cluster->name);

    general = general < 0 ? 0 : general;
    int accurate = member_room(&estimators->sim->clusters[c], estimators->workload->cpu);

    return accurate < general ? accurate : general;
}

static void
write_result(struct sim *sim, int workload, const struct schedule_result *result)
{
    struct error err = ERROR_INIT;
    struct buf text;

    buf_init(&text, TEXT_MAX);
    buf_append_str(&text, "{\"spec\":{\"clusters\":[");
    for (uint32_t i = 0; i < result->targets.count; i++) {
        buf_printf(&text, "%s{\"name\":\"%s\",\"replicas\":%d}", i > 0 ? "," : "",
                   result->targets.items[i].name, result->targets.items[i].replicas);
    }
    buf_append_str(&text, "]}}");
    if (!api_patch(sim, workload, WRITER_SCHEDULER, &text, &err)) {
        BUG("%s", err.message);
    }
    buf_release(&text);
}

static void
write_status(struct sim *sim, int workload, bool scheduled)
{
    struct sim_workload *subject = &sim->workloads[workload];
    char now[TIMESTAMP_TEXT_MAX];
    struct buf text;

    subject->observed = subject->generation;
    subject->backoff = 0;
    buf_init(&text, TEXT_MAX);
    buf_printf(&text, "{\"status\":{\"schedulerObservedGeneration\":%" PRId64, subject->observed);
    if (subject->overflow != 0) {
        buf_append_str(&text, ",\"schedulerObservingAffinityName\":\"tiers\"");
    }
    if (scheduled) {
        subject->asked = 0;
        subject->placed = sim->now;
        buf_printf(&text, ",\"lastScheduledTime\":\"%s\"",
                   timestamp_format(sim->now * NANOS_PER_SECOND, now));
    }
    buf_append_str(&text, "}}");
    api_patch_status(sim, workload, &text);
    buf_release(&text);
}

/* Tried again after ever longer waits; below a tick nothing would have changed. */
static void
wait_longer(struct sim *sim, struct sim_workload *workload, const char *why)
{
    workload->backoff = workload->backoff == 0 ? TICK : 2 * workload->backoff;
    workload->backoff = workload->backoff > BACKOFF_MAX ? BACKOFF_MAX : workload->backoff;
    workload->next_try = sim->now + workload->backoff;
    sim_tell(sim, "%s: karmada-scheduler: %s", workload->name, why);
}

static void
tell_result(const struct sim *sim, const struct sim_workload *workload)
{
    struct buf line;

    buf_init(&line, TEXT_MAX);
    sim_show_split(sim, workload->split, &line);
    sim_tell(sim, "%s: karmada-scheduler: %s", workload->name, buf_text(&line));
    buf_release(&line);
}

static void
schedule_one(struct sim *sim, int workload, const struct fleet *fleet, struct arena *arena)
{
    struct sim_workload *subject = &sim->workloads[workload];
    struct estimators estimators = {.sim = sim, .fleet = fleet, .workload = subject};
    const struct binding *binding = observe_find(fleet, subject);
    struct schedule_result result;

    if (upstream_trigger(fleet, binding) == TRIGGER_NONE) {
        write_status(sim, workload, false);
        return;
    }
    struct schedule_request request = schedule_request_as_upstream(
        binding, (struct capacity){.available = available, .context = &estimators});

    schedule(scheduler_new(arena, fleet), arena, &request, &result);
    if (result.failure == SCHEDULE_OK || result.failure == SCHEDULE_FIT_ERROR) {
        /* where no cluster fits at all upstream writes that, too: an empty result */
        write_result(sim, workload, &result);
        if (subject->asked != 0) { /* to divide it anew: what was taken from where counts no more */
            checks_saw_event(sim, NOBODY, workload);
        }
        write_status(sim, workload, true);
        tell_result(sim, subject);
    } else {
        wait_longer(sim, subject, result.message);
    }
}

static bool
is_due(const struct sim *sim, const struct sim_workload *workload)
{
    return workload->binding != NULL && workload->generation != workload->observed &&
           workload->next_try <= sim->now;
}

void
karmada_schedule(struct sim *sim)
{
    struct fleet *fleet = NULL;
    struct arena *arena = NULL;

    for (int w = 0; w < sim->n_workloads && !sim->unscheduled; w++) {
        if (!is_due(sim, &sim->workloads[w])) {
            continue;
        }
        if (fleet == NULL) {
            fleet = observe_control_plane(sim);
            arena = arena_new();
        }
        schedule_one(sim, w, fleet, arena);
    }
    fleet_free(fleet);
    arena_free(arena);
}
