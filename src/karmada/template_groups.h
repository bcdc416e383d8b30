/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which pod templates to read by a list of their kind in their namespace, and which one by
 * one. A server counts a list as one request for each hundred of its objects (API priority and
 * fairness). So a long list with few wanted objects costs more than it saves.
 */
#ifndef BALLAST_KARMADA_TEMPLATE_GROUPS_H
#define BALLAST_KARMADA_TEMPLATE_GROUPS_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"

#define TEMPLATES_ALONE_MAX 4u    /* most workloads of a kind and namespace that get a GET each */
#define OBJECTS_PER_TEMPLATE 100u /* most objects in a list for each wanted template */

struct wanted_template {
    const struct object_reference *workload;
    bool is_settled; /* read, or known to be unreadable */
};

/* The wanted templates of one kind in one namespace, by name. */
struct template_group {
    struct wanted_template **wanted;
    uint32_t count;
    uint32_t bound; /* workloads of the kind in the namespace that bindings name */
};

/* Sets *ret to the groups that are cheaper to list, sorted by namespace and kind, and returns their
 * number. The groups are in `arena`; `wanted` must live as long. */
uint32_t template_groups_to_list(struct arena *arena, struct wanted_template *wanted,
                                 uint32_t count, const struct fleet *fleet,
                                 struct template_group **ret);

/* Returns a workload of the group, for its api version, kind and namespace. */
const struct object_reference *template_group_of(const struct template_group *group);

/* Returns the wanted template of that name in a group; NULL: there is none. */
struct wanted_template *template_group_find(const struct template_group *group, const char *name);

#endif
