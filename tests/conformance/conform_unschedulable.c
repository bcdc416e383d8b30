/* SPDX-License-Identifier: Apache-2.0
 *
 * unschedulable-pods: unschedulable replicas of a Deployment as the
 * scheduler-estimator counts them (karmada pkg/estimator/server/replica), out of
 * the parts that a diagnosis is made of.
 */
#include "conform.h"

#include "../decode_one.h"
#include "conform_member.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "diagnose/members/observed.h"

static const struct replica_set *
current_replica_set(const struct member *member, const struct workload *deployment)
{
    const struct replica_set *best = NULL;

    for (uint32_t i = 0; i < member->n_replica_sets; i++) {
        const struct replica_set *set = &member->replica_sets[i];

        if (replica_set_is_of(set, deployment)) {
            best = replica_set_more_current(best, set, deployment);
        }
    }
    return best;
}

static bool
counts(const struct pod *pod, const struct replica_set *set, const struct workload *deployment,
       int64_t now, int64_t threshold)
{
    const struct condition *condition = pod_unschedulable_condition(pod);

    return condition != NULL && !pod_is_finished(pod) && !str_is_empty(set->uid) &&
           str_eq(pod->owner.uid, set->uid) && str_eq(pod->namespace_, deployment->namespace_) &&
           label_selector_matches(deployment->selector, &pod->labels) &&
           timestamp_is_past(condition->last_transition, threshold, now);
}

/* -1: upstream's error. */
static int32_t
unschedulable_replicas(const struct member *member, const struct workload *deployment, int64_t now,
                       int64_t threshold)
{
    const struct replica_set *set = current_replica_set(member, deployment);
    int32_t total = 0;

    for (uint32_t i = 0; set != NULL && i < member->n_pods; i++) {
        total += counts(&member->pods[i], set, deployment, now, threshold) ? 1 : 0;
    }
    return str_eq(deployment->kind, "Deployment") ? total : -1;
}

static bool
decode_sets(struct conform *run, struct fleet_builder *builder, const struct value *list,
            struct member *member, struct error *err)
{
    uint32_t count = (uint32_t)value_count(list);
    struct replica_set *sets = ARENA_ARRAY(run->arena, struct replica_set, count);

    for (uint32_t i = 0; i < count; i++) {
        const struct replica_set *set = decode_replica_set(builder, value_at(list, i), err);

        if (set == NULL) {
            return error_wrap(err, "replicaSets[%u]", i);
        }
        sets[i] = *set;
    }
    member->replica_sets = sets;
    member->n_replica_sets = count;
    member->has_replica_sets = true;
    return true;
}

static const char *
answer(struct conform *run, int32_t unschedulable)
{
    return unschedulable >= 0 ? arena_printf(run->arena, "%d unschedulable", (int)unschedulable)
                              : "an error";
}

static bool
count_unschedulable(struct conform *run, struct fleet_builder *builder, const struct value *item,
                    int32_t *ret, struct error *err)
{
    const struct workload *deployment =
        decode_workload(builder, value_get(item, "deployment"), err);
    int64_t threshold = value_integer(value_get(item, "thresholdSeconds")) * NANOS_PER_SECOND;
    struct member member = {.name = "member"};
    int64_t now = 0;

    if (deployment == NULL) {
        return error_wrap(err, "deployment");
    }
    if (!timestamp_parse(value_string(value_get(item, "now")), &now)) {
        return error_set(err, ERROR_INVALID, "now: not a time");
    }
    if (!decode_sets(run, builder, value_get(item, "replicaSets"), &member, err) ||
        !conform_pods(run, builder, value_get(item, "pods"), &member, err)) {
        return false;
    }
    *ret = unschedulable_replicas(&member, deployment, now, threshold);
    return true;
}

static const char *
wanted(struct conform *run, const struct value *item)
{
    const struct value *expected = value_get(item, "expected");

    return value_get(expected, "error") != NULL
               ? answer(run, -1)
               : answer(run, (int32_t)value_integer(value_get(expected, "unschedulableReplicas")));
}

void
conform_unschedulable(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        const struct value *item = value_at(cases, i);
        struct conform_case c = conform_case(item);
        struct fleet_builder *builder = fleet_builder_new();
        struct error err = ERROR_INIT;
        int32_t got = 0;

        if (count_unschedulable(run, builder, item, &got, &err)) {
            conform_compare(run, &c, answer(run, got), wanted(run, item));
        } else {
            conform_broken(run, &c, &err);
        }
        fleet_builder_free(builder);
    }
}
