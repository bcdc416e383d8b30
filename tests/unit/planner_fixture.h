/* SPDX-License-Identifier: Apache-2.0
 *
 * Small fleets for the suites of the planner, and what is asked of a plan.
 */
#ifndef BALLAST_PLANNER_FIXTURE_H
#define BALLAST_PLANNER_FIXTURE_H

#include "ballast/plan/plan.h"
#include "small_fleet.h"

/* All of them report, without counts: nothing is in flight. */
#define REPORTED                                                                                   \
    "'aggregatedStatus':[{'clusterName':'m1'},{'clusterName':'m2'},{'clusterName':'m3'}]"

#define DYNAMIC                                                                                    \
    "'replicaScheduling':{'replicaSchedulingType':'Divided','replicaDivisionPreference':"          \
    "'Weighted','weightPreference':{'dynamicWeight':'AvailableReplicas'}}"

#define STATIC_1_2                                                                                 \
    "'replicaScheduling':{'replicaSchedulingType':'Divided','replicaDivisionPreference':"          \
    "'Weighted','weightPreference':{'staticWeightList':[{'targetCluster':{'clusterNames':["        \
    "'m1','m3']},'weight':1},{'targetCluster':{'clusterNames':['m2']},'weight':2}]}}"

void add_cluster(struct small_fleet *f, const char *name, int room);
void add_lost_cluster(struct small_fleet *f, const char *name);
void add_web(struct small_fleet *f, int replicas, const char *clusters, const char *placement,
             const char *more_spec, const char *more_status);
const char *show(const struct target_list *list, char text[256]);
const struct plan *plan_all(struct small_fleet *f);
const struct decision *plan_only(struct small_fleet *f);

#endif
