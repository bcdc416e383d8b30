/* SPDX-License-Identifier: Apache-2.0
 *
 * Karmada's controllers beside its scheduler, one tick of each: what they do
 * whatever policy rebalances.
 */
#ifndef BALLAST_SIMULATE_CONTROL_H
#define BALLAST_SIMULATE_CONTROL_H

#include "model.h"

/* The cluster-status controller: condition Ready, taint, resource summary. */
void control_clusters(struct sim *sim);
/* Binding status: what members that are reached report. */
void control_collect_status(struct sim *sim);
/* The graceful-eviction controller (karmada pkg/controllers/gracefuleviction). */
void control_evictions(struct sim *sim);

/* The user's template says another number of replicas. */
void control_scale(struct sim *sim, int workload, int replicas);
/* spec.rescheduleTriggeredAt, as by a WorkloadRebalancer. */
void control_reschedule(struct sim *sim, int workload);
/* A taint NoExecute, which only says whom the cluster does not want. */
void control_taint(struct sim *sim, struct sim_cluster *cluster, bool tainted);

#endif
