/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests look for in a fleet, and the program does not.
 */
#ifndef BALLAST_TESTS_FINDERS_H
#define BALLAST_TESTS_FINDERS_H

#include "ballast/base/str.h"
#include "ballast/model/fleet.h"

/* NULL when there is none. */
static inline const struct binding *
fleet_find_binding(const struct fleet *fleet, enum binding_kind kind, const char *namespace_,
                   const char *name)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];

        if (binding->kind == kind && str_eq(binding->namespace_, namespace_) &&
            str_eq(binding->name, name)) {
            return binding;
        }
    }
    return NULL;
}

/* The settled ones and the others. */
static inline uint64_t
member_count_pods(const struct member *member)
{
    uint64_t count = member->n_pods;

    for (uint32_t i = 0; i < member->n_settled; i++) {
        count += member->settled[i].count;
    }
    return count;
}

#endif
