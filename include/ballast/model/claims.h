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

/* A claim that keeps a workload where it is. */
struct staying_claim {
    const char *name; /* of the claim, or of the StatefulSet's template */
    const char *mode; /* "ReadWriteOnce", "ReadWriteOncePod"; "": not known, treated like those */
    const char *storage_class; /* "": none, or not known */
    bool is_template;
};

/* Gives the first of the binding's claims that keeps replicas in the cluster, by what its member
 * shows and the storage classes that the policy lets move. False if there is none, if the pod
 * template is not known, or if the policy stands in for a scheduler, which ignores claims. */
bool binding_find_staying_claim(const struct fleet *fleet, const struct binding *binding,
                                const struct policy *policy, uint32_t cluster,
                                struct staying_claim *ret);
/* Returns "claim data (ReadWriteOnce, storage class fast)" in `arena`. */
const char *staying_claim_text(struct arena *arena, const struct staying_claim *claim);

#endif
