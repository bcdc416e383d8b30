/* SPDX-License-Identifier: Apache-2.0
 *
 * What goes on in a member: what Karmada propagates arrives, its Deployment
 * controller makes and takes away pods, its kube-scheduler binds them, and its
 * kubelets start them.
 */
#ifndef BALLAST_SIMULATE_MEMBER_H
#define BALLAST_SIMULATE_MEMBER_H

#include "model.h"

/* One tick. In a cluster that is down nothing happens. */
void member_step(struct sim *sim, int index);

void member_add_node(struct sim_cluster *cluster, int cpu);
/* Its pods go with it. */
void member_remove_node(struct sim *sim, struct sim_cluster *cluster, int node);
void member_cordon(struct sim_cluster *cluster, int node, bool cordoned);
/* Pods that no binding knows; they are bound as others are. */
void member_add_local(struct sim *sim, struct sim_cluster *cluster, int count, int cpu);
void member_remove_local(struct sim *sim, struct sim_cluster *cluster, int count);
/* After an outage all containers start anew. */
void member_restart(struct sim *sim, struct sim_cluster *cluster);

/* How many more replicas its nodes have room for now. */
int member_room(const struct sim_cluster *cluster, int cpu);
/* Replicas of a workload that no node took for longer than so many seconds. */
int member_stuck(const struct sim *sim, int cluster, int workload, int64_t seconds);

#endif
