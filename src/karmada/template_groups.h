/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pod templates come with a list of their kind in their namespace, and which
 * one by one. A server counts a list as one request for each hundred of its objects
 * (API priority and fairness), so that a list of few of many costs more than it saves.
 */
#ifndef BALLAST_KARMADA_TEMPLATE_GROUPS_H
#define BALLAST_KARMADA_TEMPLATE_GROUPS_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"

#define TEMPLATES_ALONE_MAX 4u    /* of one kind in one namespace: a GET each */
#define OBJECTS_PER_TEMPLATE 100u /* that a list may have for each of the wanted ones */

struct wanted_template {
    const struct object_reference *workload;
    bool is_settled; /* it came, or it is known why not */
};

/* The wanted templates of one kind in one namespace, by name. */
struct template_group {
    struct wanted_template **wanted;
    uint32_t count;
    uint32_t bound; /* workloads of the kind in the namespace that bindings name */
};

/* Of all that are wanted those groups that a list is cheaper for, by kind and namespace. */
uint32_t template_groups_to_list(struct arena *arena, struct wanted_template *wanted,
                                 uint32_t count, const struct fleet *fleet,
                                 struct template_group **ret);

/* The workload that all of a group have in common: api version, kind and namespace. */
const struct object_reference *template_group_of(const struct template_group *group);

/* NULL: none of that name is wanted. */
struct wanted_template *template_group_find(const struct template_group *group, const char *name);

#endif
