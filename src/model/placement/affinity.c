/* SPDX-License-Identifier: Apache-2.0
 *
 * Cluster affinity: names, label selector and field selector, all ANDed.
 */
#include "ballast/model/affinity.h"

#include "ballast/base/str.h"

static bool
any_zone_listed(const struct str_list *values, const struct str_list *zones)
{
    for (uint32_t i = 0; i < zones->count; i++) {
        if (str_list_has(values, zones->items[i])) {
            return true;
        }
    }
    return false;
}

/* Zones are a set, not one value, and their values are not validated. */
static bool
zones_match(const struct selector_requirement *requirement, const struct str_list *zones)
{
    switch (requirement->operator) {
    case SELECTOR_IN:
        return any_zone_listed(&requirement->values, zones);
    case SELECTOR_NOT_IN:
        return !any_zone_listed(&requirement->values, zones);
    case SELECTOR_EXISTS:
        return zones->count > 0;
    case SELECTOR_DOES_NOT_EXIST:
        return zones->count == 0;
    default:
        return false;
    }
}

/* Provider and region are like labels that exist only if not empty. */
static struct label_list
cluster_fields(const struct cluster *cluster, struct label fields[2])
{
    struct label_list list = {.items = fields, .present = true};

    if (!str_is_empty(cluster->provider)) {
        fields[list.count++] = (struct label){"provider", cluster->provider};
    }
    if (!str_is_empty(cluster->region)) {
        fields[list.count++] = (struct label){"region", cluster->region};
    }
    return list;
}

/* NULL or a selector without expressions selects all clusters. */
static bool
field_selector_matches(const struct field_selector *selector, const struct cluster *cluster)
{
    struct label fields[2];

    if (selector == NULL || selector->match_expressions.count == 0) {
        return true;
    }
    struct label_list list = cluster_fields(cluster, fields);

    for (uint32_t i = 0; i < selector->match_expressions.count; i++) {
        const struct selector_requirement *requirement = &selector->match_expressions.items[i];
        bool matches = str_eq(requirement->key, "zone")
                           ? zones_match(requirement, &cluster->zones)
                           : selector_requirement_is_valid(requirement, true) &&
                                 selector_requirement_matches(requirement, &list);

        if (!matches) {
            return false;
        }
    }
    return true;
}

bool
cluster_affinity_matches(const struct cluster_affinity *affinity, const struct cluster *cluster)
{
    if (str_list_has(&affinity->exclude, cluster->name)) {
        return false;
    }
    if (affinity->cluster_names.count > 0 &&
        !str_list_has(&affinity->cluster_names, cluster->name)) {
        return false;
    }
    if (affinity->label_selector != NULL &&
        !label_selector_matches(affinity->label_selector, &cluster->labels)) {
        return false;
    }
    return field_selector_matches(affinity->field_selector, cluster);
}
