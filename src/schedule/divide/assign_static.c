/* SPDX-License-Identifier: Apache-2.0
 *
 * Division by a static weight list: as upstream from nothing and without a look
 * at the room, or, beyond it, on top of what is there and within what fits, and
 * where there is too much within what is there.
 */
#include "assign.h"
#include "schedule/attempt/scheduler.h"
#include "schedule/filter/filter.h"

#include "ballast/base/wide.h"

static bool
list_is_matched(const struct candidate *list, uint32_t count, const int64_t *weights)
{
    for (uint32_t i = 0; i < count; i++) {
        if (weights[list[i].cluster] > 0) {
            return true;
        }
    }
    return false;
}

/* Returns the final maximum of a cluster. A cluster outside the weight list keeps its replicas. */
static int32_t
cap_of(const struct candidate *candidate, const struct share *share)
{
    if (share->weight == 0) {
        return share->replicas;
    }
    if (candidate->available > INT32_MAX) {
        return INT32_MAX;
    }
    return candidate->available > share->replicas ? pin_int32(candidate->available)
                                                  : share->replicas;
}

/* Lists the clusters of the weight list, or all with weight 1 if it matches none. With `keep`, also
 * lists other clusters with replicas. Returns their number. */
static uint32_t
list_shares(struct attempt *attempt, const struct candidate *list, uint32_t count, bool keep)
{
    struct scheduler *scheduler = attempt->scheduler;
    const struct cluster *clusters = scheduler->fleet->clusters;
    const int64_t *weights = filter_view_weights(scheduler, attempt->view);
    bool matched = list_is_matched(list, count, weights);
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        int64_t weight = matched ? weights[list[i].cluster] : 1;
        int32_t replicas = keep ? list[i].current : 0;

        if (weight > 0 || replicas > 0) {
            scheduler->share_candidates[n] = i;
            scheduler->shares[n] = (struct share){
                .name = clusters[list[i].cluster].name, .weight = weight, .replicas = replicas};
            scheduler->caps[n] = cap_of(&list[i], &scheduler->shares[n]);
            n++;
        }
    }
    return n;
}

/* Returns the replicas without a place. */
static int32_t
allocate(struct attempt *attempt, uint32_t count, int32_t replicas)
{
    struct scheduler *scheduler = attempt->scheduler;
    bool descend = webster_ties_descend(&attempt->request->binding->resource.uid);

    if (attempt->request->respect_capacity) {
        return webster_allocate_capped(scheduler->shares, scheduler->caps, count, replicas,
                                       descend);
    }
    webster_allocate(scheduler->shares, count, replicas, descend);
    return 0;
}

static void
take_shares(const struct scheduler *scheduler, struct candidate *list, uint32_t count,
            uint32_t n_shares)
{
    for (uint32_t i = 0; i < count; i++) {
        list[i].assigned = 0;
    }
    for (uint32_t i = 0; i < n_shares; i++) {
        list[scheduler->share_candidates[i]].assigned = scheduler->shares[i].replicas;
    }
}

/* Divides the replicas that stay by the weights. Clusters outside the list keep the excess. */
static void
shrink(struct attempt *attempt, struct candidate *list, uint32_t count, int32_t replicas)
{
    struct scheduler *scheduler = attempt->scheduler;
    bool descend = webster_ties_descend(&attempt->request->binding->resource.uid);
    uint32_t n = list_shares(attempt, list, count, true);

    for (uint32_t i = 0; i < n; i++) {
        scheduler->caps[i] = scheduler->shares[i].replicas;
        scheduler->shares[i].replicas = 0;
    }
    webster_allocate_capped(scheduler->shares, scheduler->caps, n, replicas, descend);
    take_shares(scheduler, list, count, n);
}

bool
assign_static(struct attempt *attempt, struct candidate *list, uint32_t count, int32_t replicas)
{
    int64_t current = candidates_current(list, count);
    bool keep = attempt->request->keep_current;

    if (keep && current > replicas) {
        shrink(attempt, list, count, replicas);
        return true;
    }
    uint32_t n = list_shares(attempt, list, count, keep);
    int32_t wanted = keep ? replicas - pin_int32(current) : replicas;
    int32_t unplaced = allocate(attempt, n, wanted);

    if (unplaced > 0 && !attempt->partial) {
        return attempt_fail(
            attempt, SCHEDULE_UNSCHEDULABLE_ERROR,
            arena_printf(attempt->arena,
                         "failed to assign replicas: Clusters available replicas %d are not "
                         "enough to schedule.",
                         replicas - unplaced));
    }
    attempt->unplaced += unplaced;
    take_shares(attempt->scheduler, list, count, n);
    return true;
}
