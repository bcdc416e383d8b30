/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims of a member and what they are bound to, for the rules about volumes. A claim
 * that the member does not have may come along with the workload; a volume or a class that it does
 * not have does not exist, where its volumes or classes were seen.
 */
#ifndef BALLAST_CAPACITY_FIT_VOLUMES_H
#define BALLAST_CAPACITY_FIT_VOLUMES_H

#include "ballast/model/member.h"

/* NULL: the member has none of that name. */
const struct persistent_volume *fit_find_volume(const struct member *member, const char *name);
const struct storage_class *fit_find_class(const struct member *member, const char *name);

enum claim_state {
    CLAIM_UNKNOWN, /* of a class that is not known */
    CLAIM_BOUND,   /* volume_name is its volume */
    CLAIM_WAITS,   /* for the first pod's node */
    CLAIM_UNBOUND, /* and so is no pod that has it scheduled */
};
enum claim_state fit_claim_state(const struct member *member,
                                 const struct persistent_volume_claim *claim);

/* The node is one of those that the volume can be had on, by its affinity. */
bool fit_volume_reaches(const struct persistent_volume *volume, const struct node *node);
/* Its zone or region labels name others than the node's. A node that says nothing of where it is
 * takes all. */
bool fit_volume_is_elsewhere(const struct persistent_volume *volume, const struct node *node);
/* The volume that a claim of a template is bound to; NULL: none, or it is not known. */
const struct persistent_volume *fit_bound_volume(const struct member *member,
                                                 const char *namespace_, const char *claim);

#endif
