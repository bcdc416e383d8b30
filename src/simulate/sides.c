/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up each cluster: replicas, stuck replicas, capacity.
 */
#include "ballast/base/wide.h"
#include "ballast/simulate/simulate.h"

#include "simulate_internal.h"

struct side {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct plan *plan; /* NULL: today */
};

static int32_t
at_least_nothing(int32_t count)
{
    return count > 0 ? count : 0;
}

int64_t
target_stuck_after(const struct target_state *state, int64_t leaving)
{
    const int64_t stays = target_state_stuck(state) - (leaving > 0 ? leaving : 0);

    return stays > 0 ? stays : 0;
}

void
add_requests(struct quantity *sums, const struct binding *binding, int64_t replicas)
{
    const struct requirements *each = binding->requirements;

    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        const struct quantity one = quantity_from_int(1);
        const struct quantity *amount =
            i == LEDGER_PODS ? &one
            : each == NULL
                ? NULL
                : resource_list_find(&each->request, ledger_resource_name((enum ledger_resource)i));
        nanos128 sum;

        if (amount != NULL && !__builtin_mul_overflow(amount->nano, (nanos128)replicas, &sum) &&
            !__builtin_add_overflow(sums[i].nano, sum, &sum)) {
            sums[i].nano = sum;
        }
    }
}

/* Failed replicas leave before unschedulable ones. */
static void
add_waiting(struct cluster_side *side, const struct binding *binding,
            const struct target_state *state, int64_t leaving)
{
    int32_t unschedulable = at_least_nothing(state->unschedulable);
    int32_t failed = at_least_nothing(state->failed);
    int64_t stays = (int64_t)unschedulable + failed - (leaving > 0 ? leaving : 0);

    stays = stays > 0 ? stays : 0;
    add_requests(side->waiting, binding, stays < unschedulable ? pin_int32(stays) : unschedulable);
}

static void
add_targets(const struct side *side, uint32_t binding, struct cluster_side *sides)
{
    const struct fleet *fleet = side->fleet;
    const struct target_list *before = &fleet->bindings[binding].clusters;
    const struct decision *decision = side->plan != NULL ? side->plan->decisions[binding] : NULL;
    const struct target_list *after = decision != NULL ? &decision->after : before;
    const struct target_state *states =
        side->diagnosis->targets + side->diagnosis->bindings[binding].first_target;

    for (uint32_t i = 0; i < after->count; i++) {
        if (after->items[i].cluster != CLUSTER_NONE) {
            sides[after->items[i].cluster].replicas += at_least_nothing(after->items[i].replicas);
        }
    }
    for (uint32_t i = 0; i < before->count; i++) {
        const struct target *target = &before->items[i];
        const struct target *kept = target_list_find(after, target->name);
        const int64_t leaving = (int64_t)target->replicas - (kept != NULL ? kept->replicas : 0);

        if (target->cluster == CLUSTER_NONE) {
            continue;
        }
        sides[target->cluster].stuck += target_stuck_after(&states[i], leaving);
        if (!states[i].lost) {
            add_waiting(&sides[target->cluster], &fleet->bindings[binding], &states[i], leaving);
        }
    }
}

struct cluster_side *
cluster_sides(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
              const struct plan *plan, struct ledger *ledger)
{
    const struct side side = {fleet, diagnosis, plan};
    struct cluster_side *sides = ARENA_ARRAY(arena, struct cluster_side, fleet->n_clusters);

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        sides[i].is_there = true;
        sides[i].is_well = cluster_may_receive(&diagnosis->clusters[i]);
        sides[i].has_room = ledger != NULL && diagnosis->clusters[i].ready &&
                            ledger_free(ledger, i, &sides[i].room);
    }
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        add_targets(&side, i, sides);
    }
    return sides;
}
