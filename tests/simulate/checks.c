/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of runs.
 */
#include "checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "checks_parts.h"
#include "member.h"
#include "room.h"

struct checks *
checks_new(const struct allowance *allowance)
{
    struct checks *checks = calloc(1, sizeof(*checks));

    if (checks == NULL) {
        out_of_memory();
    }
    checks->allowance = *allowance;
    buf_init(&checks->complaints, TEXT_MAX);
    return checks;
}

void
checks_free(struct checks *checks)
{
    if (checks != NULL) {
        buf_release(&checks->complaints);
        free(checks);
    }
}

const char *
checks_complaints(const struct checks *checks)
{
    return buf_text(&checks->complaints);
}

static void complain(struct sim *sim, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
complain(struct sim *sim, const char *format, ...)
{
    struct checks *checks = sim->checks;
    char line[512];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    sim_tell(sim, "WRONG %s", line);
    if (checks->n_complaints++ < COMPLAINTS_MAX) {
        buf_printf(&checks->complaints, "after %lld minutes: %s\n",
                   (long long)(sim->now - SIM_START) / 60, line);
    }
}

void
checks_complain_of(struct sim *sim, int workload, const char *what, int cluster, const int *before)
{
    struct buf splits;

    buf_init(&splits, TEXT_MAX);
    sim_show_split(sim, before, &splits);
    buf_append_str(&splits, " -> ");
    sim_show_split(sim, sim->workloads[workload].split, &splits);
    complain(sim, "%s: %s%s%s: %s", sim->workloads[workload].name, what,
             cluster == NOBODY ? "" : " in ", cluster == NOBODY ? "" : sim->clusters[cluster].name,
             buf_text(&splits));
    buf_release(&splits);
}

void
checks_saw_event(struct sim *sim, int cluster, int workload)
{
    if (sim->checks == NULL) {
        return;
    }
    for (int c = 0; c < SIM_CLUSTERS; c++) {
        if (c == cluster || cluster == NOBODY) {
            sim->checks->cluster_event[c] = sim->now;
        }
    }
    if (workload != NOBODY) {
        sim->checks->workload_event[workload] = sim->now;
    }
}

/* --- one run --- */

void
checks_begin_run(struct sim *sim)
{
    struct checks *checks = sim->checks;

    if (checks == NULL) {
        return;
    }
    checks->moved = checks->changed = 0;
    checks_watch_failing(sim);
    memset(checks->arrived, 0, sizeof(checks->arrived));
    memset(checks->gone, 0, sizeof(checks->gone));
    for (int c = 0; c < sim->n_clusters; c++) {
        checks->given[c] = 0;
        checks->room[c] = room_in_all(sim, c);
        for (int w = 0; w < sim->n_workloads; w++) {
            int more = sim_deployment(sim, c, w)->count - sim->workloads[w].split[c];

            checks->surplus[w][c] = more > 0 ? more : 0;
        }
    }
}

bool
checks_is_lost(const struct sim *sim, int cluster)
{
    return !sim->clusters[cluster].ready && sim->now - sim->clusters[cluster].since >= THRESHOLD;
}

int
checks_sum_of(const int *split)
{
    int sum = 0;

    for (int c = 0; c < SIM_CLUSTERS; c++) {
        sum += split[c];
    }
    return sum;
}

static void
check_sum(struct sim *sim, int workload, const int *before)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int sum = checks_sum_of(subject->split), had = checks_sum_of(before);
    /* of a scale-up, what fits is placed */
    bool adds_up = sum == subject->replicas || (sum >= had && sum < subject->replicas);

    if (subject->strategy != STRATEGY_DUPLICATED) {
        if (sim->checks->allowance.evicts ? sum >= had : !adds_up) {
            checks_complain_of(sim, workload, "the sum is wrong", NOBODY, before);
        }
        return;
    }
    for (int c = 0; c < sim->n_clusters; c++) {
        if ((subject->assigned >> c & 1) != 0 && subject->split[c] != subject->replicas) {
            checks_complain_of(sim, workload, "a copy is not whole", c, before);
        }
    }
}

static bool
is_guarded(const struct sim *sim)
{
    int not_ready = 0;

    for (int c = 0; c < sim->n_clusters; c++) {
        not_ready += sim->clusters[c].ready ? 0 : 1;
    }
    /* by region, with three of them or more: what is left of the fleet tells of a lost one */
    const bool by_region =
        sim->checks->allowance.by_region || sim->clusters[sim->n_clusters - 1].region >= 2;

    return !by_region && not_ready * 100 >= GUARD_PERCENT * sim->n_clusters;
}

/* Pods that do not run although they have had the time, of those that are still assigned there. */
static bool
keeps_idle(struct sim *sim, int workload, int cluster)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    const struct sim_deployment *deployment = sim_deployment(sim, cluster, workload);
    bool is_reached = sim_reaches(&sim->clusters[cluster]);
    int stuck = is_reached ? member_stuck(sim, cluster, workload, THRESHOLD) : 0;

    return checks_is_lost(sim, cluster) && !is_guarded(sim)
               ? subject->split[cluster] > 0
               : stuck > 0 && subject->split[cluster] > deployment->count - stuck;
}

/* A scale-down ends first what does not run, wherever it is; of copies it ends some of each. */
static void
check_scaled_down(struct sim *sim, int workload, int cluster, const int *before)
{
    bool is_divided = sim->workloads[workload].strategy != STRATEGY_DUPLICATED;

    for (int c = 0; is_divided && c < sim->n_clusters; c++) {
        if (c != cluster && keeps_idle(sim, workload, c)) {
            checks_complain_of(sim, workload,
                               "a scale-down ends what runs, and keeps what does not", cluster,
                               before);
        }
    }
}

static int
running_before(struct sim *sim, int workload, int cluster, const int *before)
{
    int ready = sim_deployment(sim, cluster, workload)->ready;

    return ready < before[cluster] ? ready : before[cluster];
}

static bool
is_asked_for(const struct sim *sim, const struct sim_workload *workload)
{
    int64_t waited = sim->checks->waited[workload - sim->workloads];
    int64_t since = waited > workload->asked ? waited : workload->asked;

    return workload->asked != 0 && sim->now - since <= ASKED_SECONDS;
}

/* A part of it is where nothing may be divided: out of reach, just back, or to be left. */
static bool
is_waiting(const struct sim *sim, const struct sim_workload *workload)
{
    bool waits = false;

    for (int c = 0; c < sim->n_clusters; c++) {
        const struct sim_cluster *there = &sim->clusters[c];
        bool is_well = there->ready && sim->now - there->since >= SETTLING &&
                       !sim_must_leave(sim, workload, c);

        waits = waits || (workload->split[c] > 0 && !is_well);
    }
    return waits;
}

static bool
may_leave(const struct sim *sim, const struct sim_workload *workload, int cluster)
{
    bool is_sick = workload->crashing || sim->clusters[cluster].poisoned != 0 ||
                   (workload->broken_in >> cluster & 1) != 0;

    return is_sick || sim_must_leave(sim, workload, cluster) ||
           (sim->checks->allowance.balances && workload->strategy == STRATEGY_STATIC_WEIGHT);
}

/* Every copy has all of its replicas, wherever it is already. */
static bool
is_copy(const struct sim_workload *subject, int cluster, const int *before)
{
    return subject->strategy == STRATEGY_DUPLICATED && before[cluster] > 0 &&
           subject->split[cluster] > 0;
}

/* It ends replicas in that cluster. */
static bool
is_scaled_down_in(const struct sim_workload *subject, int cluster, const int *before)
{
    return subject->strategy == STRATEGY_DUPLICATED
               ? is_copy(subject, cluster, before) && before[cluster] > subject->replicas
               : checks_sum_of(before) > subject->replicas;
}

static void
check_taken(struct sim *sim, int workload, int cluster, const int *before)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    bool is_scaled_down = is_scaled_down_in(subject, cluster, before);
    bool is_asked = is_asked_for(sim, subject);
    bool may_move = is_asked || may_leave(sim, subject, cluster);
    bool lost = checks_is_lost(sim, cluster);
    bool is_running = subject->split[cluster] < running_before(sim, workload, cluster, before) &&
                      !lost && sim_reaches(&sim->clusters[cluster]);

    if (is_running && !may_move && is_scaled_down) {
        check_scaled_down(sim, workload, cluster, before);
    } else if (is_running && !may_move) {
        checks_complain_of(sim, workload, "running replicas are taken away", cluster, before);
    }
    if (is_scaled_down) {
        return;
    }
    if (is_asked && !lost && !sim->clusters[cluster].ready) {
        checks_complain_of(sim, workload, "a reschedule leaves what may come back", cluster,
                           before);
    }
    if (lost && is_guarded(sim)) {
        checks_complain_of(sim, workload, "the observer is cut off, and takes replicas away",
                           cluster, before);
    }
}

/* There and back again within the hour, and nothing happened that would call for it. */
static bool
flaps(const struct sim *sim, int workload, int cluster, const int *before)
{
    const struct checks *checks = sim->checks;
    int64_t left = checks->left[workload][cluster];
    /* what waited of a reschedule is back: it is divided once more, all of it */
    bool completes =
        is_asked_for(sim, &sim->workloads[workload]) && checks->waited[workload] >= left;
    bool forced = completes || checks->workload_event[workload] > left ||
                  checks->cluster_event[cluster] > left;

    for (int c = 0; c < sim->n_clusters; c++) {
        bool is_left = sim->workloads[workload].split[c] < before[c];

        forced = forced || (is_left && (checks->cluster_event[c] > left || checks_is_lost(sim, c)));
    }
    return left > 0 && sim->now - left < UNDONE_SECONDS && !forced;
}

static void
check_given(struct sim *sim, int workload, int cluster, const int *before)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int more = subject->split[cluster] - before[cluster];
    int with_room = more - sim->checks->surplus[workload][cluster];

    if (sim->checks->allowance.evicts) {
        checks_complain_of(sim, workload, "replicas are given in mode Evict", cluster, before);
    }
    bool is_scaled = is_copy(subject, cluster, before);

    if (!is_scaled && !sim->clusters[cluster].ready) {
        checks_complain_of(sim, workload, "replicas are given to a cluster that is not ready",
                           cluster, before);
    }
    if ((subject->evicting >> cluster & 1) != 0) {
        checks_complain_of(sim, workload, "replicas are given to a cluster under eviction", cluster,
                           before);
    }
    if (!sim_allows(subject, cluster)) {
        checks_complain_of(sim, workload, "the placement does not allow it", cluster, before);
    }
    if (sim_must_leave(sim, subject, cluster)) {
        checks_complain_of(sim, workload, "it would have to leave at once", cluster, before);
    }
    if (!is_scaled && checks_known_to_fail(sim, cluster)) {
        checks_complain_of(sim, workload, "replicas are given to a cluster that fails all", cluster,
                           before);
    }
    if (!is_scaled && checks_refused_long(sim, subject, cluster)) {
        checks_complain_of(sim, workload, "replicas are given to a cluster that refuses them",
                           cluster, before);
    }
    if (flaps(sim, workload, cluster, before)) {
        checks_complain_of(sim, workload, "it goes back within the hour", cluster, before);
    }
    if (with_room > 0 && !is_scaled) {
        int sidecar = checks_pods_seen(sim, workload) ? subject->sidecar : 0;

        sim->checks->given[cluster] += (int64_t)with_room * (subject->cpu + sidecar);
    }
}

static void
check_tasks(struct sim *sim, int workload)
{
    const struct value *spec = value_get(document_root(sim->workloads[workload].binding), "spec");
    const struct value *tasks = value_get(spec, "gracefulEvictionTasks");
    unsigned seen = 0;

    for (size_t i = 0; tasks != NULL && i < value_count(tasks); i++) {
        const char *name = value_string(value_get(value_at(tasks, i), "fromCluster"));
        int cluster = sim_find_cluster(sim, name);

        if (cluster != NOBODY && (seen >> cluster & 1) != 0) {
            complain(sim, "%s: two eviction tasks for %s", sim->workloads[workload].name, name);
        }
        seen |= cluster != NOBODY ? 1u << cluster : 0;
    }
}

/* What a scale up adds has come from nowhere: as much of what arrives is not held against a limit,
 * wherever it arrives. What a scale down takes, likewise. */
static void
count_moved(struct sim *sim, int workload, const int *before)
{
    const int *after = sim->workloads[workload].split;
    int more = checks_sum_of(after) - checks_sum_of(before);
    int grown = more > 0 ? more : 0, shrunk = more < 0 ? -more : 0;
    int arrived = 0;

    for (int c = 0; c < sim->n_clusters; c++) {
        int delta = after[c] - before[c];

        arrived += delta > 0 ? delta : 0;
        sim->checks->arrived[c] += delta > grown ? delta - grown : 0;
        sim->checks->gone[c] += -delta > shrunk ? -delta - shrunk : 0;
    }
    sim->checks->moved += arrived > grown ? arrived - grown : 0;
}

void
checks_saw_write(struct sim *sim, int workload, const int *before)
{
    struct checks *checks = sim->checks;

    if (checks == NULL) {
        return;
    }
    checks->changed++;
    count_moved(sim, workload, before);
    check_sum(sim, workload, before);
    checks_kind(sim, workload, before);
    checks_tour(sim, workload, before);
    check_tasks(sim, workload);
    for (int c = 0; c < sim->n_clusters; c++) {
        if (sim->workloads[workload].split[c] > before[c]) {
            check_given(sim, workload, c, before);
        } else if (sim->workloads[workload].split[c] < before[c]) {
            check_taken(sim, workload, c, before);
            checks->left[workload][c] = sim->now;
        }
    }
}

/* --- after a run --- */

static void
check_room(struct sim *sim)
{
    struct checks *checks = sim->checks;

    for (int c = 0; c < sim->n_clusters; c++) {
        if (checks->given[c] > checks->room[c] && sim_reaches(&sim->clusters[c])) {
            complain(sim, "%s is given %lldm cpu, %lldm were free", sim->clusters[c].name,
                     (long long)checks->given[c], (long long)checks->room[c]);
        }
    }
}

static void
check_limit(struct sim *sim, const char *what, int done, int limit)
{
    if (limit >= 0 && done > limit) {
        complain(sim, "%d %s, the limit is %d", done, what, limit);
    }
}

/* Replicas that are assigned where no node takes them. */
static int
stuck_replicas(struct sim *sim, int workload)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int sum = 0;

    for (int c = 0; c < sim->n_clusters; c++) {
        const struct sim_deployment *deployment = sim_deployment(sim, c, workload);
        int stuck = sim_reaches(&sim->clusters[c]) ? member_stuck(sim, c, workload, THRESHOLD) : 0;
        int rest = subject->split[c] - (deployment->count - stuck);

        sum += stuck == 0 || rest <= 0 ? 0 : rest < stuck ? rest : stuck;
    }
    return sum;
}

/* It has replicas there, and none of them is ready: none is to follow them. */
static bool
is_down_in(struct sim *sim, int workload, int cluster)
{
    const struct sim_deployment *deployment = sim_deployment(sim, cluster, workload);

    return deployment->count > 0 && deployment->ready == 0;
}

/* There is room for one more without a doubt, and nothing that Ballast may know speaks against. */
static bool
could_take(struct sim *sim, int workload, int cluster)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    const struct sim_cluster *there = &sim->clusters[cluster];
    bool is_weighed = subject->strategy != STRATEGY_STATIC_WEIGHT || subject->weights[cluster] > 0;
    bool is_bad = ((subject->refused_by | subject->evicting | subject->broken_in |
                    subject->denied_by | subject->starved_in) >>
                       cluster &
                   1) != 0;

    return sim_allows(subject, cluster) && is_weighed && !is_bad &&
           !is_down_in(sim, workload, cluster) && there->ready && there->poisoned == 0 &&
           there->tainted == 0 && sim_reaches(there) && sim->now - there->since > THRESHOLD &&
           sim->checks->left[workload][cluster] == 0 &&
           member_stuck(sim, cluster, workload, 0) == 0 &&
           room_for_one(sim, cluster, subject->cpu + subject->sidecar);
}

/* No back-off goes on for ever. */
static int
patience_with(const struct sim *sim, int workload)
{
    int patience = sim->checks->allowance.patience;

    return patience >= 0 && api_attempt(sim, workload) >= MAX_ATTEMPTS ? patience + FORGOTTEN
                                                                       : patience;
}

static void
check_neglect(struct sim *sim, int workload)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int *cycles = &sim->checks->neglected[workload];
    int where = NOBODY;

    if (subject->strategy != STRATEGY_DUPLICATED && subject->kind == SIM_DEPLOYMENT &&
        subject->autoscaled == 0 && stuck_replicas(sim, workload) > 0) {
        for (int c = 0; c < sim->n_clusters && where == NOBODY; c++) {
            where = could_take(sim, workload, c) ? c : NOBODY;
        }
    }
    *cycles = where == NOBODY ? 0 : *cycles + 1;
    if (*cycles == patience_with(sim, workload) + 1 && *cycles > 0) {
        complain(sim, "%s is stuck, and there is room in %s", subject->name,
                 sim->clusters[where].name);
    }
}

void
checks_end_run(struct sim *sim)
{
    struct checks *checks = sim->checks;

    if (checks == NULL) {
        return;
    }
    check_room(sim);
    check_limit(sim, "replicas moved", checks->moved, checks->allowance.replicas);
    check_limit(sim, "bindings changed", checks->changed, checks->allowance.bindings);
    for (int c = 0; c < sim->n_clusters; c++) {
        check_limit(sim, "replicas moved to one cluster", checks->arrived[c],
                    checks->allowance.to_cluster);
        check_limit(sim, "replicas moved from one cluster", checks->gone[c],
                    checks->allowance.from_cluster);
    }
    for (int w = 0; w < sim->n_workloads; w++) {
        check_neglect(sim, w);
        if (is_asked_for(sim, &sim->workloads[w]) && is_waiting(sim, &sim->workloads[w])) {
            checks->waited[w] = sim->now;
        }
    }
}

/* What is broken is mended first, and balanced by a later run. */
static bool
only_balances(const struct diagnosis *diagnosis, uint32_t binding)
{
    const struct binding_state *found = &diagnosis->bindings[binding];

    for (uint32_t i = 0; i < found->n_findings; i++) {
        if (diagnosis->findings[found->first_finding + i].type != FINDING_IMBALANCE) {
            return false;
        }
    }
    return found->n_findings > 0;
}

void
checks_saw_rerun(struct sim *sim, const struct report *first, const struct report *second)
{
    for (uint32_t i = 0; sim->checks != NULL && i < second->plan->n_decisions; i++) {
        const struct decision *again = second->plan->decisions[i];

        if (again == NULL || !again->changes) {
            continue;
        }
        const struct decision *before = first->plan->decisions[i];

        if (before == NULL || before->action != ACTION_PLACE ||
            !only_balances(second->diagnosis, i)) {
            complain(sim, "%s: a second run at once changes it",
                     second->fleet->bindings[i].resource.name);
        }
    }
}
