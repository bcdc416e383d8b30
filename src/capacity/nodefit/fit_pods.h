/* SPDX-License-Identifier: Apache-2.0
 *
 * The pods on a member's nodes, and those that a run adds.
 */
#ifndef BALLAST_CAPACITY_FIT_PODS_H
#define BALLAST_CAPACITY_FIT_PODS_H

#include "fit_rules.h"

struct fit_pods {
    struct arena *arena;
    struct fit_pod *items;
    size_t count, capacity;
    uint32_t n_alike;       /* numbers used for fit_pod.alike */
    uint32_t n_nominated;   /* pods without a node, for which one is kept free */
    bool has_anti_affinity; /* a pod has anti-affinity terms */
};

/* Returns the pods of a member, in `arena`. */
struct fit_pods fit_pods_of(struct arena *arena, const struct member *member);
/* Appends a copy of a pod, with `alike` below n_alike. Invalidates pointers into `items`. */
void fit_pods_add(struct fit_pods *pods, const struct fit_pod *pod);

#endif
