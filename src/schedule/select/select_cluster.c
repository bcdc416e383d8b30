/* SPDX-License-Identifier: Apache-2.0
 *
 * Selection by a spread constraint on the cluster: the first so many of the
 * global order, the last of them exchanged for roomier ones where room is short.
 */
#include "schedule/attempt/scheduler.h"
#include "select.h"

#include "ballast/base/wide.h"

#define NEED_NONE (-1)

static int32_t
needed_replicas(const struct attempt *attempt)
{
    const struct replica_scheduling *strategy = &attempt->placement->replica_scheduling;

    return !strategy->present || str_eq(strategy->type, "Duplicated") ? NEED_NONE
                                                                      : attempt->request->replicas;
}

/* Heap of the clusters that were not chosen: most capacity on top, then the lowest index. */
struct roomiest {
    const struct candidate *rest;
    uint32_t *heap; /* indices of `rest` */
    uint32_t count;
};

static bool
is_roomier(const struct roomiest *r, uint32_t a, uint32_t b)
{
    return r->rest[a].available != r->rest[b].available
               ? r->rest[a].available > r->rest[b].available
               : a < b;
}

static void
sink(const struct roomiest *r, uint32_t at)
{
    for (;;) {
        uint32_t first = at;

        for (uint32_t child = 2 * at + 1; child < r->count && child <= 2 * at + 2; child++) {
            first = is_roomier(r, r->heap[child], r->heap[first]) ? child : first;
        }
        if (first == at) {
            return;
        }
        uint32_t swapped = r->heap[at];

        r->heap[at] = r->heap[first];
        r->heap[first] = swapped;
        at = first;
    }
}

static struct roomiest
heap_up(const struct attempt *attempt, uint32_t chosen)
{
    struct roomiest r = {
        .rest = attempt->candidates + chosen,
        .heap = attempt->scheduler->members,
        .count = attempt->n_candidates - chosen,
    };

    for (uint32_t i = 0; i < r.count; i++) {
        r.heap[i] = i;
    }
    for (uint32_t i = r.count / 2; i > 0; i--) {
        sink(&r, i - 1);
    }
    return r;
}

/* Exchanges the clusters chosen last for those with the most capacity, until all replicas fit. */
static bool
exchange_for_room(struct attempt *attempt, uint32_t chosen, uint32_t keep, int32_t need)
{
    struct candidate *list = attempt->candidates;
    struct candidate *rest = list + chosen;
    int64_t room = 0;

    for (uint32_t i = 0; i < chosen; i++) {
        room += list[i].available;
    }
    if (room >= need) {
        return true;
    }
    const struct roomiest r = heap_up(attempt, chosen);

    for (uint32_t i = chosen; i > keep && room < need && r.count > 0; i--) {
        struct candidate out = list[i - 1];
        uint32_t in = r.heap[0];

        if (rest[in].available > out.available) {
            room += rest[in].available - out.available;
            list[i - 1] = rest[in];
            rest[in] = out;
            sink(&r, 0);
        }
    }
    return room >= need;
}

static uint32_t
clamp_count(int64_t count, uint32_t max)
{
    if (count < 0) {
        return 0;
    }
    return count < max ? pin_uint32(count) : max;
}

bool
select_by_cluster(struct attempt *attempt, const struct spread_constraint *constraint)
{
    int32_t need = needed_replicas(attempt);
    uint32_t count =
        clamp_count(constraint->max_groups - attempt->request->n_gone, attempt->n_candidates);

    if (attempt->n_candidates < constraint->min_groups && !attempt->request->degraded &&
        !(attempt->partial && attempt->n_pinned > 0)) {
        return attempt_fail(attempt, SCHEDULE_SPREAD_ERROR,
                            "failed to select clusters: the number of feasible clusters is less "
                            "than spreadConstraint.MinGroups");
    }
    if (count < attempt->n_pinned) {
        count = attempt->n_pinned;
    }
    if (need != NEED_NONE) {
        bool enough = exchange_for_room(attempt, count, attempt->n_pinned, need);

        /* Upstream fails if it selects no cluster, even if no replicas are needed. */
        if (count == 0 || (!enough && !attempt->partial)) {
            return attempt_fail(
                attempt, SCHEDULE_SPREAD_ERROR,
                arena_printf(attempt->arena,
                             "failed to select clusters: no enough resource when selecting %u "
                             "clusters",
                             count));
        }
    }
    attempt->n_candidates = count;
    return true;
}
