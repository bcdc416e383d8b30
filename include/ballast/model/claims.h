/* SPDX-License-Identifier: Apache-2.0
 *
 * PersistentVolumeClaims that keep a workload in its cluster, since no other
 * cluster has their volumes. A claim to which one node may write (ReadWriteOnce,
 * ReadWriteOncePod) is taken for the workload's own data, which stays behind. A
 * claim to which many nodes may write is taken for storage that all clusters reach.
 */
#ifndef BALLAST_MODEL_CLAIMS_H
#define BALLAST_MODEL_CLAIMS_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

struct staying_claim {
    const char *name;          /* of the claim, or of the StatefulSet's template */
    const char *mode;          /* "ReadWriteOnce", "ReadWriteOncePod"; "": unknown, treated alike */
    const char *storage_class; /* "": none, or unknown */
    bool is_template;
};

/* Finds the first claim of the binding that keeps replicas in the cluster, by the member's objects
 * and the policy's movable storage classes. False if there is none, if the pod template is unknown,
 * or if the policy stands in for a scheduler, which ignores claims. */
bool binding_find_staying_claim(const struct fleet *fleet, const struct binding *binding,
                                const struct policy *policy, uint32_t cluster,
                                struct staying_claim *ret);
/* Returns "claim data (ReadWriteOnce, storage class fast)" in `arena`. */
const char *staying_claim_text(struct arena *arena, const struct staying_claim *claim);

#endif
