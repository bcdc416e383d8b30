/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds out whether the disruption guard holds anything back, by a plan with it and a plan without
 * it. A guard that changes no decision is not reported.
 */
#include "ballast/diagnose/diagnose.h"
#include "plan/move/move.h"

struct two_plans {
    struct arena *scratch;
    const struct fleet *fleet;
    const struct plan *with, *without;
};

static const struct plan *
plan_for(struct arena *scratch, const struct fleet *fleet, const struct diagnosis *diagnosis,
         const struct policy *policy)
{
    return plan_fleet(scratch, fleet, diagnosis, policy,
                      ledger_new(scratch, fleet, diagnosis, policy),
                      run_accounts_new(scratch, fleet, diagnosis, &policy->limits));
}

/* Deferred replicas count, too: they would go in a later run. */
static bool
is_held_back(const struct two_plans *plans, uint32_t binding)
{
    if (plans->with->decisions[binding] == NULL && plans->without->decisions[binding] == NULL) {
        return false;
    }
    const struct decision *with = plan_decision(plans->scratch, plans->with, plans->fleet, binding);
    const struct decision *without =
        plan_decision(plans->scratch, plans->without, plans->fleet, binding);

    return without->deferred > with->deferred || !targets_equal(&with->after, &without->after);
}

const struct diagnosis *
plan_drop_idle_guard(struct arena *arena, const struct fleet *fleet,
                     const struct diagnosis *diagnosis, const struct policy *policy)
{
    struct policy unguarded = *policy;
    bool is_held = false;

    if (!diagnosis->guard_tripped || diagnosis->guards_all || policy_stands_in(policy)) {
        return diagnosis;
    }
    unguarded.max_unhealthy_percent = UNHEALTHY_PERCENT_ANY;
    struct arena *scratch = arena_new();
    const struct diagnosis *without = diagnose(arena, fleet, &unguarded);
    const struct two_plans plans = {.scratch = scratch,
                                    .fleet = fleet,
                                    .with = plan_for(scratch, fleet, diagnosis, policy),
                                    .without = plan_for(scratch, fleet, without, &unguarded)};

    for (uint32_t i = 0; i < fleet->n_bindings && !is_held; i++) {
        is_held = is_held_back(&plans, i);
    }
    arena_free(scratch);
    /* a plan that was stopped midway proves nothing */
    return is_held || policy_is_stopped(policy) ? diagnosis : without;
}
