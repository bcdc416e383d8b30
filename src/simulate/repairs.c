/* SPDX-License-Identifier: Apache-2.0
 *
 * Repairs a fleet as a run would do today, so that present problems are no consequence of a loss.
 */
#include "ballast/simulate/repairs.h"

#include "ballast/diagnose/diagnose.h"
#include "simulate_internal.h"

struct repairs
repairs_of(struct arena *arena, const struct fleet *fleet, const struct policy *policy)
{
    const struct diagnosis *diagnosis =
        plan_drop_idle_guard(arena, fleet, diagnose(arena, fleet, policy), policy);
    struct ledger *ledger = ledger_new(arena, fleet, diagnosis, policy);
    struct budget *budget = budget_new(arena, fleet, diagnosis, &policy->limits);

    return (struct repairs){
        .fleet = fleet,
        .diagnosis = diagnosis,
        .plan = plan_fleet(arena, fleet, diagnosis, policy, ledger, budget),
    };
}

const struct decision *
repairs_decision(const struct repairs *repairs, uint32_t binding)
{
    const struct decision *decision = repairs->plan->decisions[binding];

    return decision != NULL && decision->changes ? decision : NULL;
}

/* Drops the written entries of a set, which the plan replaces. */
static void
forget_written(struct arena *arena, struct binding *binding)
{
    if (binding_rare(binding)->written != NULL) {
        struct rare_members *rare = arena_memdup(arena, binding->rare, sizeof(*rare));

        rare->written = NULL;
        binding->rare = rare;
    }
}

struct fleet
repairs_carry_out(struct arena *arena, const struct repairs *repairs, const struct policy *policy)
{
    struct draft draft = {.arena = arena, .original = repairs->fleet, .fleet = *repairs->fleet};
    struct binding *bindings = draft_bindings(&draft);

    for (uint32_t i = 0; i < draft.fleet.n_bindings; i++) {
        const struct decision *decision = repairs_decision(repairs, i);

        if (decision != NULL) {
            const struct target_list *after = &decision->after;

            bindings[i].clusters = (struct target_list){
                .items = arena_memdup(arena, after->items, after->count * sizeof(*after->items)),
                .count = after->count,
                .is_sorted = true,
            };
            bindings[i].last_scheduled_time = policy->now; /* a move in flight */
            forget_written(arena, &bindings[i]);
        }
    }
    draft.fleet.heap = NULL;
    return draft.fleet;
}
