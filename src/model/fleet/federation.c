/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to what a KubeFed host says.
 */
#include "ballast/model/federation.h"

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"

bool
federated_placement_selects(const struct federated_placement *placement,
                            const struct cluster *cluster)
{
    return placement->clusters.present
               ? names_find(placement->clusters.items, sizeof(placement->clusters.items[0]),
                            placement->clusters.count, cluster->name) != NAME_NONE
               : label_selector_matches(placement->selector, &cluster->labels);
}

const char *
federation_cluster_kind(const struct federation *federation)
{
    return federation != NULL ? "KubeFedCluster" : "Cluster";
}

const struct federated_placement *
federation_namespace(const struct federation *federation, const char *name)
{
    uint32_t found = names_find(federation->namespaces, sizeof(federation->namespaces[0]),
                                federation->n_namespaces, name);

    return found != NAME_NONE ? federation->namespaces[found].placement : NULL;
}

const struct federated_type *
federation_type(const struct federation *federation, const char *kind)
{
    for (uint32_t i = 0; i < federation->n_types; i++) {
        if (str_eq(federation->types[i].kind, kind)) {
            return &federation->types[i];
        }
    }
    return NULL;
}

const struct propagation_failure *
federated_failure(const struct federated *federated, const char *cluster)
{
    uint32_t found = names_find(federated->failures, sizeof(federated->failures[0]),
                                federated->n_failures, cluster);

    return found != NAME_NONE ? &federated->failures[found] : NULL;
}

bool
propagation_is_failure(const struct propagation_failure *failure)
{
    return !str_eq(failure->status, "ClusterNotReady");
}

bool
propagation_is_refusal(const struct propagation_failure *failure)
{
    /* kubefed pkg/controller/sync/status/status.go */
    static const char *const statuses[] = {
        "CreationFailed",        "UpdateFailed",          "CreationTimedOut", "UpdateTimedOut",
        "CachedRetrievalFailed", "ClientRetrievalFailed", "RetrievalFailed",
    };

    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        if (str_eq(failure->status, statuses[i])) {
            return true;
        }
    }
    return false;
}
