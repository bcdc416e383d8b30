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

static int64_t
at_least_none(int64_t replicas)
{
    return replicas > 0 ? replicas : 0;
}

/* Returns the replicas that no cluster is to run. */
static int64_t
unplaced_of(const struct report_view *view, const struct row *row)
{
    const struct binding *binding = row->binding;
    const int64_t evicting = row_ready_in_eviction(view, row);
    int64_t assigned = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        assigned += at_least_none(binding->clusters.items[i].replicas);
    }
    if (binding_is_divided(binding)) {
        return at_least_none(binding->replicas - assigned - evicting);
    }
    return binding->clusters.count == 0 && evicting == 0 ? binding_copy_size(binding) : 0;
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
add_hold(struct down_lists *lists, const struct row *row, int64_t replicas)
{
    if (row_is_left_alone(row)) {
        add_left_alone(lists, left_alone_reason((enum left_alone)row->state->left_alone), replicas);
    } else if (is_cooling(row->decision)) {
        lists->sum.cooldown.workloads++;
        lists->sum.cooldown.replicas += replicas;
    }
}

void
down_add(struct down_lists *lists, const struct report_view *view, const struct row *row)
{
    struct replica_sums sums = {.assigned = 0};
    struct down_workload workload = {
        .binding = pin_uint32((size_t)(row->binding - view->report->fleet->bindings)),
        .priority = binding_priority(row->binding),
        .unplaced = unplaced_of(view, row),
    };

    row_add_states(view, row, &sums);
    workload.replicas = workload.unplaced + sums.assigned - sums.of_state[REPLICA_READY];
    lists->sum.wanted += workload.unplaced + sums.assigned;
    lists->sum.unplaced += workload.unplaced;
    lists->sum.replicas += workload.replicas;
    if (workload.replicas == 0) {
        return;
    }
    lists->sum.workloads++;
    add_priority(lists, workload.priority, workload.replicas);
    add_hold(lists, row, workload.replicas);
    if (sums.of_state[REPLICA_READY] == 0 && row_ready_in_eviction(view, row) == 0) {
        memcpy(workload.of_state, sums.of_state, sizeof(workload.of_state));
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
down_finish(struct down_lists *lists, const struct report_view *view, struct down *ret)
{
    SORT(&lists->priorities, priority_cmp);
    SORT(&lists->none_ready, workload_cmp);
    SORT(&lists->left_alone, hold_cmp);
    *ret = lists->sum;
    ret->priorities = vec_to_arena(&lists->priorities, view->arena);
    ret->n_priorities = pin_uint32(lists->priorities.count);
    ret->none_ready = vec_to_arena(&lists->none_ready, view->arena);
    ret->n_none_ready = pin_uint32(lists->none_ready.count);
    ret->left_alone = vec_to_arena(&lists->left_alone, view->arena);
    ret->n_left_alone = pin_uint32(lists->left_alone.count);
    vec_free(&lists->priorities);
    vec_free(&lists->none_ready);
    vec_free(&lists->left_alone);
    free(lists);
}
