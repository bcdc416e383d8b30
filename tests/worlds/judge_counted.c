/* SPDX-License-Identifier: Apache-2.0
 *
 * What is lost and finds no room: the report counts it, whatever else was asked
 * of the workload.
 */
#include "judge.h"

/* It runs nothing: a taint alone does not stop what is there. */
static bool
is_down(const struct cluster_facts *cluster)
{
    return cluster->json == NULL || cluster->deleting || cluster->health != HEALTH_READY;
}

/* Replicas in clusters that are to be left now. */
static int
count_lost(const struct judge *judge, const struct binding_facts *binding, bool only_down)
{
    int lost = 0;

    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];
        const bool counts = !only_down || is_down(&judge->facts.clusters[i]);

        lost += counts && target->assigned && target->lost && target->turn == TURN_OURS
                    ? target->before
                    : 0;
    }
    return lost;
}

/* What waits for nodes was lost, and waits where an autoscaler may add some. */
static void
judge_growth(struct judge *judge, const struct binding_facts *binding)
{
    const int64_t waiting = integer_at(binding->item, "waitingForNodes", 0);
    int64_t gained = 0;

    if (waiting == 0) {
        return;
    }
    for (int i = 0; i < judge->facts.n_clusters; i++) {
        const struct target_facts *target = &binding->targets[i];

        gained += may_grow(&judge->facts, i) && target->after > target->before
                      ? target->after - target->before
                      : 0;
    }
    judge_met(judge, INV_GROWTH);
    if (waiting > gained || (binding->divided && waiting > count_lost(judge, binding, false))) {
        judge_fail(judge, INV_GROWTH, binding, -1, "%d wait for nodes, %d are lost, %d came",
                   (int)waiting, count_lost(judge, binding, false), (int)gained);
    }
}

/* The error says that there is no room; then nothing of it is anywhere else. Where others are stood
 * in for, and where nobody knows whether the guard keeps it, nothing is said. */
void
judge_counted(struct judge *judge, const struct binding_facts *binding)
{
    const bool is_open = judge->facts.guard_unknown || judge->facts.world->reschedule_all;
    const bool lacks_room = is(text_at(binding->item, "error.type"), "UnschedulableError");
    const int lost = count_lost(judge, binding, true);

    judge_growth(judge, binding);
    if (is_open || judge->facts.evicts || !binding->divided || !is(binding->left_alone, "") ||
        lost == 0 || binding->changed || binding->sum_before > binding->replicas) {
        return;
    }
    if (lacks_room || at(binding->item, "unplaced") != NULL) {
        judge_met(judge, INV_COUNTED);
    }
    if (lacks_room && integer_at(binding->item, "homeless", 0) < lost) {
        judge_fail(judge, INV_COUNTED, binding, -1, "%d are lost, and fewer count as homeless",
                   lost);
    }
}
