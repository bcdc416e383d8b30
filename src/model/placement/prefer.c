/* SPDX-License-Identifier: Apache-2.0
 *
 * Which preference a binding falls under, and which of its entries a cluster.
 */
#include "ballast/model/preference.h"

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/model/affinity.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

static bool
is_any_or_has(const struct str_list *list, const char *text)
{
    return list->count == 0 || str_list_has(list, text);
}

/* A binding, and the labels of its workload once a selector needs them. */
struct matching_preference {
    const struct fleet *fleet;
    const struct binding *binding;
    const struct label_list *labels;
    bool is_looked_up;
};

static const struct label_list *
labels_of(struct matching_preference *candidate)
{
    if (!candidate->is_looked_up) {
        candidate->labels =
            workload_labels_find(&candidate->fleet->workload_labels, &candidate->binding->resource);
        candidate->is_looked_up = true;
    }
    return candidate->labels;
}

static enum label_match
match_scope(const struct preference_scope *scope, struct matching_preference *candidate)
{
    const struct object_reference *resource = &candidate->binding->resource;

    if (!is_any_or_has(&scope->namespaces, resource->namespace_) ||
        !is_any_or_has(&scope->names, resource->name) ||
        !is_any_or_has(&scope->kinds, resource->kind) ||
        !is_any_or_has(&scope->api_versions, resource->api_version)) {
        return LABELS_DIFFER;
    }
    return scope->labels == NULL ? LABELS_MATCH
                                 : workload_labels_match(scope->labels, labels_of(candidate),
                                                         &candidate->binding->labels);
}

enum label_match
preference_scope_match(const struct preference_scope *scope, const struct fleet *fleet,
                       const struct binding *binding)
{
    struct matching_preference candidate = {.fleet = fleet, .binding = binding};

    return match_scope(scope, &candidate);
}

/* Finds the first preference that is for the binding or may be. */
static enum label_match
find_in(const struct preference_list *list, const struct fleet *fleet,
        const struct binding *binding, const struct preference **ret)
{
    struct matching_preference candidate = {.fleet = fleet, .binding = binding};
    enum label_match match = LABELS_DIFFER;

    *ret = NULL;
    if (list->by_scope != NULL) {
        *ret = preference_list_find(list, &binding->resource);
        return *ret != NULL ? LABELS_MATCH : LABELS_DIFFER;
    }
    for (uint32_t i = 0; i < list->count && match == LABELS_DIFFER; i++) {
        match = match_scope(&list->items[i].scope, &candidate);
        *ret = match == LABELS_MATCH ? &list->items[i] : NULL;
    }
    return match;
}

const struct preference *
preference_for(const struct policy *policy, const struct fleet *fleet,
               const struct binding *binding)
{
    const struct preference *found;

    if (find_in(&policy->preferences, fleet, binding, &found) == LABELS_DIFFER) {
        find_in(&fleet->preferences, fleet, binding, &found);
    }
    return found;
}

bool
preference_is_unknown(const struct policy *policy, const struct fleet *fleet,
                      const struct binding *binding)
{
    const struct preference *found;

    return find_in(&policy->preferences, fleet, binding, &found) == LABELS_UNKNOWN;
}

static const struct preference_cluster *
find_by_name(const struct preference *preference, const char *name)
{
    uint32_t found = names_find(preference->clusters, sizeof(*preference->clusters),
                                preference->n_clusters, name);

    return found != NAME_NONE ? &preference->clusters[found] : NULL;
}

const struct preference_cluster *
preference_cluster_for(const struct preference *preference, const struct cluster *cluster)
{
    const struct preference_cluster *any = NULL;

    if (preference->is_sorted) {
        const struct preference_cluster *entry = find_by_name(preference, cluster->name);

        return entry != NULL ? entry : find_by_name(preference, "*");
    }
    for (uint32_t i = 0; i < preference->n_clusters; i++) {
        const struct preference_cluster *entry = &preference->clusters[i];

        if (entry->affinity != NULL ? cluster_affinity_matches(entry->affinity, cluster)
                                    : str_eq(entry->name, cluster->name)) {
            return entry;
        }
        if (entry->affinity == NULL && any == NULL && str_eq(entry->name, "*")) {
            any = entry;
        }
    }
    return any;
}
