/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the ReplicaSet that a Deployment is rolling out: its template is the Deployment's. Revision
 * annotations do not count (kubernetes pkg/controller/deployment/util FindNewReplicaSet, as karmada
 * lifts it).
 */
#include "observed.h"

#include "ballast/base/str.h"

bool
same_template(const struct digest *a, const struct digest *b)
{
    return a->high == b->high && a->low == b->low;
}

bool
replica_set_is_of(const struct replica_set *set, const struct workload *deployment)
{
    return !str_is_empty(set->owner.uid) && str_eq(set->owner.uid, deployment->uid) &&
           str_eq(set->namespace_, deployment->namespace_) &&
           label_selector_matches(deployment->selector, &set->labels);
}

const struct replica_set *
replica_set_more_current(const struct replica_set *best, const struct replica_set *set,
                         const struct workload *deployment)
{
    if (!same_template(&set->version.pod_template, &deployment->pod_template)) {
        return best;
    }
    if (best == NULL || set->version.creation < best->version.creation) {
        return set;
    }
    return set->version.creation == best->version.creation && strcmp(set->name, best->name) < 0
               ? set
               : best;
}
