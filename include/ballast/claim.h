/* SPDX-License-Identifier: Apache-2.0
 *
 * Who else decides the replicas of a workload: an autoscaler (HPA, FederatedHPA,
 * CronFederatedHPA), or an override policy that sets them in a member.
 */
#ifndef BALLAST_CLAIM_H
#define BALLAST_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

enum claim_kind { CLAIM_AUTOSCALER, CLAIM_OVERRIDE };

struct replica_claim {
    enum claim_kind kind;
    const char *origin; /* "HorizontalPodAutoscaler shop/web" */
    /* of the workload; "" is any. API versions are not told apart: an autoscaler may name an old
     * one, and what is left alone for nothing does no harm */
    const char *resource_kind;
    const char *namespace_;
    const char *name;
};

struct claim_list {
    const struct replica_claim *items; /* sorted */
    uint32_t count;
};

#endif
