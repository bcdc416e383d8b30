/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters are closed to a workload, and by whom.
 */
#include "ballast/model/closed_clusters.h"

#include <stddef.h>

#include "ballast/base/str.h"

static bool
is_wide(const struct replica_owner *claim)
{
    return str_is_empty(claim->resource_kind) || str_is_empty(claim->namespace_) ||
           str_is_empty(claim->name);
}

/* Orders claims: overrides first, then claims on one named workload, then by place in the list. */
static bool
claim_comes_before(const struct replica_owner *a, const struct replica_owner *b)
{
    if (replica_owner_is_override(a) != replica_owner_is_override(b)) {
        return replica_owner_is_override(a);
    }
    return is_wide(a) != is_wide(b) ? is_wide(b) : a < b;
}

bool
closed_clusters_has(const struct closed_clusters *closed, uint32_t cluster)
{
    for (uint32_t i = 0; closed != NULL && i < closed->n_groups; i++) {
        const struct closing_group *group = closed->groups[i];

        if (group->bits != NULL && cluster_bit(group->bits, cluster)) {
            return true;
        }
    }
    return false;
}

static const struct replica_owner *
first_of(const struct closing_group *group, uint32_t cluster)
{
    if (group->bits == NULL || !cluster_bit(group->bits, cluster)) {
        return NULL;
    }
    if (group->first != NULL) {
        return group->claims[group->first[cluster]].claim;
    }
    for (uint32_t i = 0; i < group->n_claims; i++) {
        const struct closing_claim *closing = &group->claims[i];

        if (closing->bits != NULL ? cluster_bit(closing->bits, cluster)
                                  : closing->cluster == cluster) {
            return closing->claim;
        }
    }
    return NULL;
}

const struct replica_owner *
closed_clusters_claim(const struct closed_clusters *closed, uint32_t cluster)
{
    const struct replica_owner *first = NULL;

    for (uint32_t i = 0; closed != NULL && i < closed->n_groups; i++) {
        const struct replica_owner *claim = first_of(closed->groups[i], cluster);

        if (claim != NULL && (first == NULL || claim_comes_before(claim, first))) {
            first = claim;
        }
    }
    return first;
}
