/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up the replicas that do not run before the run: by priority, by workload, and by the reason
 * that keeps them down.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "view.h"

struct down_lists {
    VEC_OF(struct down_priority) priorities;
    VEC_OF(struct down_workload) none_ready;
    VEC_OF(struct down_hold) left_alone;
    struct down sum; /* without lists */
};

struct down_lists *
down_begin(void)
{
    return heap_new(1, sizeof(struct down_lists));
}

static void
add_priority(struct down_lists *lists, int32_t priority, int64_t replicas)
{
    struct down_priority *found = NULL;

    for (size_t i = 0; i < lists->priorities.count && found == NULL; i++) {
        if (lists->priorities.items[i].priority == priority) {
            found = &lists->priorities.items[i];
        }
    }
    if (found == NULL) {
        found = vec_push(&lists->priorities);
        found->priority = priority;
    }
    found->workloads++;
    found->replicas += replicas;
}

static void
add_left_alone(struct down_lists *lists, const char *code, int64_t replicas)
{
    struct down_hold *found = NULL;

    for (size_t i = 0; i < lists->left_alone.count && found == NULL; i++) {
        if (str_eq(lists->left_alone.items[i].code, code)) {
            found = &lists->left_alone.items[i];
        }
    }
    if (found == NULL) {
        found = vec_push(&lists->left_alone);
        found->code = code;
    }
    found->workloads++;
    found->replicas += replicas;
}

static bool
is_cooling(const struct decision *decision)
{
    return decision->action == ACTION_BLOCKED && str_eq(blocked_code(decision), COOLDOWN_CODE);
}

static void
add_hold(struct down_lists *lists, const struct down_row *row, int64_t replicas)
{
    if (row->is_left_alone) {
        add_left_alone(lists, left_alone_reason((enum left_alone)row->row->state->left_alone),
                       replicas);
    } else if (is_cooling(row->row->decision)) {
        lists->sum.cooldown.workloads++;
        lists->sum.cooldown.replicas += replicas;
    }
}

void
down_add(struct down_lists *lists, const struct down_row *row)
{
    const struct replica_sums *sums = row->sums;
    struct down_workload workload = {
        .binding = row->binding,
        .priority = binding_priority(row->row->binding),
        .unplaced = diagnose_in_no_cluster(row->row->binding, row->evicting),
    };

    workload.replicas = workload.unplaced + sums->assigned - sums->of_state[REPLICA_READY];
    lists->sum.wanted += workload.unplaced + sums->assigned;
    lists->sum.unplaced += workload.unplaced;
    lists->sum.replicas += workload.replicas;
    if (workload.replicas == 0) {
        return;
    }
    lists->sum.workloads++;
    add_priority(lists, workload.priority, workload.replicas);
    add_hold(lists, row, workload.replicas);
    if (sums->of_state[REPLICA_READY] == 0 && row->evicting == 0) {
        memcpy(workload.of_state, sums->of_state, sizeof(workload.of_state));
        vec_add(&lists->none_ready, workload);
    }
}

static int
descending(int64_t x, int64_t y)
{
    return x == y ? 0 : x > y ? -1 : 1;
}

static int
priority_cmp(const void *a, const void *b)
{
    const struct down_priority *x = a, *y = b;

    return descending(x->priority, y->priority);
}

/* Bindings are sorted by name. */
static int
workload_cmp(const void *a, const void *b)
{
    const struct down_workload *x = a, *y = b;

    if (x->priority != y->priority) {
        return descending(x->priority, y->priority);
    }
    return x->replicas != y->replicas ? descending(x->replicas, y->replicas)
                                      : descending(y->binding, x->binding);
}

static int
hold_cmp(const void *a, const void *b)
{
    const struct down_hold *x = a, *y = b;

    return x->replicas != y->replicas ? descending(x->replicas, y->replicas)
                                      : strcmp(x->code, y->code);
}

#define SORT(list, cmp)                                                                            \
    do {                                                                                           \
        if ((list)->count > 1) {                                                                   \
            qsort((list)->items, (list)->count, sizeof(*(list)->items), (cmp));                    \
        }                                                                                          \
    } while (0)

void
down_finish(struct down_lists *lists, struct arena *arena, struct down *ret)
{
    SORT(&lists->priorities, priority_cmp);
    SORT(&lists->none_ready, workload_cmp);
    SORT(&lists->left_alone, hold_cmp);
    *ret = lists->sum;
    ret->priorities = vec_to_arena(&lists->priorities, arena);
    ret->n_priorities = pin_uint32(lists->priorities.count);
    ret->none_ready = vec_to_arena(&lists->none_ready, arena);
    ret->n_none_ready = pin_uint32(lists->none_ready.count);
    ret->left_alone = vec_to_arena(&lists->left_alone, arena);
    ret->n_left_alone = pin_uint32(lists->left_alone.count);
    vec_free(&lists->priorities);
    vec_free(&lists->none_ready);
    vec_free(&lists->left_alone);
    free(lists);
}
