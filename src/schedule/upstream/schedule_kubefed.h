/* SPDX-License-Identifier: Apache-2.0
 *
 * What is alike of KubeFed's way with its own objects and with Karmada's.
 */
#ifndef BALLAST_SCHEDULE_SCHEDULE_KUBEFED_H
#define BALLAST_SCHEDULE_SCHEDULE_KUBEFED_H

#include "ballast/schedule/divide_kubefed.h"
#include "schedulers.h"

struct ready_clusters {
    struct rebalance_cluster *entries;
    uint32_t *clusters; /* index in the fleet, by entry */
    uint32_t count;
};

/* True if the cluster's condition Ready is True. */
bool kubefed_is_ready(const struct cluster *cluster);
/* Appends the cluster with this index in the fleet, with its part of the preference (NULL: equal
 * weights), and returns its entry. `all` has space for it. */
struct rebalance_cluster *kubefed_add_cluster(struct ready_clusters *all,
                                              const struct preference *preference,
                                              const struct cluster *cluster, uint32_t index);
/* Divides the replicas over all clusters; does nothing without any. The targets, in `arena`, have
 * plan and overflow together, so their sum may exceed the wanted number. Clusters without replicas
 * are targets with 0, and no target is below `least`. */
void kubefed_divide(struct arena *arena, const struct schedule_request *request,
                    struct ready_clusters *all, int32_t least, struct schedule_result *ret);

/* Schedules a federated object as KubeFed's scheduling manager does. Sets ret->failure and its
 * message if the members' state is unknown. */
void schedule_federated(struct scheduler *scheduler, struct arena *arena,
                        const struct schedule_request *request, struct schedule_result *ret);

#endif
