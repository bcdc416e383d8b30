/* SPDX-License-Identifier: Apache-2.0
 *
 * Division by free room, evenly (dynamic weight) or over few clusters
 * (aggregated): anew in Fresh mode, else only what is to come or to go.
 */
#include "assign.h"
#include "schedule/attempt/scheduler.h"
#include "schedule/filter/filter.h"

#include "ballast/base/wide.h"

struct division_task {
    const char *step;
    int64_t replicas;
    bool adds;         /* the result comes on top of the current replicas */
    bool only_targets; /* other clusters take no part */
};

static int64_t
weight_of(const struct attempt *attempt, const struct division_task *task,
          const struct candidate *candidate)
{
    if (task->only_targets) {
        return candidate->current;
    }
    return attempt->request->fresh ? (int64_t)candidate->allocatable + candidate->current
                                   : candidate->allocatable;
}

/* Lists the parties in scheduler->order: indices of `list`, in the order of selection (scaling
 * down: of the current targets). Returns their number. */
static uint32_t
list_parties(struct scheduler *scheduler, const struct division_task *task,
             const struct candidate *list, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!task->only_targets || list[i].position != POSITION_NONE) {
            scheduler->order[n++] =
                (struct order_item){task->only_targets ? list[i].position : 0, i};
        }
    }
    if (task->only_targets) {
        order_by_key(scheduler->order, scheduler->order_swap, n);
    }
    return n;
}

/* A weight is the sum of two counts of 32 bits. */
#define WEIGHT_BITS 40
#define WEIGHT_MAX (((int64_t)1 << WEIGHT_BITS) - 1)

/* Returns the length of the shortest beginning of the parties, by descending weight, that holds
 * all. Parties of an earlier turn come first or, if replicas are added, parties with replicas. */
static uint32_t
cut_parties(const struct attempt *attempt, const struct division_task *task,
            const struct candidate *list, uint32_t n)
{
    const uint8_t *turns = attempt->request->fresh ? attempt->request->turns : NULL;
    struct scheduler *scheduler = attempt->scheduler;
    int64_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct candidate *candidate = &list[scheduler->order[i].index];
        int64_t weight = weight_of(attempt, task, candidate);
        uint64_t later = task->adds && candidate->current <= 0 ? 1 : 0;

        if (turns != NULL) {
            later = turns[candidate->cluster];
        }
        scheduler->order[i].key = later << WEIGHT_BITS | (uint64_t)(WEIGHT_MAX - weight);
    }
    order_by_key(scheduler->order, scheduler->order_swap, n);
    for (uint32_t i = 0; i < n; i++) {
        sum += weight_of(attempt, task, &list[scheduler->order[i].index]);
        if (sum >= task->replicas) {
            return i + 1;
        }
    }
    return n;
}

static void
hand_out(const struct attempt *attempt, const struct division_task *task, struct candidate *list,
         uint32_t n)
{
    const struct scheduler *scheduler = attempt->scheduler;
    const struct cluster *clusters = scheduler->fleet->clusters;

    for (uint32_t i = 0; i < n; i++) {
        const struct candidate *candidate = &list[scheduler->order[i].index];

        scheduler->shares[i] = (struct share){
            .name = clusters[candidate->cluster].name,
            .weight = weight_of(attempt, task, candidate),
        };
    }
    webster_allocate(scheduler->shares, n, pin_int32(task->replicas),
                     webster_ties_descend(&attempt->request->binding->resource.uid));
    for (uint32_t i = 0; i < n; i++) {
        list[scheduler->order[i].index].assigned += scheduler->shares[i].replicas;
    }
}

static bool
divide(struct attempt *attempt, struct division_task *task, struct candidate *list, uint32_t count)
{
    bool aggregated = placement_strategy(attempt->placement) == STRATEGY_AGGREGATED;
    uint32_t n = list_parties(attempt->scheduler, task, list, count);
    int64_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += weight_of(attempt, task, &list[attempt->scheduler->order[i].index]);
    }
    if (sum < task->replicas && !attempt->partial) {
        return attempt_fail(
            attempt, SCHEDULE_UNSCHEDULABLE_ERROR,
            arena_printf(attempt->arena,
                         "failed to assign replicas: %s: Clusters available replicas %jd are "
                         "not enough to schedule.",
                         task->step, (intmax_t)sum));
    }
    if (sum < task->replicas) {
        attempt->unplaced += task->replicas - sum;
        task->replicas = sum;
    }
    for (uint32_t i = 0; i < count; i++) {
        list[i].assigned = task->adds ? list[i].current : 0;
    }
    if (aggregated) {
        n = cut_parties(attempt, task, list, n);
    }
    if (task->replicas > 0) {
        hand_out(attempt, task, list, n);
    }
    return true;
}

bool
assign_dynamic(struct attempt *attempt, struct candidate *list, uint32_t count, int32_t replicas)
{
    int64_t assigned = candidates_current(list, count);
    struct division_task task = {.replicas = replicas};

    if (attempt->request->fresh) {
        task.step = "failed to do fresh scale";
    } else if (assigned > replicas) {
        task.step = "failed to scale down";
        task.only_targets = true;
    } else if (assigned < replicas) {
        task.step = "failed to scale up";
        task.replicas = replicas - assigned;
        task.adds = true;
    } else {
        for (uint32_t i = 0; i < count; i++) {
            list[i].assigned = list[i].current;
        }
        return true;
    }
    return divide(attempt, &task, list, count);
}
