/* SPDX-License-Identifier: Apache-2.0
 *
 * What pods that a member shows tell of a PodDisruptionBudget of which nobody knows
 * otherwise whether it protects a workload: one that selects none of them does not.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/model/binding.h"
#include "ballast/model/disruption.h"
#include "ballast/model/member.h"

struct looking {
    const struct member *member;
    const char *namespace_;
    const struct label_selector *budget;
    const struct label_selector *own; /* selects all pods of the workload; NULL: unknown */
    const struct label_list *last;    /* last labels not selected: equal pods share their labels */
};

static bool
is_hit(struct looking *looking, const char *namespace_, const struct label_list *labels)
{
    const struct label_list *last = looking->last;

    if (!str_eq(namespace_, looking->namespace_) ||
        (last != NULL && labels->items == last->items && labels->count == last->count)) {
        return false;
    }
    looking->last = labels;
    return label_selector_matches(looking->budget, labels) &&
           (looking->own == NULL || label_selector_matches(looking->own, labels));
}

/* True for controllers whose selector selects all their pods. */
static bool
selects_its_pods(const struct object_reference *resource)
{
    static const char *const kinds[] = {"Deployment", "ReplicaSet", "StatefulSet"};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (str_eq(kinds[i], resource->kind)) {
            return strncmp(resource->api_version, "apps/", strlen("apps/")) == 0;
        }
    }
    return false;
}

static const struct label_selector *
own_selector(const struct member *member, const struct object_reference *resource)
{
    for (uint32_t i = 0; i < member->n_workloads && selects_its_pods(resource); i++) {
        const struct workload *at = &member->workloads[i];

        if (str_eq(at->kind, resource->kind) && str_eq(at->namespace_, resource->namespace_) &&
            str_eq(at->name, resource->name) && at->selector != NULL &&
            label_selector_is_valid(at->selector)) {
            return at->selector;
        }
    }
    return NULL;
}

static const struct settled_version *
find_settled(const struct member *member, const struct object_reference *resource)
{
    for (uint32_t i = 0; i < member->n_settled_workloads; i++) {
        const struct settled_workload *at = &member->settled_workloads[i];

        if (str_eq(resource->kind, "Deployment") && selects_its_pods(resource) &&
            str_eq(at->version->namespace_, resource->namespace_) &&
            str_eq(at->version->name, resource->name)) {
            return at->version;
        }
    }
    return NULL;
}

static bool
hits_any(struct looking *looking)
{
    const struct member *member = looking->member;
    bool any = false;

    for (uint32_t i = 0; i < member->n_pods && !any; i++) {
        any = is_hit(looking, member->pods[i].namespace_, &member->pods[i].labels);
    }
    for (uint32_t i = 0; i < member->n_placed && !any; i++) {
        const struct pod_ties *ties = member->placed[i].ties;

        any = is_hit(looking, ties->namespace_, &ties->labels);
    }
    for (uint32_t i = 0; i < member->n_settled_workloads && !any; i++) {
        const struct settled_version *version = member->settled_workloads[i].version;

        any = is_hit(looking, version->namespace_, &version->labels);
    }
    return any;
}

/* Labels of settled pods are known only for pods on nodes. */
static bool
shows_all_labels(const struct member *member)
{
    uint64_t settled = 0;

    for (uint32_t i = 0; i < member->n_settled; i++) {
        settled += member->settled[i].count;
    }
    return member->has_pods && settled == member->n_placed;
}

static bool
is_shown_not_to(const struct member *member, const struct binding *binding,
                const struct disruption_budget *budget)
{
    const struct object_reference *resource = &binding->resource;
    struct looking looking = {
        .member = member, .namespace_ = budget->namespace_, .budget = budget->selector};

    if (budget->problem != NULL || budget->selector == NULL ||
        !label_selector_is_valid(budget->selector) || !shows_all_labels(member)) {
        return false;
    }
    const struct settled_version *settled = find_settled(member, resource);

    if (settled != NULL) {
        return !is_hit(&looking, settled->namespace_, &settled->labels);
    }
    looking.own = own_selector(member, resource);
    return !hits_any(&looking);
}

const struct disruption_budget *
disruption_find_doubt(const struct member *member, const struct binding *binding)
{
    struct disruption_search each = disruption_search(member, binding);
    const struct disruption_budget *at;

    while ((at = disruption_search_next_doubt(&each)) != NULL) {
        if (!is_shown_not_to(member, binding, at)) {
            return at;
        }
    }
    return NULL;
}
