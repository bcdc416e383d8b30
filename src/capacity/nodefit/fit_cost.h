/* SPDX-License-Identifier: Apache-2.0
 *
 * What a look at the nodes costs: the steps are one for each label value that is
 * held against a node or a pod. Who may write a Deployment must not be able to
 * keep the planner busy for minutes, so a look has a budget, by how many nodes and
 * pods there are.
 */
#ifndef BALLAST_CAPACITY_FIT_COST_H
#define BALLAST_CAPACITY_FIT_COST_H

#include "ballast/model/fleet.h"

/* Steps for each node and each pod, and steps that any look may take. kube-scheduler takes as many
 * for each pod that it places; templates have a handful. */
#define FIT_STEPS_EACH 100
#define FIT_STEPS_MIN 100000

/* Steps of a template's terms, constraints and node selectors, for a node or for pods that are
 * alike. */
uint64_t fit_cost_of(const struct requirements *requirements);
/* How many terms and constraints it has, each of which every pod is held against. */
uint64_t fit_terms_of(const struct requirements *requirements);
/* Steps of terms by themselves. */
uint64_t fit_cost_of_terms(const struct pod_affinity_terms *terms);
/* How many steps one look at so many nodes and pods may take. */
uint64_t fit_budget(uint64_t n_nodes, uint64_t n_pods);

#endif
