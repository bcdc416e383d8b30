/* SPDX-License-Identifier: Apache-2.0
 *
 * Simulates the changes that flags ask for, on the fleet that a cycle has observed.
 */
#include "ballast/base/workers.h"
#include "cli/run/run.h"
#include "cli/run/telemetry.h"

/* Translates coverage to the clusters' indices after the changes. */
static const struct coverage *
follow_coverage(struct arena *arena, const struct coverage *coverage,
                const struct changed_fleet *changed)
{
    struct coverage *ret = arena_memdup(arena, coverage, sizeof(*ret));
    struct unseen_member *unseen =
        arena_memdup(arena, coverage->unseen, coverage->n_unseen * sizeof(*unseen));

    for (uint32_t i = 0; i < coverage->n_unseen; i++) {
        for (uint32_t c = 0; c < changed->fleet.n_clusters; c++) {
            if (changed->origins[c] == coverage->unseen[i].cluster) {
                unseen[i].cluster = c;
            }
        }
    }
    ret->unseen = unseen;
    return ret;
}

/* Returns the losses that --lose-each asks for; NULL: none, or stopped. */
static const struct survival *
find_survival(const struct invocation *invocation, struct arena *arena,
              const struct changed_fleet *changed)
{
    const struct settings *settings = invocation->settings;
    const struct policy policy = simulation_policy(&settings->policy, true);
    const struct workers workers = workers_threads(0);
    struct survival *ret = ARENA_NEW(arena, struct survival);

    return settings->simulate.lose_each != LOSE_EACH_NOTHING &&
                   survival_of(arena, &changed->fleet, &policy,
                               (enum guard_group)settings->simulate.lose_each, &workers, ret)
               ? ret
               : NULL;
}

bool
simulate_observed(const struct invocation *invocation, const struct cycle_result *result,
                  const struct change_list *changes, struct plan_trace *trace,
                  struct simulation_report *ret, struct error *err)
{
    const struct settings *settings = invocation->settings;
    struct arena *arena = result->arena;
    struct changed_fleet *changed = ARENA_NEW(arena, struct changed_fleet);

    if (!fleet_change(arena, result->surveyed, changes, &settings->policy, changed, err)) {
        return false;
    }
    telemetry_phase(invocation, "simulate", true);
    const struct simulation *simulation = simulate(
        arena, result->surveyed, result->report.diagnosis, changed, &settings->policy, trace);
    const struct survival *survival = find_survival(invocation, arena, simulation->changed);

    telemetry_phase(invocation, "simulate", false);
    if (*invocation->cli->stop) {
        return error_set(err, ERROR_STOPPED, "stopped before the simulation was done");
    }
    const bool is_whole = survival != NULL || settings->simulate.lose_each == LOSE_EACH_NOTHING;

    if (!is_whole || policy_is_stopped(&settings->policy)) {
        return error_set(err, ERROR_DEADLINE,
                         "the deadline passed before the simulation was done: try again with a "
                         "longer --deadline, or simulate less with --namespace");
    }
    *ret = (struct simulation_report){
        .changes = changes,
        .simulation = simulation,
        .survival = survival,
        .report = {.fleet = &simulation->changed->fleet,
                   .diagnosis = simulation->diagnosis,
                   .coverage = follow_coverage(arena, result->report.coverage, changed),
                   .origin = result->report.origin,
                   .policy = &simulation->policy,
                   .plan = simulation->plan,
                   .ledger = simulation->ledger},
        .has_max_homeless = settings->simulate.max_homeless >= 0,
        .max_homeless = settings->simulate.max_homeless,
    };
    ret->verdict = simulation_judge(arena, ret);
    return true;
}
