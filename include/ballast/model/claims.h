/* SPDX-License-Identifier: Apache-2.0
 *
 * What a workload's pods keep in PersistentVolumeClaims, and whether it can follow
 * them: a volume of one cluster is not to be had in another. What only one node
 * may write to (ReadWriteOnce, ReadWriteOncePod) is a workload's own data, and
 * stays behind; what many may is taken for kept somewhere that all reach.
 */
#ifndef BALLAST_MODEL_CLAIMS_H
#define BALLAST_MODEL_CLAIMS_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

/* A claim that keeps a workload where it is. */
struct staying_claim {
    const char *name; /* of the claim, or of the StatefulSet's template */
    const char *mode; /* "ReadWriteOnce", "ReadWriteOncePod"; "": not known, and taken for one */
    const char *storage_class; /* "": none, or not known */
    bool is_template;
};

/* The first of the binding's claims that cannot follow from that cluster, by what its member shows,
 * and whose class is not one that the policy lets move; false: there is none, nothing is known of
 * the workload's pods, or the policy stands in for a scheduler, which looks at no claims. */
bool binding_find_staying_claim(const struct fleet *fleet, const struct binding *binding,
                                const struct policy *policy, uint32_t cluster,
                                struct staying_claim *ret);
/* "claim data (ReadWriteOnce, storage class fast)", in `arena`. */
const char *staying_claim_text(struct arena *arena, const struct staying_claim *claim);

#endif
