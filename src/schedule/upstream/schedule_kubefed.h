/* SPDX-License-Identifier: Apache-2.0
 *
 * What is alike of KubeFed's way with its own objects and with Karmada's.
 */
#ifndef BALLAST_SCHEDULE_SCHEDULE_KUBEFED_H
#define BALLAST_SCHEDULE_SCHEDULE_KUBEFED_H

#include "ballast/schedule/rebalance.h"
#include "schedulers.h"

struct ready_clusters {
    struct rebalance_cluster *entries;
    uint32_t *clusters; /* of the fleet, by entry */
    uint32_t count;
};

/* True if the cluster's condition Ready is True. */
bool kubefed_is_ready(const struct cluster *cluster);
/* Appends cluster number `index` of the fleet, with what the preference (NULL: all weigh the same)
 * says of it, and returns its entry. `all` has room for it. */
struct rebalance_cluster *kubefed_add_cluster(struct ready_clusters *all,
                                              const struct preference *preference,
                                              const struct cluster *cluster, uint32_t index);
/* Divides the replicas over all clusters; does nothing where there are none. The targets, in
 * `arena`, are plan and overflow together, so that their sum may exceed what is wanted. Clusters
 * that get nothing are targets with 0, and no target is below `least`. */
void kubefed_divide(struct arena *arena, const struct schedule_request *request,
                    struct ready_clusters *all, int32_t least, struct schedule_result *ret);

/* Schedules a federated object exactly as KubeFed's scheduling manager does. Sets ret->failure and
 * its message where what members show is not known. */
void schedule_federated(struct scheduler *scheduler, struct arena *arena,
                        const struct schedule_request *request, struct schedule_result *ret);

#endif
