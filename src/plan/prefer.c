/* SPDX-License-Identifier: Apache-2.0
 *
 * Which preference a binding falls under, and which of its entries a cluster.
 */
#include "ballast/preference.h"

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

const struct preference_cluster *
preference_cluster_for(const struct preference *preference, const struct cluster *cluster)
{
    const struct preference_cluster *any = NULL;

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
