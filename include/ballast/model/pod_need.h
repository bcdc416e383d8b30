/* SPDX-License-Identifier: Apache-2.0
 *
 * A pod's request of one resource, computed from its containers as k8s.io/component-helpers
 * resource.PodRequests does. Init containers run one by one before the containers. A sidecar (an
 * init container with restartPolicy Always) starts in its place in the list and stays.
 */
#ifndef BALLAST_MODEL_POD_NEED_H
#define BALLAST_MODEL_POD_NEED_H

#include <stdbool.h>
#include <stdint.h>

/* Amounts as in resource_amount; sums are pinned to the ends of int64. */
struct pod_need {
    int64_t together; /* of containers and sidecars */
    int64_t sidecars; /* of sidecars so far */
    int64_t starting; /* largest need of any initialization step */
};

#define POD_NEED_OF(amount) ((struct pod_need){.together = (amount), .starting = INT64_MIN})
#define POD_NEED_NONE POD_NEED_OF(0)

/* Adds the amount of a container. */
void pod_need_add(struct pod_need *need, int64_t amount);
/* Adds the amount of the next init container, in the order of the pod's list. */
void pod_need_add_init(struct pod_need *need, int64_t amount, bool is_sidecar);
/* Returns the amount of the whole pod. */
int64_t pod_need_total(const struct pod_need *need);

/* True if a pod may request the resource for all its containers together (spec.resources, since
 * Kubernetes 1.34): cpu, memory and huge pages. */
bool pod_need_is_of_whole_pods(const char *resource);

#endif
