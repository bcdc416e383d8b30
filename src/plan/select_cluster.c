/* SPDX-License-Identifier: Apache-2.0
 *
 * Selection by a spread constraint on the cluster: the first so many of the
 * global order, the last of them exchanged for roomier ones where room is short.
 */
#include "scheduler.h"

#define NEED_NONE (-1)

/* How many replicas the selected clusters must have room for. */
static int32_t
needed_replicas(const struct attempt *attempt)
{
    const struct replica_scheduling *strategy = &attempt->placement->replica_scheduling;

    return !strategy->present || str_eq(strategy->type, "Duplicated") ? NEED_NONE
                                                                      : attempt->request->replicas;
}

static bool
has_room(const struct candidate *chosen, uint32_t count, int32_t need)
{
    int64_t total = 0;

    for (uint32_t i = 0; i < count; i++) {
        total += chosen[i].available;
    }
    return total >= need;
}

/* The roomiest of `rest` with more room than `than`, the first of equals; -1 when none has more. */
static int64_t
find_roomier(const struct candidate *rest, uint32_t count, int64_t than)
{
    int64_t found = -1;

    for (uint32_t i = 0; i < count; i++) {
        if (rest[i].available > than) {
            than = rest[i].available;
            found = i;
        }
    }
    return found;
}

static bool
exchange_for_room(struct attempt *attempt, uint32_t chosen, uint32_t keep, int32_t need)
{
    struct candidate *list = attempt->candidates;
    struct candidate *rest = list + chosen;

    for (uint32_t i = chosen; i > keep && !has_room(list, chosen, need); i--) {
        struct candidate out = list[i - 1];
        int64_t in = find_roomier(rest, attempt->n_candidates - chosen, out.available);

        if (in >= 0) {
            list[i - 1] = rest[in];
            rest[in] = out;
        }
    }
    return has_room(list, chosen, need);
}

static uint32_t
clamp_count(int64_t count, uint32_t max)
{
    if (count < 0) {
        return 0;
    }
    return count < max ? (uint32_t)count : max;
}

bool
select_by_cluster(struct attempt *attempt, const struct spread_constraint *constraint)
{
    int32_t need = needed_replicas(attempt);
    uint32_t count = clamp_count(constraint->max_groups, attempt->n_candidates);

    if (attempt->n_candidates < constraint->min_groups &&
        !(attempt->partial && attempt->n_pinned > 0)) {
        return attempt_fail(attempt, SCHEDULE_OTHER_ERROR,
                            "failed to select clusters: the number of feasible clusters is less "
                            "than spreadConstraint.MinGroups");
    }
    if (count < attempt->n_pinned) {
        count = attempt->n_pinned;
    }
    if (need != NEED_NONE) {
        bool enough = exchange_for_room(attempt, count, attempt->n_pinned, need);

        /* None selected is an error of upstream's even where nothing is needed. */
        if (count == 0 || (!enough && !attempt->partial)) {
            return attempt_fail(
                attempt, SCHEDULE_OTHER_ERROR,
                arena_printf(attempt->arena,
                             "failed to select clusters: no enough resource when selecting %u "
                             "clusters",
                             count));
        }
    }
    attempt->n_candidates = count;
    return true;
}
