/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts assigned replicas that are not there yet and may be on their way. Only these hold
 * capacity. Other replicas do not come: the member's own object wants fewer, or no controller there
 * can create them.
 */
#include <string.h>

#include "ballast/annotations/last_move.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/model/closed_clusters.h"
#include "ballast/model/movable.h"
#include "diagnose/members/observed.h"
#include "diagnose/owners/owners.h"
#include "findings.h"

struct in_flight_look {
    const struct policy *policy;
    const struct binding *binding;
    const struct target *target;
    const struct target_state *state;
    const struct observation *seen;
    int32_t leaving; /* pods that are replaced only when they are gone */
    int32_t ended;   /* failed pods that may be replaced */
    bool is_members_own;
    bool is_unattended;
};

/* Returns -1 if not known. Without pods the status counts; without a status there are none. */
static int32_t
count_shown(const struct in_flight_look *look)
{
    if (look->state->seen >= 0) {
        return look->state->seen;
    }
    return look->seen->status == NULL ? 0 : look->seen->status->replicas;
}

static int32_t
at_most(int32_t count, int32_t bound)
{
    return bound >= 0 && bound < count ? bound : count;
}

/* True if the controller creates pods at once, and would report in a condition that it cannot.
 * Until then, the pods that its object asks for are about to come, for example after an autoscaler
 * scaled it. */
static bool
is_being_created(const struct workload *workload)
{
    return workload != NULL && workload->refusal == NULL &&
           str_eq(workload->api_version, "apps/v1") &&
           (str_eq(workload->kind, "Deployment") || str_eq(workload->kind, "ReplicaSet"));
}

/* True if a controller recently made a pod or began its work: it is about to make the other pods,
 * one after the other. Most kinds report no refusal, so older work proves nothing. */
static bool
is_worked_on(const struct in_flight_look *look)
{
    const struct workload *workload = look->seen->workload;

    return (workload == NULL || workload->refusal == NULL) &&
           (is_recent(look->policy, look->seen->newest) ||
            (workload != NULL && is_recent(look->policy, workload->started)));
}

static bool
is_refused_by_quota(const struct workload *workload)
{
    return workload != NULL && workload->refusal != NULL &&
           strstr(workload->refusal->message, QUOTA_EXCEEDED) != NULL;
}

static bool
is_refused_by_namespace(const struct workload *workload)
{
    return workload != NULL && workload->refusal != NULL &&
           refusal_by_namespace(workload->refusal->message) != NULL;
}

static bool
wants_none(const struct in_flight_look *look)
{
    const struct workload *workload = look->seen->workload;
    const struct aggregated_status *status = look->seen->status;

    if (workload != NULL && (workload->ended != ENDED_NOT || workload->is_suspended)) {
        return true;
    }
    /* the object of a Job shows it first; of other kinds only the status shows it */
    return (workload == NULL || !str_eq(workload->kind, "Job")) && status != NULL &&
           binding_is_halted(look->binding, (enum ended)status->ended);
}

/* True if the workload was paused before its first pods: none come until it is resumed. */
static bool
is_not_begun(const struct in_flight_look *look)
{
    const struct workload *workload = look->seen->workload;

    return workload != NULL && workload->is_paused && count_shown(look) == 0 &&
           !is_recent(look->policy, workload->creation);
}

/* For a last write that is long ago, or at an unknown time. */
static int32_t
count_late(const struct in_flight_look *look)
{
    const struct workload *workload = look->seen->workload;
    int32_t assigned = look->target->replicas, told = look->seen->wanted;
    bool is_refused = workload != NULL && workload->refusal != NULL;

    if (!is_write_known(look->binding) && !look->is_members_own && told < assigned && !is_refused) {
        return assigned; /* written, and not propagated yet */
    }
    if (look->is_unattended || is_not_begun(look)) {
        return 0;
    }
    if (!is_write_known(look->binding) || is_being_created(workload) || is_worked_on(look) ||
        (workload != NULL && is_recent(look->policy, workload->creation))) {
        return at_most(assigned, told);
    }
    return 0;
}

/* `count` without the pods of a Job that have ended. A Job that Karmada is about to rewrite in the
 * member starts pods again, so its ended pods do not count. */
static int32_t
without_ended(const struct in_flight_look *look, int32_t count)
{
    const bool is_written = look->seen->wanted < 0 || look->seen->wanted >= look->target->replicas;

    return is_written || !is_just_written(look->policy, look->binding, look->target->name)
               ? at_most(count, look->seen->at_most)
               : count;
}

static int32_t
count_coming(const struct in_flight_look *look)
{
    int32_t assigned = look->target->replicas;

    if (look->seen->is_not_applied || wants_none(look)) {
        return 0;
    }
    if (is_just_written(look->policy, look->binding, look->target->name)) {
        return look->is_members_own ? at_most(assigned, look->seen->wanted) : assigned;
    }
    return count_late(look);
}

/* A member that sets the replicas itself may want fewer. */
static int32_t
count_wanted(const struct in_flight_look *look)
{
    if (wants_none(look)) {
        return 0;
    }
    const int32_t own = look->seen->by_status ? look->state->seen : look->seen->wanted;

    return without_ended(look, look->is_members_own ? at_most(look->target->replicas, own)
                                                    : look->target->replicas);
}

/* Successors of pods that are leaving need no more capacity than these pods take. True if any
 * replicas are coming. */
static bool
assess_target(const struct in_flight_look *look, struct target_state *state)
{
    int32_t shown = count_shown(look);

    if (look->target->cluster == CLUSTER_NONE || state->lost || shown < 0) {
        return false;
    }
    int32_t wanted = count_wanted(look), coming = at_most(count_coming(look), wanted);

    const int64_t there = (int64_t)shown + look->leaving;

    state->in_flight = pin_count(coming - there);
    if (state->failed >= 0) { /* the pods and their owners are known */
        state->uncreated = pin_count(wanted - there - look->ended - state->in_flight);
        state->over_quota = is_refused_by_quota(look->seen->workload) ? state->uncreated : 0;
        state->refused = state->uncreated > 0 && is_refused_by_namespace(look->seen->workload);
    }
    return coming > shown;
}

void
assess_in_flight(const struct finder *finder, struct binding_state *state, uint32_t index)
{
    const struct binding *binding = &finder->fleet->bindings[index];

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        struct target_state *target = &finder->observations->states[state->first_target + i];
        const struct observation *seen = &finder->observations->items[state->first_target + i];
        const struct trouble *trouble = trouble_of(finder->observations, seen);
        const struct in_flight_look look = {
            .policy = finder->policy,
            .binding = binding,
            .target = &binding->clusters.items[i],
            .state = target,
            .seen = seen,
            .leaving = trouble != NULL ? trouble->leaving : 0,
            .ended = trouble != NULL ? trouble->ended : 0,
            .is_members_own =
                is_members_own(binding, &binding->clusters.items[i], seen->workload, state->closed),
            .is_unattended = is_unattended(finder, index, i),
        };

        target->failures = trouble != NULL ? pin_uint16(trouble->classes | trouble->hung) : 0;
        state->is_behind |= assess_target(&look, target);
        fill_replica_states(finder,
                            &(struct silent_target){index, look.target, target, seen, trouble, i,
                                                    look.is_unattended},
                            count_wanted(&look), target);
    }
}
