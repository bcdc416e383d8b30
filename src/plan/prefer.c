/* SPDX-License-Identifier: Apache-2.0
 *
 * Which preference a binding falls under, and which of its entries a cluster.
 */
#include "ballast/preference.h"

#include <stdlib.h>

#include "ballast/affinity.h"
#include "ballast/fleet.h"
#include "ballast/policy.h"
#include "ballast/str.h"

static bool
is_any_or_has(const struct str_list *list, const char *text)
{
    return list->count == 0 || str_list_has(list, text);
}

static bool
is_in_scope(const struct preference_scope *scope, const struct binding *binding)
{
    const struct object_reference *resource = &binding->resource;

    return is_any_or_has(&scope->namespaces, resource->namespace_) &&
           is_any_or_has(&scope->names, resource->name) &&
           is_any_or_has(&scope->kinds, resource->kind) &&
           is_any_or_has(&scope->api_versions, resource->api_version) &&
           (scope->labels == NULL || label_selector_matches(scope->labels, &binding->labels));
}

static const struct preference *
find_in(const struct preference_list *list, const struct binding *binding)
{
    if (list->by_scope != NULL) {
        return preference_list_find(list, &binding->resource);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (is_in_scope(&list->items[i].scope, binding)) {
            return &list->items[i];
        }
    }
    return NULL;
}

const struct preference *
preference_for(const struct policy *policy, const struct fleet *fleet,
               const struct binding *binding)
{
    const struct preference *configured = find_in(&policy->preferences, binding);

    return configured != NULL ? configured : find_in(&fleet->preferences, binding);
}

static int
name_cmp(const void *name, const void *entry)
{
    return strcmp(name, ((const struct preference_cluster *)entry)->name);
}

static const struct preference_cluster *
find_by_name(const struct preference *preference, const char *name)
{
    return preference->n_clusters == 0 ? NULL
                                       : bsearch(name, preference->clusters, preference->n_clusters,
                                                 sizeof(*preference->clusters), name_cmp);
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
