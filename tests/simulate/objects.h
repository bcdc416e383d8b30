/* SPDX-License-Identifier: Apache-2.0
 *
 * The model's objects as API servers would give them. Texts are appended.
 */
#ifndef BALLAST_SIMULATE_OBJECTS_H
#define BALLAST_SIMULATE_OBJECTS_H

#include "model.h"

void objects_write_binding(const struct sim *sim, const struct sim_workload *workload,
                           int64_t version, struct buf *out);
/* spec.clusters of a split: its value alone. */
void objects_write_targets(const struct sim *sim, unsigned assigned, const int *split,
                           struct buf *out);

/* Each is made anew when what it says has changed. */
const struct value *objects_cluster(const struct sim *sim, struct sim_cluster *cluster);
const struct value *objects_node(const struct sim_cluster *cluster, struct sim_node *node,
                                 int number);
const struct value *objects_pod(const struct sim *sim, const struct sim_cluster *cluster,
                                struct sim_pod *pod);
const struct value *objects_deployment(struct sim *sim, struct sim_cluster *cluster, int workload);
/* The Deployment of the control plane, that is propagated. */
const struct value *objects_template(struct sim_workload *workload);
/* The pod on a node from which those of a workload keep apart; the caller's. */
struct document *objects_guard(const struct sim_cluster *cluster, int node,
                               const struct sim_workload *workload);
/* What its estimator says now, of all that it may be asked. */
const struct value *objects_answers(struct sim *sim, int cluster);
const struct value *objects_replica_set(struct sim_workload *workload);

#endif
