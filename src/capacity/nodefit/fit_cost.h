/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of a look at the nodes, in steps: one for each label value compared with a node or pod.
 * The author of a Deployment must not keep the planner busy for minutes. So each look has a
 * budget, which grows with nodes and pods.
 */
#ifndef BALLAST_CAPACITY_FIT_COST_H
#define BALLAST_CAPACITY_FIT_COST_H

#include "ballast/model/fleet.h"

/* The budget for each node and pod, and the least budget. kube-scheduler takes as many steps for
 * each pod that it places; templates need a handful. */
#define FIT_STEPS_EACH 100
#define FIT_STEPS_MIN 100000

/* Returns the steps of terms, constraints and node selectors for a node, or for alike pods. */
uint64_t fit_cost_of(const struct requirements *requirements);
/* Returns the number of terms and constraints, each of which is checked against every pod. */
uint64_t fit_terms_of(const struct requirements *requirements);
/* Returns the steps of terms alone. */
uint64_t fit_cost_of_terms(const struct pod_affinity_terms *terms);
/* Returns the steps that one look at these numbers of nodes and pods may take. */
uint64_t fit_budget(uint64_t n_nodes, uint64_t n_pods);

#endif
