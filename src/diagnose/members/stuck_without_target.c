/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds clusters that are no target of a binding and may not become one. Pods of its workload are
 * stuck there, or an object of its name is there that Karmada does not manage.
 */
#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "observed.h"

struct stray {
    uint32_t subject, cluster;
    bool is_foreign;
    struct pod_takes takes; /* of the newest pod there: later pods need no less */
};

struct elsewhere_finder {
    const struct fleet *fleet;
    const struct policy *policy;
    const struct workload_index *index;
    VEC_OF(struct stray) found;
};

struct elsewhere_finder *
elsewhere_finder_new(struct arena *scratch, const struct fleet *fleet, const struct policy *policy,
                     const struct workload_index *index)
{
    struct elsewhere_finder *finder = ARENA_NEW(scratch, struct elsewhere_finder);

    *finder = (struct elsewhere_finder){.fleet = fleet, .policy = policy, .index = index};
    return finder;
}

static bool
is_of_current(const struct workload_view *view, const struct pod *pod)
{
    return view->current == NULL || str_eq(pod->owner.uid, view->current->uid);
}

/* Pods that fail beside ready pods of their version do not count. The planner weighs them once the
 * cluster is a target. */
static bool
is_stuck_there(const struct elsewhere_finder *finder, uint32_t subject, struct pod_takes *ret)
{
    const struct workload_view view = workload_index_view(finder->index, subject);
    struct policy there;
    const struct policy *policy =
        policy_in(finder->policy, &finder->fleet->clusters[view.member->cluster], &there);
    bool waits = false, fails = false, runs = view.first_settled != POD_NONE;

    for (uint32_t i = view.first_pod; i != POD_NONE;
         i = workload_index_next_pod(finder->index, i)) {
        const struct pod *pod = &view.member->pods[i];
        const struct condition *refused = pod_unschedulable_condition(pod);
        struct pod_failure failure;

        if (pod->deletion_timestamp != TIME_NONE || pod_is_finished(pod) ||
            !is_of_current(&view, pod)) {
            continue;
        }
        const struct pod_takes takes = {&pod->requests, &pod->beyond, pod->creation};

        *ret = pod_takes_newer(&takes, ret) ? takes : *ret;
        runs = runs || pod_is_ready(pod);
        waits = waits || (refused != NULL &&
                          timestamp_is_past(pod_unschedulable_since(pod, refused),
                                            policy->unschedulable_threshold, policy->now));
        fails = fails || (refused == NULL && pod_find_failure(pod, policy->now, &failure) &&
                          timestamp_is_past(failure.since, policy->failed_threshold, policy->now));
    }
    return waits || (fails && !runs);
}

void
find_stuck_elsewhere(struct elsewhere_finder *finder, uint32_t cluster)
{
    uint32_t count;
    const uint32_t *subjects = workload_index_in_trouble(finder->index, &count);

    for (uint32_t i = 0; i < count; i++) {
        struct stray stray = {.subject = subjects[i], .cluster = cluster};

        if (is_stuck_there(finder, subjects[i], &stray.takes)) {
            vec_add(&finder->found, stray);
        }
    }
    subjects = workload_index_foreign(finder->index, &count);
    for (uint32_t i = 0; i < count; i++) {
        vec_add(&finder->found,
                ((struct stray){.subject = subjects[i], .cluster = cluster, .is_foreign = true}));
    }
}

static int
stray_cmp(const void *a, const void *b)
{
    const struct stray *x = a, *y = b;

    if (x->subject != y->subject || x->cluster == y->cluster) {
        return x->subject != y->subject ? (x->subject < y->subject ? -1 : 1)
                                        : y->is_foreign - x->is_foreign;
    }
    return x->cluster < y->cluster ? -1 : 1;
}

static size_t
first_of(const struct elsewhere_finder *finder, uint32_t subject)
{
    size_t low = 0, high = finder->found.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (finder->found.items[middle].subject < subject) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* True if the stray keeps replicas away. Karmada takes over objects of others only if the policy
 * allows it; KubeFed does by default. An object that Karmada is evicting is its own. */
static bool
bars(const struct stray *stray, const struct binding *binding, const char *cluster)
{
    return !stray->is_foreign || (binding->federated == NULL && !binding->overwrites &&
                                  !binding_is_evicting(binding, cluster));
}

static void
add_of_binding(const struct elsewhere_finder *finder, uint32_t index, struct observations *ret)
{
    const struct binding *binding = &finder->fleet->bindings[index];
    uint32_t subject = workload_index_subject(finder->index, index);
    const struct stray *strays = finder->found.items;
    uint32_t last = CLUSTER_NONE;

    for (size_t i = first_of(finder, subject);
         i < finder->found.count && strays[i].subject == subject; i++) {
        const char *name = finder->fleet->clusters[strays[i].cluster].name;

        if (strays[i].cluster != last && binding_find_target(binding, name) < 0 &&
            bars(&strays[i], binding, name)) {
            vec_add(&ret->elsewhere,
                    ((struct stuck_place){index, strays[i].cluster, strays[i].is_foreign}));
            last = strays[i].cluster;
            if (strays[i].takes.requests != NULL && ret->needs != NULL) {
                pod_needs_note(ret->needs, index, &strays[i].takes);
            }
        }
    }
}

void
elsewhere_finder_end(struct elsewhere_finder *finder, struct observations *ret)
{
    if (finder->found.count > 0) {
        qsort(finder->found.items, finder->found.count, sizeof(struct stray), stray_cmp);
        for (uint32_t i = 0; i < finder->fleet->n_bindings; i++) {
            add_of_binding(finder, i, ret);
        }
    }
    vec_free(&finder->found);
}
