/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting what a policy does and what it costs.
 */
#include "measures.h"

#include <stdlib.h>
#include <string.h>

#include "member.h"
#include "model.h"

void
measures_init(struct measures *measures, int64_t now)
{
    memset(measures, 0, sizeof(*measures));
    measures->settled = measures->calm = NEVER;
    measures->trouble = now;
}

void
measures_release(struct measures *measures)
{
    free(measures->departures);
}

static void
add_departure(struct sim *sim, int workload, int cluster, int replicas, bool forced)
{
    struct measures *measures = &sim->measures;

    if (measures->n_departures == measures->departures_room) {
        measures->departures_room = 2 * measures->departures_room + 64;
        measures->departures = realloc(measures->departures, (size_t)measures->departures_room *
                                                                 sizeof(measures->departures[0]));
        if (measures->departures == NULL) {
            out_of_memory();
        }
    }
    measures->departures[measures->n_departures++] = (struct departure){
        .time = sim->now,
        .workload = workload,
        .cluster = cluster,
        .replicas = replicas,
        .forced = forced,
    };
}

/* Of replicas that arrive, those that left the same cluster within the hour. */
static int
take_returns(struct sim *sim, int workload, int cluster, int replicas)
{
    int returned = 0;

    for (int i = sim->measures.n_departures - 1; i >= 0 && returned < replicas; i--) {
        struct departure *departure = &sim->measures.departures[i];
        int part = replicas - returned;

        if (sim->now - departure->time > UNDONE_SECONDS) {
            break;
        }
        if (departure->workload != workload || departure->cluster != cluster) {
            continue;
        }
        part = part < departure->replicas ? part : departure->replicas;
        departure->replicas -= part;
        returned += departure->forced ? 0 : part;
    }
    return returned;
}

void
measures_saw_scale(struct sim *sim, int workload, int more)
{
    int *credit = &sim->measures.credit[workload];

    *credit += more;
}

static void
count_arrival(struct sim *sim, int workload, int cluster, int replicas)
{
    int *credit = &sim->measures.credit[workload];
    int covered = *credit <= 0 ? 0 : replicas < *credit ? replicas : *credit;

    *credit -= covered;
    replicas -= covered;
    sim->measures.moves += replicas;
    sim->measures.undone += take_returns(sim, workload, cluster, replicas);
}

static void
count_leave(struct sim *sim, int workload, int cluster, int replicas, bool by_others)
{
    struct measures *measures = &sim->measures;
    int *credit = &measures->credit[workload];
    int owed = *credit >= 0 ? 0 : replicas < -*credit ? replicas : -*credit;

    *credit += owed;
    replicas -= owed;
    if (replicas == 0) {
        return;
    }
    add_departure(sim, workload, cluster, replicas, by_others || sim->clusters[cluster].down);
    if (!by_others && ++measures->leaves[workload][cluster] > measures->max_returns) {
        measures->max_returns = measures->leaves[workload][cluster];
    }
}

/* Of a duplicated workload a whole cluster is what moves; the first placement does not. */
static void
saw_duplicated(struct sim *sim, int workload, const int *before, const int *after, bool by_others)
{
    bool is_first = true;

    for (int c = 0; c < sim->n_clusters; c++) {
        is_first = is_first && before[c] == 0;
    }
    for (int c = 0; c < sim->n_clusters; c++) {
        if (before[c] > 0 && after[c] == 0) {
            add_departure(sim, workload, c, before[c], by_others || sim->clusters[c].down);
        }
    }
    for (int c = 0; c < sim->n_clusters && !is_first && !by_others; c++) {
        if (before[c] == 0 && after[c] > 0) {
            sim->measures.moves += after[c];
            sim->measures.undone += take_returns(sim, workload, c, after[c]);
        }
    }
}

void
measures_saw_split(struct sim *sim, int workload, const int *before, const int *after,
                   bool by_others)
{
    if (sim->workloads[workload].strategy == STRATEGY_DUPLICATED) {
        saw_duplicated(sim, workload, before, after, by_others);
        return;
    }
    for (int c = 0; c < sim->n_clusters; c++) {
        if (after[c] < before[c]) {
            count_leave(sim, workload, c, before[c] - after[c], by_others);
        }
    }
    for (int c = 0; c < sim->n_clusters; c++) {
        if (after[c] > before[c] && !by_others) {
            count_arrival(sim, workload, c, after[c] - before[c]);
        }
    }
}

static int
missing_of_divided(struct sim *sim, int workload, int *ret_lost)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int running = 0, lost = 0, wanted = subject->replicas;

    for (int c = 0; c < sim->n_clusters; c++) {
        wanted += sim_wanted_in(sim, c, workload) - subject->split[c];
        if (sim->clusters[c].down) {
            lost += subject->split[c];
        } else {
            running += sim_deployment(sim, c, workload)->ready;
        }
    }
    int missing = wanted > running ? wanted - running : 0;

    *ret_lost = lost < missing ? lost : missing;
    return missing;
}

/* A copy is wanted in every cluster that the placement names, whether it is assigned there or not:
 * else taking one away for good would seem to mend what is missing. */
static int
missing_of_duplicated(struct sim *sim, int workload, int *ret_lost)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int missing = 0;

    *ret_lost = 0;
    for (int c = 0; c < sim->n_clusters; c++) {
        int ready = sim->clusters[c].down ? 0 : sim_deployment(sim, c, workload)->ready;

        if ((subject->affinity >> c & 1) != 0 && ready < subject->replicas) {
            missing += subject->replicas - ready;
            *ret_lost += sim->clusters[c].down ? subject->replicas - ready : 0;
        }
    }
    return missing;
}

int
measures_missing(struct sim *sim, int workload, int *ret_lost)
{
    return sim->workloads[workload].strategy == STRATEGY_DUPLICATED
               ? missing_of_duplicated(sim, workload, ret_lost)
               : missing_of_divided(sim, workload, ret_lost);
}

/* Replicas without a node for which there is no room anywhere where they may go and a node would
 * take them, whoever else wants that room: no policy that takes nobody's place could help. What is
 * duplicated does not go anywhere. */
static int
without_place(const struct sim *sim, int workload)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int waiting = 0, room = 0;

    if (subject->strategy == STRATEGY_DUPLICATED) {
        return 0;
    }
    for (int c = 0; c < sim->n_clusters; c++) {
        bool may_run = sim_allows(subject, c) && (subject->refused_by >> c & 1) == 0;

        if (sim->clusters[c].down) {
            continue;
        }
        waiting += member_stuck(sim, c, workload, -1);
        room += may_run ? member_room(&sim->clusters[c], subject->cpu + subject->sidecar) : 0;
    }
    return waiting > room ? waiting - room : 0;
}

static void
watch_calm(struct sim *sim, int missing)
{
    struct measures *measures = &sim->measures;

    if (missing > 0 || sim->now < measures->trouble) {
        measures->calm = NEVER;
    } else if (measures->calm == NEVER) {
        measures->calm = sim->now;
    }
    if (measures->calm != NEVER && measures->settled == NEVER &&
        sim->now - measures->calm >= CALM_SECONDS) {
        measures->settled = measures->calm;
    }
}

void
measures_tick(struct sim *sim)
{
    int total = 0;

    for (int w = 0; w < sim->n_workloads; w++) {
        int lost = 0;
        int missing = measures_missing(sim, w, &lost);

        sim->measures.lost += (int64_t)lost * TICK;
        sim->measures.pending += (int64_t)(missing - lost) * TICK;
        if (missing > lost) {
            int nowhere = without_place(sim, w);

            sim->measures.nowhere +=
                (int64_t)(nowhere < missing - lost ? nowhere : missing - lost) * TICK;
        }
        total += missing;
    }
    watch_calm(sim, total);
}
