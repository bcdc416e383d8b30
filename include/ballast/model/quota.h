/* SPDX-License-Identifier: Apache-2.0
 *
 * policy.karmada.io/v1alpha1 FederatedResourceQuota: bounds on the requests of a
 * namespace's bindings in all clusters together, and in single clusters.
 */
#ifndef BALLAST_MODEL_QUOTA_H
#define BALLAST_MODEL_QUOTA_H

#include <stdint.h>

#include "ballast/model/quantity.h"

/* One of spec.staticAssignments: Karmada makes a ResourceQuota of it in that cluster. */
struct quota_assignment {
    const char *cluster_name;
    uint32_t cluster; /* index into fleet->clusters, or CLUSTER_NONE */
    struct resource_list hard;
    struct resource_list used; /* status.aggregatedStatus; empty: not reported */
};

struct quota {
    const char *namespace_;
    const char *name;
    struct resource_list overall;
    struct resource_list overall_used; /* status; empty: not reported */
    const struct quota_assignment *assignments;
    uint32_t n_assignments;
};

struct quota_list {
    const struct quota *items; /* sorted by namespace, then name */
    uint32_t count;
};

#endif
