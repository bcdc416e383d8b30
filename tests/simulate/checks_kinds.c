/* SPDX-License-Identifier: Apache-2.0
 *
 * Invariants about clusters that fail or refuse, and about kinds of workloads.
 */
#include "checks_parts.h"
#include "member.h"

void
checks_watch_failing(struct sim *sim)
{
    for (int c = 0; c < sim->n_clusters; c++) {
        const struct sim_cluster *there = &sim->clusters[c];

        for (size_t i = 0; i < there->pods.count && sim_reaches(there); i++) {
            const struct sim_pod *pod = &there->pods.items[i];
            bool fails = pod->workload != NOBODY && pod->state == POD_CRASHING &&
                         pod->since >= there->poisoned && sim->now - pod->since > THRESHOLD;

            if (fails) {
                sim->checks->failed[pod->workload][c] = sim->now;
            }
        }
    }
}

bool
checks_known_to_fail(const struct sim *sim, int cluster)
{
    const struct sim_cluster *there = &sim->clusters[cluster];
    int count = 0;

    for (int w = 0; w < sim->n_workloads; w++) { /* each has a policy of its own */
        int64_t failed = sim->checks->failed[w][cluster];

        count += failed > there->poisoned && sim->now - failed <= REMEMBERED_SECONDS ? 1 : 0;
    }
    return there->poisoned != 0 && count >= 3 && sim_reaches(there) && !sim->estimators;
}

bool
checks_refused_long(const struct sim *sim, const struct sim_workload *subject, int cluster)
{
    int64_t since = subject->refused > subject->placed ? subject->refused : subject->placed;

    return ((subject->denied_by | subject->starved_in) >> cluster & 1) != 0 &&
           (subject->assigned >> cluster & 1) != 0 && sim->now - since > REFUSED_SECONDS &&
           sim_reaches(&sim->clusters[cluster]) && !sim->estimators;
}

bool
checks_pods_seen(struct sim *sim, int workload)
{
    for (int c = 0; c < sim->n_clusters && !sim->estimators; c++) {
        if (sim_reaches(&sim->clusters[c]) && sim_deployment(sim, c, workload)->count > 0) {
            return true;
        }
    }
    return false;
}

/* As many clusters as before have as many replicas each. */
static bool
is_divided_alike(const int *before, const int *after)
{
    bool met[SIM_CLUSTERS] = {false};

    for (int c = 0; c < SIM_CLUSTERS; c++) {
        int match = 0;

        while (match < SIM_CLUSTERS && (met[match] || after[match] != before[c])) {
            match++;
        }
        if (match == SIM_CLUSTERS) {
            return false;
        }
        met[match] = true;
    }
    return true;
}

/* Stuck ones from its highest ordinal down. */
static int
stuck_from_top(const struct sim *sim, int workload, int cluster)
{
    const struct sim_cluster *there = &sim->clusters[cluster];
    int highest_running = NOBODY, stuck = 0;

    for (size_t i = 0; i < there->pods.count; i++) {
        const struct sim_pod *pod = &there->pods.items[i];
        bool is_stuck = pod->state == POD_PENDING || pod->state == POD_CRASHING;

        if (pod->workload == workload && !is_stuck && pod->number > highest_running) {
            highest_running = pod->number;
        }
    }
    for (size_t i = 0; i < there->pods.count; i++) {
        const struct sim_pod *pod = &there->pods.items[i];

        stuck += pod->workload == workload && pod->number > highest_running ? 1 : 0;
    }
    return stuck;
}

static void
check_autoscaled(struct sim *sim, int workload, const int *before)
{
    const struct sim_workload *subject = &sim->workloads[workload];

    for (int c = 0; c < sim->n_clusters && subject->autoscaled > 0 && !sim->estimators; c++) {
        bool must_leave = checks_is_lost(sim, c) || sim_must_leave(sim, subject, c);

        if (subject->split[c] < before[c] && !must_leave) {
            checks_complain_of(sim, workload, "the member's autoscaler counts there", c, before);
        }
    }
}

void
checks_kind(struct sim *sim, int workload, const int *before)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    bool is_scaled = checks_sum_of(before) != subject->replicas;

    if (subject->is_finished) {
        checks_complain_of(sim, workload, "it has finished, and moves", NOBODY, before);
    }
    if (!is_scaled) {
        check_autoscaled(sim, workload, before);
    }
    if (subject->kind == SIM_DEPLOYMENT || subject->kind == SIM_JOB || is_scaled) {
        return;
    }
    if (!sim->checks->allowance.moves_all_kinds) {
        checks_complain_of(sim, workload, "its kind may not move", NOBODY, before);
    }
    if (subject->kind == SIM_ENGINE && !is_divided_alike(before, subject->split)) {
        checks_complain_of(sim, workload, "it is divided, and works only as a whole", NOBODY,
                           before);
    }
    for (int c = 0; c < sim->n_clusters && subject->kind == SIM_STATEFUL_SET; c++) {
        bool is_seen_there = sim_reaches(&sim->clusters[c]) && !checks_is_lost(sim, c);

        if (is_seen_there && before[c] - subject->split[c] > stuck_from_top(sim, workload, c)) {
            checks_complain_of(sim, workload, "lower ordinals leave than are stuck", c, before);
        }
    }
}

void
checks_tour(struct sim *sim, int workload, const int *before)
{
    struct checks *checks = sim->checks;
    const struct sim_workload *subject = &sim->workloads[workload];
    bool left = false;

    for (int c = 0; c < sim->n_clusters; c++) {
        left =
            left || (subject->split[c] < before[c] && !checks_is_lost(sim, c) &&
                     sim_reaches(&sim->clusters[c]) && checks_sum_of(before) == subject->replicas);
    }
    if (checks->toured_since[workload] != checks->workload_event[workload]) {
        checks->toured_since[workload] = checks->workload_event[workload];
        checks->tours[workload] = 0;
    }
    checks->tours[workload] += left && subject->crashing ? 1 : 0;
    if (checks->tours[workload] > MAX_TOURS) {
        checks_complain_of(sim, workload, "it crashes wherever it is sent", NOBODY, before);
    }
}
