/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds claims, volumes and classes, and the state of claims (kube-scheduler's
 * pkg/scheduler/framework/plugins/volumebinding/binder.go).
 */
#include "fit_volumes.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"

const struct persistent_volume *
fit_find_volume(const struct member *member, const char *name)
{
    uint32_t found =
        names_find(member->volumes, sizeof(member->volumes[0]), member->n_volumes, name);

    return found != NAME_NONE ? &member->volumes[found] : NULL;
}

const struct storage_class *
fit_find_class(const struct member *member, const char *name)
{
    uint32_t found = names_find(member->storage_classes, sizeof(member->storage_classes[0]),
                                member->n_storage_classes, name);

    return found != NAME_NONE ? &member->storage_classes[found] : NULL;
}

enum claim_state
fit_claim_state(const struct member *member, const struct persistent_volume_claim *claim)
{
    if (claim->is_leaving || str_eq(claim->phase, "Lost")) {
        return CLAIM_UNBOUND;
    }
    if (!str_is_empty(claim->volume_name)) {
        return claim->is_bound ? CLAIM_BOUND : CLAIM_UNBOUND;
    }
    if (str_is_empty(claim->storage_class)) {
        return CLAIM_UNBOUND;
    }
    const struct storage_class *class_ = fit_find_class(member, claim->storage_class);

    if (class_ == NULL) { /* a class that does not exist cannot wait for a node */
        return member->has_storage_classes ? CLAIM_UNBOUND : CLAIM_UNKNOWN;
    }
    return str_eq(class_->binding_mode, "WaitForFirstConsumer") ? CLAIM_WAITS : CLAIM_UNBOUND;
}

/* Unlike a pod's affinity, one without terms matches no node. */
bool
fit_volume_reaches(const struct persistent_volume *volume, const struct node *node)
{
    const struct node_selector *affinity = &volume->node_affinity;

    return !affinity->present || (affinity->count > 0 && node_selector_matches(affinity, node));
}

const struct persistent_volume *
fit_bound_volume(const struct member *member, const char *namespace_, const char *claim)
{
    uint32_t found = member_find_claim(member, namespace_, claim);

    return found != CLAIM_NONE && fit_claim_state(member, &member->claims[found]) == CLAIM_BOUND
               ? fit_find_volume(member, member->claims[found].volume_name)
               : NULL;
}
