/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims that cannot follow a workload.
 */
#include "ballast/model/claims.h"
#include "ballast/base/wide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANY_CLASS "*"
#define CLAIM_NAME_MAX 520 /* two names and the text between them */

static int
claim_order(const void *key, const void *item)
{
    const struct persistent_volume_claim *a = key, *b = item;
    int order = strcmp(a->namespace_, b->namespace_);

    return order != 0 ? order : strcmp(a->name, b->name);
}

uint32_t
member_find_claim(const struct member *member, const char *namespace_, const char *name)
{
    const struct persistent_volume_claim key = {.namespace_ = namespace_, .name = name};
    const struct persistent_volume_claim *found =
        member->n_claims == 0 ? NULL
                              : bsearch(&key, member->claims, member->n_claims,
                                        sizeof(member->claims[0]), claim_order);

    return found != NULL ? pin_uint32(found - member->claims) : CLAIM_NONE;
}

/* Returns the mode that ties a claim to one node; "": unknown; NULL: not tied. */
static const char *
mode_of_one(const struct str_list *modes)
{
    static const char *const of_one[] = {"ReadWriteOnce", "ReadWriteOncePod"};

    if (str_list_has(modes, "ReadWriteMany")) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(of_one) / sizeof(of_one[0]); i++) {
        if (str_list_has(modes, of_one[i])) {
            return of_one[i];
        }
    }
    return modes->count == 0 ? "" : NULL;
}

static bool
stays(const struct policy *policy, const struct str_list *modes, struct staying_claim *claim)
{
    const struct str_list *movable = &policy->movable_storage_classes;

    claim->mode = mode_of_one(modes);
    return claim->mode != NULL && !str_list_has(movable, ANY_CLASS) &&
           (str_is_empty(claim->storage_class) || !str_list_has(movable, claim->storage_class));
}

/* An unseen claim may hold data, so it stays. */
static bool
claim_stays(const struct policy *policy, const struct member *member, const char *namespace_,
            const char *name, struct staying_claim *ret)
{
    static const struct str_list unknown = {.count = 0};
    uint32_t found = member_find_claim(member, namespace_, name);
    const struct persistent_volume_claim *claim =
        found != CLAIM_NONE ? &member->claims[found] : NULL;

    *ret = (struct staying_claim){
        .name = name,
        .mode = "",
        .storage_class = claim != NULL ? claim->storage_class : "",
    };
    return stays(policy, claim != NULL ? &claim->access_modes : &unknown, ret);
}

/* A template without a class got its member's default class, shown by the first replica's claim. */
static bool
template_stays(const struct policy *policy, const struct member *member,
               const struct pod_template *of, const struct claim_template *made_by,
               struct staying_claim *ret)
{
    char first[CLAIM_NAME_MAX];

    *ret = (struct staying_claim){.name = made_by->name,
                                  .mode = "",
                                  .storage_class = made_by->storage_class,
                                  .is_template = true};
    snprintf(first, sizeof(first), "%s-%s-0", made_by->name, of->name);
    uint32_t found = str_is_empty(ret->storage_class)
                         ? member_find_claim(member, of->namespace_, first)
                         : CLAIM_NONE;

    if (found != CLAIM_NONE) {
        ret->storage_class = member->claims[found].storage_class;
    }
    return stays(policy, &made_by->access_modes, ret);
}

bool
binding_find_staying_claim(const struct fleet *fleet, const struct binding *binding,
                           const struct policy *policy, uint32_t cluster, struct staying_claim *ret)
{
    const struct pod_template *of = binding->pod_template;

    if (of == NULL || cluster == CLUSTER_NONE || policy_stands_in(policy)) {
        return false;
    }
    const struct member *member = &fleet->members[cluster];

    for (uint32_t i = 0; of->volumes != NULL && i < of->volumes->n_claims; i++) {
        if (claim_stays(policy, member, of->namespace_, of->volumes->claims[i], ret)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < of->claims_made.count; i++) {
        if (template_stays(policy, member, of, &of->claims_made.items[i], ret)) {
            return true;
        }
    }
    return false;
}

const char *
staying_claim_text(struct arena *arena, const struct staying_claim *claim)
{
    const char *what = claim->is_template ? "claims by template" : "claim";

    if (str_is_empty(claim->mode)) {
        return arena_printf(arena, "%s %s (not seen in its cluster)", what, claim->name);
    }
    return arena_printf(arena, "%s %s (%s, storage class %s)", what, claim->name, claim->mode,
                        str_is_empty(claim->storage_class) ? "not known" : claim->storage_class);
}
