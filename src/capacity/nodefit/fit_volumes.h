/* SPDX-License-Identifier: Apache-2.0
 *
 * A member's claims and their volumes, for the rules about volumes. A missing claim may come with
 * the workload. A missing volume or class does not exist, if the member's volumes or classes are
 * known.
 */
#ifndef BALLAST_CAPACITY_FIT_VOLUMES_H
#define BALLAST_CAPACITY_FIT_VOLUMES_H

#include "ballast/model/member.h"

/* Returns the PersistentVolume of that name; NULL: the member has none. */
const struct persistent_volume *fit_find_volume(const struct member *member, const char *name);
/* Returns the StorageClass of that name; NULL: the member has none. */
const struct storage_class *fit_find_class(const struct member *member, const char *name);

enum claim_state {
    CLAIM_UNKNOWN, /* unknown class */
    CLAIM_BOUND,   /* volume_name is its volume */
    CLAIM_WAITS,   /* until the first pod has a node */
    CLAIM_UNBOUND, /* kube-scheduler refuses pods that have it */
};
/* Returns the state of a claim of that member. */
enum claim_state fit_claim_state(const struct member *member,
                                 const struct persistent_volume_claim *claim);

/* True if the affinity of a volume allows the node. */
bool fit_volume_reaches(const struct persistent_volume *volume, const struct node *node);
/* True if a volume's zone or region labels exclude the node. A node without any takes them all. */
bool fit_volume_is_elsewhere(const struct persistent_volume *volume, const struct node *node);
/* Returns the volume that a claim of a template is bound to; NULL: none, or unknown. */
const struct persistent_volume *fit_bound_volume(const struct member *member,
                                                 const char *namespace_, const char *claim);

#endif
