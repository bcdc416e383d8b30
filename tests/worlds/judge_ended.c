/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that end and are replaced again and again, as docs/dev/findings.md has it: no
 * more of the workload goes there. Only what is clear whatever the program knows
 * of single pods that are well.
 */
#include "judge.h"

#define MANY 3
#define INTERVAL INT64_C(900) /* 15 minutes */
#define SURELY_YOUNG 60

/* The pods of a workload in a cluster, by their ages in seconds. */
struct ages {
    int64_t ended[PODS_MAX], live[PODS_MAX], unready[PODS_MAX];
    int n_ended, n_live, n_unready;
    int64_t last_end;    /* of those that ended */
    int64_t first_ready; /* of those that are ready, the youngest */
};

static int64_t
age_at(const struct judge *judge, const json_t *pod, const char *path)
{
    int64_t when = seconds_of(text_at(pod, path), INT64_MIN);

    return when == INT64_MIN ? INT64_MAX : judge->facts.now - when;
}

static int64_t
end_of(const struct judge *judge, const json_t *pod)
{
    const json_t *ready = find_by(at(pod, "status.conditions"), "type", "Ready");

    return age_at(judge, ready, "lastTransitionTime");
}

static void
read_ages(const struct judge *judge, int binding, int cluster, struct ages *ret)
{
    *ret = (struct ages){.last_end = INT64_MAX, .first_ready = INT64_MAX};
    for (int i = 0; i < judge->facts.n_pods; i++) {
        const struct pod_facts *pod = &judge->facts.pods[i];
        const int64_t age = age_at(judge, pod->json, "metadata.creationTimestamp");

        if (pod->binding != binding || pod->cluster != cluster || pod->terminating ||
            !pod->current) {
            continue;
        }
        if (pod->failed) {
            int64_t end = end_of(judge, pod->json);

            ret->ended[ret->n_ended++] = age;
            ret->last_end = end < ret->last_end ? end : ret->last_end;
        } else if (!pod->finished) {
            ret->live[ret->n_live++] = age;
            if (!pod->ready && !pod->doubtful) {
                ret->unready[ret->n_unready++] = age;
            } else if (age < ret->first_ready) {
                ret->first_ready = age;
            }
        }
    }
}

static int
count_since(const int64_t *ages, int count, int64_t age)
{
    int found = 0;

    for (int i = 0; i < count; i++) {
        found += ages[i] <= age ? 1 : 0;
    }
    return found;
}

/* Each that came after the last one had ended came just now. */
static bool
goes_on(const struct ages *ages)
{
    bool any = false;

    for (int i = 0; i < ages->n_live; i++) {
        if (ages->live[i] <= ages->last_end && ages->live[i] > SURELY_YOUNG) {
            return false;
        }
        any = any || (ages->live[i] >= 0 && ages->live[i] <= SURELY_YOUNG);
    }
    return any;
}

/* There is a time since when they ended so often; all that are ready count as one that is. */
static bool
is_loop(const struct judge *judge, const struct ages *ages, int ready, int missing)
{
    for (int i = 0; i < ages->n_ended; i++) {
        const int64_t since = ages->ended[i];
        const int ended = count_since(ages->ended, ages->n_ended, since);
        const int replicas = missing + count_since(ages->unready, ages->n_unready, since) +
                             (ages->first_ready <= since ? ready : 0);

        if (since != INT64_MAX && since > judge->facts.failed && ended >= MANY * replicas &&
            since * replicas < INTERVAL * ended - INTERVAL) {
            return true;
        }
    }
    return false;
}

static void
judge_target(struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct target_facts *target = &binding->targets[index];
    const int number = (int)(binding - judge->facts.bindings);
    struct ages ages;

    read_ages(judge, number, index, &ages);
    /* nobody here knows how many its member's object wants: as many as may be */
    if (!goes_on(&ages) || !is_loop(judge, &ages, target->ready + target->doubtful,
                                    target->before > ages.n_live ? target->before : 0)) {
        return;
    }
    judge_met(judge, INV_REPLACED);
    if (target->after > target->before) {
        judge_fail(judge, INV_REPLACED, binding, index, "%d of its pods ended there", ages.n_ended);
    }
}

void
judge_ended(struct judge *judge, const struct binding_facts *binding)
{
    if (!binding->divided || !binding->changed || binding->fresh || binding->is_set ||
        !is(text_at(binding->json, "spec.resource.apiVersion"), "apps/v1") ||
        !is(text_at(binding->json, "spec.resource.kind"), "Deployment")) {
        return;
    }
    for (int i = 0; i < judge->facts.n_clusters; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (target->assigned && target->seen && !target->lost &&
            judge->facts.clusters[i].has_deployments) {
            judge_target(judge, binding, i);
        }
    }
}
