/* SPDX-License-Identifier: Apache-2.0
 *
 * Who else decides the replicas of a workload: an autoscaler (HPA, FederatedHPA,
 * CronFederatedHPA, KEDA's ScaledObject), an override policy that sets them in
 * the members that it selects (upstream: pkg/util/overridemanager), or a member,
 * whose workload has the label that leaves them to it (upstream: retain-replicas).
 */
#ifndef BALLAST_MODEL_REPLICA_OWNER_H
#define BALLAST_MODEL_REPLICA_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/placement.h"

#define RETAIN_REPLICAS_LABEL "resourcetemplate.karmada.io/retain-replicas" /* "true" */

enum replica_owner_kind { REPLICA_OWNER_AUTOSCALER, REPLICA_OWNER_OVERRIDE, REPLICA_OWNER_MEMBER };

/* In which clusters a claim counts: where any of the affinities matches, NULL matching all. Shared
 * by the claims of one policy. */
struct replica_owner_scope {
    const struct cluster_affinity *const *affinities;
    uint32_t count;
};

struct replica_owner {
    enum replica_owner_kind kind;
    const char *origin;                    /* "HorizontalPodAutoscaler shop/web" */
    const char *scaler_kind, *scaler_name; /* of an autoscaler, in `namespace_`; "" */
    /* of the workload; "" is any. Of autoscalers and members API versions are not told apart: one
     * may name an old one, and what is left alone for nothing does no harm */
    const char *api_version;
    const char *resource_kind;
    const char *namespace_;
    const char *name;
    /* it selects workloads by their labels, too, which a binding does not show: taken for all that
     * match the rest */
    bool by_label;
    const struct replica_owner_scope *scope; /* of an override */
    const char *member; /* the one whose autoscaler or workload it is: it counts for what is there.
                           "": the control plane's: it sets the sum, as users do, unless a binding
                           brings it to members */
};

/* It comes before all others: what a binding assigns is void there, whoever else scales. */
static inline bool
replica_owner_is_override(const struct replica_owner *owner)
{
    return owner->kind == REPLICA_OWNER_OVERRIDE;
}

struct replica_owner_list {
    const struct replica_owner *items; /* sorted, overrides first */
    uint32_t count;
};

#endif
