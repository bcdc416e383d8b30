/* SPDX-License-Identifier: Apache-2.0
 *
 * Others that set the replicas of a workload: an autoscaler (HPA, FederatedHPA,
 * CronFederatedHPA, KEDA's ScaledObject), an override policy in the members that
 * it selects (upstream: pkg/util/overridemanager), or a member whose workload has
 * the label that leaves replicas to the member (upstream: retain-replicas).
 */
#ifndef BALLAST_MODEL_REPLICA_OWNER_H
#define BALLAST_MODEL_REPLICA_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/placement.h"

#define RETAIN_REPLICAS_LABEL "resourcetemplate.karmada.io/retain-replicas" /* "true" */

enum replica_owner_kind { REPLICA_OWNER_AUTOSCALER, REPLICA_OWNER_OVERRIDE, REPLICA_OWNER_MEMBER };

/* Clusters where a claim counts: those that any affinity selects; a NULL affinity selects all. The
 * claims of one policy share it. */
struct replica_owner_scope {
    const struct cluster_affinity *const *affinities;
    uint32_t count;
};

struct replica_owner {
    enum replica_owner_kind kind;
    const char *origin;                    /* "HorizontalPodAutoscaler shop/web" */
    const char *scaler_kind, *scaler_name; /* of an autoscaler, in `namespace_`; "" */
    /* of the workload; "": any. For autoscalers and members the API version does not count: they
     * may name an old one, and leaving a workload alone does no harm */
    const char *api_version;
    const char *resource_kind;
    const char *namespace_;
    const char *name;
    /* the owner also selects workloads by labels, which a binding does not show: the claim counts
     * for all workloads that match the other members */
    bool by_label;
    const struct replica_owner_scope *scope; /* of an override */
    const char *member; /* where the claim counts. "": the control plane's, which sets the sum,
                           unless a binding brings it to members */
};

/* True if the claim is an override policy's. Overrides come before all other claims: they make the
 * replicas that a binding assigns ineffective. */
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
