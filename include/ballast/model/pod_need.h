/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod takes of one resource, from what its containers do: k8s.io/component-helpers
 * resource.PodRequests. Init containers run one by one before the containers; sidecars
 * (init containers with restartPolicy Always) stay from where they stand in the list on.
 */
#ifndef BALLAST_MODEL_POD_NEED_H
#define BALLAST_MODEL_POD_NEED_H

#include <stdbool.h>
#include <stdint.h>

/* Amounts as resource_amount has them; sums are pinned to the ends. */
struct pod_need {
    int64_t together; /* of containers and sidecars */
    int64_t sidecars; /* of those so far */
    int64_t starting; /* the most of any step of initializing */
};

#define POD_NEED_OF(amount) ((struct pod_need){.together = (amount), .starting = INT64_MIN})
#define POD_NEED_NONE POD_NEED_OF(0)

void pod_need_add(struct pod_need *need, int64_t amount);
/* In the order of the list. */
void pod_need_add_init(struct pod_need *need, int64_t amount, bool is_sidecar);
int64_t pod_need_total(const struct pod_need *need);

/* A pod may name it for all of its containers (spec.resources, since Kubernetes 1.34): cpu, memory
 * and huge pages. */
bool pod_need_is_of_whole_pods(const char *resource);

#endif
