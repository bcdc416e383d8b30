/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims of a member and what they are bound to, for the rules about volumes. A claim
 * that the member does not have may come along with the workload; a volume or a class that it does
 * not have does not exist, where its volumes or classes were seen.
 */
#ifndef BALLAST_CAPACITY_FIT_VOLUMES_H
#define BALLAST_CAPACITY_FIT_VOLUMES_H

#include "ballast/model/member.h"

/* Returns the PersistentVolume of that name; NULL: the member has none. */
const struct persistent_volume *fit_find_volume(const struct member *member, const char *name);
/* Returns the StorageClass of that name; NULL: the member has none. */
const struct storage_class *fit_find_class(const struct member *member, const char *name);

enum claim_state {
    CLAIM_UNKNOWN, /* its class is not known */
    CLAIM_BOUND,   /* volume_name is its volume */
    CLAIM_WAITS,   /* for the node of the first pod */
    CLAIM_UNBOUND, /* kube-scheduler schedules no pod that has it */
};
/* Returns the state of a claim of that member. */
enum claim_state fit_claim_state(const struct member *member,
                                 const struct persistent_volume_claim *claim);

/* True if the affinity of a volume allows the node. */
bool fit_volume_reaches(const struct persistent_volume *volume, const struct node *node);
/* True if the labels of a volume name a zone or region other than the node's. A node that has no
 * such label takes every volume. */
bool fit_volume_is_elsewhere(const struct persistent_volume *volume, const struct node *node);
/* Returns the volume that a claim of a template is bound to; NULL: none, or it is not known. */
const struct persistent_volume *fit_bound_volume(const struct member *member,
                                                 const char *namespace_, const char *claim);

#endif
