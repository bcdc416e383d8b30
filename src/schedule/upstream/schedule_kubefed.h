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

/* Condition Ready is True. */
bool kubefed_is_ready(const struct cluster *cluster);
/* One more cluster, of which is known what the preference (NULL: all weigh the same) says. */
struct rebalance_cluster *kubefed_add_cluster(struct ready_clusters *all,
                                              const struct preference *preference,
                                              const struct cluster *cluster, uint32_t index);
/* Divides over them all; none of them: nothing. The targets are plan and overflow together, so that
 * the sum may exceed what is wanted, and clusters that take part are there with 0; and none below
 * `least`. */
void kubefed_divide(struct arena *arena, const struct schedule_request *request,
                    struct ready_clusters *all, int32_t least, struct schedule_result *ret);

/* Of a federated object, exactly as KubeFed's scheduling manager. */
void schedule_federated(struct scheduler *scheduler, struct arena *arena,
                        const struct schedule_request *request, struct schedule_result *ret);

#endif
