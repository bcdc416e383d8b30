/* SPDX-License-Identifier: Apache-2.0
 *
 * The diagnosis of a fleet: clusters, then targets, then bindings.
 */
#include "ballast/diagnose.h"

#include "ballast/schedule.h"
#include "parts.h"

static uint32_t
number_targets(const struct fleet *fleet, struct binding_state *bindings)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        bindings[i].first_target = total;
        total += fleet->bindings[i].clusters.count;
    }
    return total;
}

/* What is stuck as the planner may take it: bounded, and failures only where the cluster is to
 * blame. */
static void
settle_target(const struct diagnosis *diagnosis, const struct binding *binding,
              const struct binding_state *state, const struct observations *observations,
              uint32_t entry)
{
    uint32_t at = state->first_target + entry;
    struct target_state *target = &observations->states[at];
    const char *witness = NULL;

    bound_stuck(target, binding->clusters.items[entry].replicas);
    if (target->failed > 0 &&
        !is_cluster_to_blame(diagnosis, binding, state, observations, entry, &witness)) {
        target->failed = 0;
    }
}

/* The label is on the workload; a binding does not show it. */
static void
leave_retained_alone(const struct policy *policy, const struct binding *binding,
                     const struct observations *observations, struct binding_state *state)
{
    for (uint32_t i = 0; i < binding->clusters.count && !policy->reschedule_all &&
                         state->left_alone == LEFT_ALONE_NOT;
         i++) {
        if (observations->items[state->first_target + i].retains_replicas) {
            state->left_alone = LEFT_ALONE_AUTOSCALED;
            state->left_alone_reason = "label resourcetemplate.karmada.io/retain-replicas leaves "
                                       "its replicas to the member clusters";
        }
    }
}

static void
settle_binding(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
               const struct diagnosis *diagnosis, const struct observations *observations,
               struct binding_state *state, uint32_t index)
{
    const struct binding *binding = &fleet->bindings[index];

    state->left_alone = find_left_alone(arena, binding, policy, &state->left_alone_reason);
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        observations->states[state->first_target + i].lost =
            is_lost(fleet, policy, diagnosis->clusters, binding, &binding->clusters.items[i]);
        settle_target(diagnosis, binding, state, observations, i);
    }
    leave_retained_alone(policy, binding, observations, state);
}

/* Nothing is wrong with what is on its way out, and nobody asked about what is out of scope. */
static bool
is_of_interest(const struct binding_state *state)
{
    return state->left_alone != LEFT_ALONE_DELETING && state->left_alone != LEFT_ALONE_OUT_OF_SCOPE;
}

static void
collect_findings(struct finder *finder, struct binding_state *bindings)
{
    for (uint32_t i = 0; i < finder->fleet->n_bindings; i++) {
        bindings[i].first_finding = (uint32_t)finder->found.count;
        if (is_of_interest(&bindings[i])) {
            find_all(finder, i);
        }
        bindings[i].n_findings = (uint32_t)finder->found.count - bindings[i].first_finding;
    }
}

const struct diagnosis *
diagnose(struct arena *arena, const struct fleet *fleet, const struct policy *policy)
{
    struct arena *scratch = arena_new();
    struct diagnosis *diagnosis = ARENA_NEW(arena, struct diagnosis);
    struct binding_state *bindings = ARENA_ARRAY(arena, struct binding_state, fleet->n_bindings);
    uint32_t n_targets = number_targets(fleet, bindings);
    struct observations observations = {.states =
                                            ARENA_ARRAY(arena, struct target_state, n_targets)};
    struct finder finder = {
        .arena = arena,
        .scratch = scratch,
        .fleet = fleet,
        .policy = policy,
        .diagnosis = diagnosis,
        .observations = &observations,
        .scheduler = scheduler_new(scratch, fleet),
    };

    diagnosis->bindings = bindings;
    diagnosis->targets = observations.states;
    diagnose_clusters(arena, fleet, policy, diagnosis);
    observe_targets(scratch, fleet, policy, bindings, &observations);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        settle_binding(arena, fleet, policy, diagnosis, &observations, &bindings[i], i);
    }
    collect_findings(&finder, bindings);
    diagnosis->findings = vec_to_arena(&finder.found, arena);
    diagnosis->n_findings = (uint32_t)finder.found.count;
    vec_free(&finder.found);
    vec_free(&observations.troubles);
    arena_free(scratch);
    return diagnosis;
}
