/* SPDX-License-Identifier: Apache-2.0
 *
 * The pods that a replica finds on a member's nodes, and those that a run adds.
 */
#ifndef BALLAST_CAPACITY_FIT_PODS_H
#define BALLAST_CAPACITY_FIT_PODS_H

#include "fit_rules.h"

struct fit_pods {
    struct arena *arena;
    struct fit_pod *items;
    size_t count, capacity;
    uint32_t n_alike;       /* count of the numbers in fit_pod.alike */
    uint32_t n_nominated;   /* pods that are not there yet, and have a node kept free */
    bool has_anti_affinity; /* a pod keeps others away */
};

/* Returns the pods of the member, in `arena`. */
struct fit_pods fit_pods_of(struct arena *arena, const struct member *member);
/* Appends a copy of a pod, whose `alike` is below n_alike. Pointers into `items` are void then. */
void fit_pods_add(struct fit_pods *pods, const struct fit_pod *pod);

#endif
