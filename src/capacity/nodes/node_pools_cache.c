/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers repeated questions about capacity. Most decisions of a run ask about few requirements,
 * and little changes in between. So the last sum is updated by the kinds that have changed.
 */
#include <string.h>

#include "ballast/base/wide.h"
#include "node_pools_kinds.h"

static struct pool_change *
change_at(struct pool_changes *changes, uint32_t number)
{
    return &changes->last[number % CHANGES_KEPT];
}

/* Later kinds split off these, so none has more resources. */
static struct pool_changes *
open_changes(const struct node_pools *pools)
{
    struct pool_changes *changes = ARENA_NEW(pools->arena, struct pool_changes);
    uint32_t width = 0;

    for (uint32_t i = 0; i < pools->n_kinds; i++) {
        width = pools->kinds[i].room.n_free > width ? pools->kinds[i].room.n_free : width;
    }
    for (uint32_t i = 0; i < CHANGES_KEPT; i++) {
        struct pool_change *change = &changes->last[i];

        change->before.room.free = ARENA_ARRAY(pools->arena, struct resource_amount, width);
        change->after.room.free = ARENA_ARRAY(pools->arena, struct resource_amount, width);
    }
    changes->count = 1;
    return changes;
}

static void
keep_kind(const struct pool_kind *kind, struct pool_kind *ret)
{
    struct resource_amount *free = ret->room.free;

    *ret = *kind;
    ret->room.free = free;
    if (kind->room.n_free > 0) {
        memcpy(free, kind->room.free, kind->room.n_free * sizeof(*free));
    }
}

void
node_pools_begin_change(struct node_pools *pools, uint32_t kind)
{
    struct pool_changes *changes = pools->changes;

    if (changes != NULL) {
        keep_kind(&pools->kinds[kind], &change_at(changes, changes->count)->before);
    }
}

void
node_pools_end_change(struct node_pools *pools, uint32_t kind)
{
    struct pool_changes *changes = pools->changes;

    if (changes != NULL) {
        keep_kind(&pools->kinds[kind], &change_at(changes, changes->count++)->after);
    }
}

/* Returns how many more replicas the changed nodes hold. */
static int64_t
gain_of(struct node_pools *pools, const struct pool_change *change,
        const struct requirements *requirements)
{
    const int64_t before = node_pools_fit_of(pools, &change->before, requirements);

    return (node_pools_fit_of(pools, &change->after, requirements) - before) * change->after.count;
}

static bool
is_worth_it(const struct node_pools *pools, const struct kept_fit *kept)
{
    const uint32_t missed = pools->changes->count - kept->n_seen;

    return kept->n_seen > 0 && missed <= CHANGES_KEPT && missed <= pools->n_kinds / 2;
}

static int32_t
update(struct node_pools *pools, const struct requirements *requirements,
       const struct kept_fit *kept)
{
    int64_t fit = kept->fit;

    if (kept->n_seen < pools->changes->count) {
        node_pools_ask_anew(pools, requirements);
    }
    for (uint32_t i = kept->n_seen; i < pools->changes->count; i++) {
        fit += gain_of(pools, change_at(pools->changes, i), requirements);
    }
    return pin_count(fit);
}

int32_t
node_pools_fit_again(struct node_pools *pools, const struct requirements *requirements,
                     struct kept_fit *kept)
{
    if (pools->changes == NULL) {
        pools->changes = open_changes(pools);
    }
    kept->fit = is_worth_it(pools, kept) ? update(pools, requirements, kept)
                                         : node_pools_fit(pools, requirements);
    /* a pinned sum cannot be updated */
    kept->n_seen = kept->fit < INT32_MAX ? pools->changes->count : 0;
    return kept->fit;
}
