/* SPDX-License-Identifier: Apache-2.0
 *
 * One run, from the fleet to what became of the plan.
 */
#include "ballast/cycle.h"

#include <string.h>

#include "ballast/timestamp.h"

/* What planning one binding again needs. */
struct replan_context {
    struct arena *arena;
    const struct fleet *fleet;
    const struct policy *policy;
    struct ledger *ledger;
};

/* The fleet as it was seen, with this one binding as it is now; against the ledger as it stands. */
static const struct decision *
replan(void *context, const struct binding *binding)
{
    struct replan_context *replan = context;
    struct fleet *view = arena_memdup(replan->arena, replan->fleet, sizeof(*view));

    view->bindings = binding;
    view->n_bindings = 1;
    const struct diagnosis *diagnosis = diagnose(replan->arena, view, replan->policy);
    const struct plan *plan =
        plan_fleet(replan->arena, view, diagnosis, replan->policy, replan->ledger);

    return plan->decisions[0].changes ? &plan->decisions[0] : NULL;
}

static void
set_now(const struct cycle *cycle, const struct fleet *fleet)
{
    if (cycle->policy->now == TIME_NONE) {
        cycle->policy->now =
            fleet->captured_at != TIME_NONE ? fleet->captured_at : cycle->wall_clock;
    }
}

bool
cycle_run(const struct cycle *cycle, struct cycle_result *ret, struct error *err)
{
    struct arena *arena = arena_new();

    memset(ret, 0, sizeof(*ret));
    ret->arena = arena;
    ret->fleet = cycle->source.read(cycle->source.context, err);
    if (ret->fleet == NULL) {
        return false;
    }
    set_now(cycle, ret->fleet);

    const struct diagnosis *diagnosis = diagnose(arena, ret->fleet, cycle->policy);
    struct ledger *ledger = ledger_new(arena, ret->fleet, diagnosis, cycle->policy);
    const struct plan *plan = plan_fleet(arena, ret->fleet, diagnosis, cycle->policy, ledger);

    ret->report = (struct report){
        .fleet = ret->fleet, .diagnosis = diagnosis, .policy = cycle->policy, .plan = plan};
    if (cycle->sink != NULL) {
        struct replan_context context = {arena, ret->fleet, cycle->policy, ledger};
        struct replanner replanner = {.context = &context, .replan = replan};

        ret->report.outcome = apply(arena, ret->fleet, plan, cycle->sink, &replanner, cycle->stop);
    }
    return true;
}

void
cycle_result_release(struct cycle_result *result)
{
    fleet_free(result->fleet);
    arena_free(result->arena);
    memset(result, 0, sizeof(*result));
}
