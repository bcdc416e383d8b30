/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas that are assigned to a cluster and not there yet: how many of them
 * may still be on their way. Only those hold capacity. Others do not come: the
 * member's own object wants fewer, or nobody there can create them.
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

/* One target. */
struct in_flight_look {
    const struct policy *policy;
    const struct binding *binding;
    const struct target *target;
    const struct target_state *state;
    const struct observation *seen;
    int32_t leaving;     /* pods whose places are not free yet */
    int32_t ended;       /* pods that failed, and may be replaced */
    bool is_members_own; /* the member sets the replicas itself */
    bool is_ignored;     /* no controller there looks at it */
};

/* -1: nobody says. Where pods are not known, the status counts: none reported, nothing is there. */
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

/* A controller that creates pods at once, and says in a condition when it cannot: as long as it
 * says nothing, what its object asks for is about to come (an autoscaler has just scaled it). */
static bool
is_being_created(const struct workload *workload)
{
    return workload != NULL && workload->refusal == NULL &&
           str_eq(workload->api_version, "apps/v1") &&
           (str_eq(workload->kind, "Deployment") || str_eq(workload->kind, "ReplicaSet"));
}

/* A controller that has lately made a pod of it, or begun with it, is about to make the others, one
 * after the other. Of most kinds nothing says that it cannot: its work must not be long ago. */
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

/* It has run to its end, or waits for somebody to let it go on. */
static bool
wants_none(const struct in_flight_look *look)
{
    const struct workload *workload = look->seen->workload;
    const struct aggregated_status *status = look->seen->status;

    if (workload != NULL && (workload->ended != ENDED_NOT || workload->is_suspended)) {
        return true;
    }
    /* a Job that is seen says it first; of other kinds only the status is read */
    return (workload == NULL || !str_eq(workload->kind, "Job")) && status != NULL &&
           binding_is_halted(look->binding, (enum ended)status->ended);
}

/* It was paused before its first pods were made: nobody makes any until it is resumed. */
static bool
is_not_begun(const struct in_flight_look *look)
{
    const struct workload *workload = look->seen->workload;

    return workload != NULL && workload->is_paused && count_shown(look) == 0 &&
           !is_recent(look->policy, workload->creation);
}

/* How many replicas may be there soon, of a binding that was scheduled or moved long ago, or nobody
 * knows when. */
static int32_t
count_late(const struct in_flight_look *look)
{
    const struct workload *workload = look->seen->workload;
    int32_t assigned = look->target->replicas, told = look->seen->wanted;
    bool is_refused = workload != NULL && workload->refusal != NULL;

    if (!is_write_known(look->binding) && !look->is_members_own && told < assigned && !is_refused) {
        return assigned; /* it was written, and not told yet */
    }
    if (look->is_ignored || is_not_begun(look)) {
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

/* How many replicas may be there soon. */
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

/* What is to be there in the end: a member that sets the replicas itself may want fewer. */
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

/* Those that come in place of pods that are on their way out take no more than these still do.
 * Whether some come at all. */
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
    if (state->failed >= 0) { /* pods are known, and whose they are */
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
            .is_ignored = is_ignored(finder, index, i),
        };

        target->failures = trouble != NULL ? pin_uint16(trouble->classes | trouble->hung) : 0;
        state->is_behind |= assess_target(&look, target);
        fill_replica_states(
            finder,
            &(struct silent_target){index, look.target, target, seen, trouble, i, look.is_ignored},
            count_wanted(&look), target);
    }
}
