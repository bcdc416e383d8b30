/* SPDX-License-Identifier: Apache-2.0
 *
 * Selection by a spread constraint on the region: the regions are scored and
 * chosen, then one cluster of each, then the best of their others.
 */
#include "schedule/attempt/scheduler.h"
#include "schedule/filter/filter.h"
#include "select.h"

#include <math.h>
#include <string.h>

#include "ballast/base/wide.h"

#define WEIGHT_UNIT 1000

/* Fills `groups` by region name, and `members` with the candidates of each in global order. Pinned
 * candidates without a region are in no group. */
static uint32_t
group_candidates(const struct attempt *attempt)
{
    struct scheduler *scheduler = attempt->scheduler;
    struct region_group *groups = scheduler->groups;
    uint32_t n_groups = 0;
    uint32_t first = 0;

    memset(groups, 0, scheduler->n_regions * sizeof(*groups));
    for (uint32_t i = 0; i < attempt->n_candidates; i++) {
        uint32_t region = scheduler->region[attempt->candidates[i].cluster];

        if (region != REGION_NONE) {
            groups[region].count++;
            groups[region].required |= attempt->candidates[i].pinned;
        }
    }
    for (uint32_t i = 0; i < scheduler->n_regions; i++) {
        groups[i].region = i;
        groups[i].first = first;
        first += groups[i].count;
        groups[i].count = 0;
    }
    for (uint32_t i = 0; i < attempt->n_candidates; i++) {
        uint32_t region = scheduler->region[attempt->candidates[i].cluster];

        if (region != REGION_NONE) {
            scheduler->members[groups[region].first + groups[region].count++] = i;
        }
    }
    for (uint32_t i = 0; i < scheduler->n_regions; i++) {
        if (groups[i].count > 0) {
            groups[n_groups++] = groups[i];
        }
    }
    return n_groups;
}

static int64_t
score_duplicated(const struct attempt *attempt, const uint32_t *members, uint32_t count)
{
    int64_t valid = 0;
    int64_t score = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct candidate *candidate = &attempt->candidates[members[i]];

        if (candidate->available >= attempt->request->replicas) {
            valid++;
            score += candidate->score;
        }
    }
    return valid == 0 ? 0 : valid * WEIGHT_UNIT + score / valid;
}

/* ceil(replicas / groups). Without a minimum upstream divides by zero. Its integer result (on
 * amd64) makes every region sufficient and drops out of the score, as 0 does. */
static int64_t
replicas_per_group(int32_t replicas, int64_t min_groups)
{
    return min_groups == 0 ? 0 : pin_real(ceil((double)replicas / (double)min_groups));
}

static int64_t
score_divided(const struct attempt *attempt, const uint32_t *members, uint32_t count,
              int64_t min_regions, int64_t min_clusters)
{
    int64_t target = replicas_per_group(attempt->request->replicas, min_regions);
    int64_t available = 0;
    int64_t score = 0;
    int64_t taken = 0;

    if (min_clusters < min_regions) {
        min_clusters = min_regions;
    }
    for (uint32_t i = 0; i < count; i++) {
        available += attempt->candidates[members[i]].available;
        score += attempt->candidates[members[i]].score;
        taken++;
        if (taken >= min_clusters && available >= target) {
            break;
        }
    }
    if (available < target) {
        return available * WEIGHT_UNIT + (count > 0 ? score / count : 0);
    }
    return target * WEIGHT_UNIT + (taken > 0 ? score / taken : 0);
}

static void
score_groups(const struct attempt *attempt, uint32_t n_groups, int64_t min_regions,
             int64_t min_clusters)
{
    const struct scheduler *scheduler = attempt->scheduler;
    const struct replica_scheduling *strategy = &attempt->placement->replica_scheduling;
    bool divided = strategy->present && !str_eq(strategy->type, "Duplicated");

    for (uint32_t i = 0; i < n_groups; i++) {
        struct region_group *group = &scheduler->groups[i];
        const uint32_t *members = &scheduler->members[group->first];

        group->weight =
            divided ? score_divided(attempt, members, group->count, min_regions, min_clusters)
                    : score_duplicated(attempt, members, group->count);
    }
}

static uint32_t
choose_required(const struct scheduler *scheduler, uint32_t n_groups)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < n_groups; i++) {
        if (scheduler->groups[i].required) {
            scheduler->chosen[count++] = i;
        }
    }
    return count;
}

/* Keeps the first cluster of every chosen region, then the pinned ones and the best others up to
 * `max_clusters`. Upstream, which pins nothing, takes the first one of every region whatever the
 * maximum. Pinned clusters leave the others only the rest of the maximum. */
static void
keep_clusters(struct attempt *attempt, uint32_t n_chosen, int64_t max_clusters)
{
    struct scheduler *scheduler = attempt->scheduler;
    uint32_t *kept = scheduler->share_candidates; /* unused before the assignment */
    bool *in_region = scheduler->region_taken;
    bool *taken = scheduler->taken;
    uint32_t n_gone = attempt->request->n_gone;
    bool is_bounded = attempt->n_pinned + n_gone > 0 && max_clusters > 0;
    int64_t left = max_clusters - n_gone - attempt->n_pinned; /* besides pinned clusters */
    uint32_t count = 0;

    memset(in_region, 0, scheduler->n_regions * sizeof(*in_region));
    memset(taken, 0, attempt->n_candidates * sizeof(*taken));
    for (uint32_t i = 0; i < n_chosen; i++) {
        const struct region_group *group = &scheduler->groups[scheduler->chosen[i]];
        uint32_t first = scheduler->members[group->first];

        if (!group->required && is_bounded && left-- <= 0) {
            continue;
        }
        in_region[group->region] = true;
        taken[first] = true;
        kept[count++] = first;
    }
    for (uint32_t i = 0; i < attempt->n_candidates; i++) {
        const struct candidate *candidate = &attempt->candidates[i];
        uint32_t region = scheduler->region[candidate->cluster];
        bool wanted = region != REGION_NONE && in_region[region] && count < max_clusters - n_gone;

        if (!taken[i] && (candidate->pinned || wanted)) {
            kept[count++] = i;
        }
    }
    attempt_keep(attempt, kept, count);
}

bool
select_by_region(struct attempt *attempt, const struct spread_constraint *region,
                 const struct spread_constraint *cluster)
{
    struct scheduler *scheduler = attempt->scheduler;
    int64_t min_clusters = cluster != NULL ? cluster->min_groups : 0;
    bool lenient = attempt->request->degraded || (attempt->partial && attempt->n_pinned > 0);
    uint32_t n_groups = group_candidates(attempt);
    uint32_t n_chosen;

    if (n_groups < region->min_groups && !lenient) {
        return attempt_fail(attempt, SCHEDULE_SPREAD_ERROR,
                            "failed to select clusters: the number of feasible region is less than "
                            "spreadConstraint.MinGroups");
    }
    score_groups(attempt, n_groups, region->min_groups, min_clusters);
    struct group_bounds bounds = {region->min_groups, region->max_groups, min_clusters};

    n_chosen = choose_groups(scheduler, scheduler->groups, n_groups, &bounds, scheduler->chosen);
    if (n_chosen == 0 && lenient) {
        /* The bounds cannot be met: takes as many regions as allowed. */
        bounds.min = region->max_groups < n_groups ? region->max_groups : n_groups;
        bounds.clusters = 0;
        n_chosen =
            choose_groups(scheduler, scheduler->groups, n_groups, &bounds, scheduler->chosen);
    }
    if (n_chosen == 0) {
        n_chosen = choose_required(scheduler, n_groups);
    }
    if (n_chosen == 0 && attempt->n_pinned == 0) {
        return attempt_fail(attempt, SCHEDULE_SPREAD_ERROR,
                            "failed to select clusters: the number of clusters is less than the "
                            "cluster spreadConstraint.MinGroups");
    }
    keep_clusters(attempt, n_chosen, cluster != NULL ? cluster->max_groups : 0);
    return true;
}
