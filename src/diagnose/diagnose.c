/* SPDX-License-Identifier: Apache-2.0
 *
 * Diagnoses a fleet: clusters, then members, then bindings.
 */
#include "ballast/diagnose/diagnose.h"
#include "ballast/base/wide.h"

#include "ballast/model/movable.h"
#include "ballast/schedule/schedule.h"
#include "ballast/schedule/workload_groups.h"
#include "diagnose/clusters/clusters.h"
#include "diagnose/findings/findings.h"
#include "diagnose/members/observed.h"
#include "diagnose/owners/owners.h"

/* True if only failing or waiting pods are there, and all conditions of the behaviour hold. */
static bool
fails_over(const struct target_state *target, const struct observation *observation,
           const struct observations *all)
{
    const struct trouble *trouble = trouble_of(all, observation);

    return trouble != NULL && target->ready == 0 &&
           (target->unschedulable > 0 || target->failed > 0) && trouble->failover_due;
}

static bool
has_finished(const struct binding *binding, const struct aggregated_status *status)
{
    return status != NULL && binding_has_ended(binding, (enum ended)status->ended);
}

/* Prepares stuck replicas for the planner: bounded, failures only by the cluster's fault. */
static void
assess_target(const struct finder *finder, const struct binding *binding,
              const struct binding_state *state, uint32_t entry)
{
    const struct observations *all = finder->observations;
    uint32_t index = state->first_target + entry;
    struct target_state *target = &all->states[index];
    const struct target *assigned = &binding->clusters.items[entry];
    struct target_loss loss;

    bool finished =
        target->owner == FAILOVER_OWNER_FINISHED || has_finished(binding, all->items[index].status);

    target->lost = !finished && find_loss(finder, binding, assigned, &loss);
    target->owner = (uint8_t)(finished       ? FAILOVER_OWNER_FINISHED
                              : target->lost ? loss.owner
                                             : FAILOVER_OWNER_NONE);
    target->job_part = (uint8_t)find_job_part(
        binding,
        assigned->cluster != CLUSTER_NONE ? &finder->fleet->members[assigned->cluster] : NULL,
        all->items[index].workload, finished);
    const struct trouble *trouble = trouble_of(all, &all->items[index]);
    bool fails = target->failed > 0 || (trouble != NULL && trouble->unreplaced > 0);

    const struct blame_question asked = {
        .policy = finder->policy,
        .diagnosis = finder->diagnosis,
        .binding = binding,
        .state = state,
        .observations = all,
        .target = entry,
        .type = FINDING_FAILED_REPLICAS,
    };

    if (fails && find_blame(&asked).ground == BLAME_IS_WORKLOADS) {
        target->failed = 0;
        fails = false;
    }
    target->stuck_here = target->unschedulable > 0 || fails;
    target->replaced = trouble != NULL ? trouble->replacing.ended : 0;
    bound_stuck(target, trouble != NULL ? trouble->unconfirmed : 0, assigned->replicas);
    target->fails_over = !target->lost && fails_over(target, &all->items[index], all);
}

/* A workload that has run to its end in all targets would run a second time elsewhere. */
static bool
all_finished(const struct finder *finder, const struct binding *binding,
             struct binding_state *state)
{
    const struct target_state *targets = finder->observations->states + state->first_target;
    bool finished = binding->clusters.count > 0 &&
                    (state->left_alone == LEFT_ALONE_NOT || state->left_alone == LEFT_ALONE_KIND);

    for (uint32_t i = 0; i < binding->clusters.count && finished; i++) {
        finished = targets[i].owner == FAILOVER_OWNER_FINISHED;
    }
    if (finished) {
        state->left_alone = LEFT_ALONE_FINISHED;
        state->left_alone_reason = "it has run to its end, and is not run again";
    }
    return finished;
}

static void
assess_binding(const struct finder *finder, struct binding_state *state, uint32_t index)
{
    const struct binding *binding = &finder->fleet->bindings[index];

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        assess_target(finder, binding, state, i);
    }
    state->left_alone = (uint8_t)find_left_alone(finder->arena, finder->fleet, binding,
                                                 finder->policy, &state->left_alone_reason);
    if (policy_stands_in(finder->policy)) {
        return;
    }
    if (all_finished(finder, binding, state)) {
        return;
    }
    if (state->left_alone == LEFT_ALONE_NOT) {
        find_bounds(finder->fleet, binding, finder->policy, state);
        replica_owners_heed(finder->claims, binding, state);
    }
}

static bool
is_of_interest(const struct binding_state *state)
{
    return state->left_alone != LEFT_ALONE_DELETING && state->left_alone != LEFT_ALONE_OUT_OF_SCOPE;
}

/* Asks all about one binding at once: a large fleet does not fit into the processor's caches. */
static void
diagnose_binding(struct finder *finder, struct binding_state *bindings, uint32_t index)
{
    struct binding_state *state = &bindings[index];

    assess_binding(finder, state, index);
    assess_in_flight(finder, state, index);
    state->first_finding = pin_uint32(finder->found.count);
    if (is_of_interest(state)) {
        find_all(finder, index);
    }
    state->n_findings = pin_uint32(finder->found.count) - state->first_finding;
}

struct known {
    const struct seen_already *seen_already;
    const struct diagnosis *whole; /* of the fleet that this one is a part of */
};

/* Only the whole fleet shows which clusters fail. The diagnosis owns its clusters. */
static void
judge_starts(const struct finder *finder, const struct diagnosis *whole)
{
    struct cluster_health *health = (struct cluster_health *)finder->diagnosis->clusters;

    for (uint32_t i = 0; whole != NULL && i < finder->fleet->n_clusters; i++) {
        health[i].newest_pod = whole->clusters[i].newest_pod;
        health[i].failing = whole->clusters[i].failing;
        health[i].reason =
            whole->clusters[i].failing != 0 ? whole->clusters[i].reason : health[i].reason;
    }
    if (whole == NULL) {
        find_newest_pods(finder, health);
    }
    if (whole == NULL && !policy_stands_in(finder->policy)) {
        find_failing_clusters(finder, health);
    }
}

static const struct diagnosis *
diagnose_known(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
               const struct known *known)
{
    const struct seen_already *seen_already = known->seen_already;
    struct arena *scratch = arena_new();
    struct diagnosis *diagnosis = ARENA_NEW(arena, struct diagnosis);
    struct binding_state *bindings = ARENA_ARRAY(arena, struct binding_state, fleet->n_bindings);
    uint32_t n_targets = number_targets(fleet, bindings);
    /* a diagnosis that is made many times does not last: its states are not shared */
    struct arena *of_states = seen_already != NULL ? arena : scratch;
    struct observations observations = {.states =
                                            ARENA_ARRAY(of_states, struct target_state, n_targets)};
    struct finder finder = {
        .arena = arena,
        .scratch = scratch,
        .fleet = fleet,
        .policy = policy,
        .diagnosis = diagnosis,
        .observations = &observations,
        .scheduler = scheduler_new(scratch, fleet),
        .said = recent_texts_new(arena),
    };

    scheduler_heed_groups(finder.scheduler, workload_groups_new(scratch, fleet, true));
    diagnosis->bindings = bindings;
    diagnosis->targets = observations.states;
    diagnosis->karmada =
        known->whole != NULL ? known->whole->karmada : find_karmada_at_work(arena, fleet, policy);
    diagnose_clusters(arena, fleet, policy, diagnosis);
    if (seen_already != NULL) {
        members_seen_recall(seen_already, scratch, fleet, n_targets, &observations);
    } else {
        observations.needs = pod_needs_new(arena, fleet);
        observe_members(scratch, fleet, policy, bindings, n_targets, &observations);
        diagnosis->needs = pod_needs_by_binding(observations.needs);
    }
    finder.claims = replica_owners_new(arena, fleet);
    judge_starts(&finder, known->whole);
    for (uint32_t i = 0; i < fleet->n_bindings && !policy_is_stopped(policy); i++) {
        if (seen_already == NULL) {
            observe_binding(fleet, policy, bindings, i, &observations);
        }
        diagnose_binding(&finder, bindings, i);
    }
    replica_owners_free(finder.claims);
    diagnosis->owner_notice = owner_labels_notice(fleet, bindings);
    diagnosis->findings = vec_to_arena(&finder.found, arena);
    diagnosis->n_findings = pin_uint32(finder.found.count);
    assess_guard(diagnosis, fleet, policy);
    if (seen_already == NULL) {
        diagnosis->targets = share_states(arena, fleet, bindings, observations.states);
    }
    diagnosis->elsewhere = vec_to_arena(&observations.elsewhere, arena);
    diagnosis->n_elsewhere = pin_uint32(observations.elsewhere.count);
    vec_free(&finder.found);
    vec_free(&observations.elsewhere);
    vec_free(&observations.troubles);
    vec_free(&observations.orphans);
    arena_free(scratch);
    return diagnosis;
}

const struct diagnosis *
diagnose(struct arena *arena, const struct fleet *fleet, const struct policy *policy)
{
    return diagnose_known(arena, fleet, policy, &(struct known){.whole = NULL});
}

const struct diagnosis *
diagnose_part(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
              const struct diagnosis *whole)
{
    return diagnose_known(arena, fleet, policy, &(struct known){.whole = whole});
}

const struct diagnosis *
diagnose_seen_already(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                      const struct seen_already *seen_already)
{
    return diagnose_known(arena, fleet, policy, &(struct known){.seen_already = seen_already});
}

bool
diagnosis_allows_eviction_tasks(const struct diagnosis *diagnosis, const struct fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct target_state *states =
            diagnosis->targets + diagnosis->bindings[i].first_target;

        for (uint32_t j = 0; j < fleet->bindings[i].clusters.count; j++) {
            if (states[j].owner == FAILOVER_OWNER_OURS || states[j].fails_over) {
                return true;
            }
        }
    }
    return false;
}
