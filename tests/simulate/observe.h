/* SPDX-License-Identifier: Apache-2.0
 *
 * The model as the library sees it: a fleet, built by the builder of the real
 * thing from the objects' documents.
 */
#ifndef BALLAST_SIMULATE_OBSERVE_H
#define BALLAST_SIMULATE_OBSERVE_H

#include "model.h"

/* Clusters and bindings alone. */
struct fleet *observe_control_plane(struct sim *sim);
/* With the pods and nodes of the members that are reached, or with what their estimators say. */
struct fleet *observe_fleet(struct sim *sim);

/* A workload's binding in a fleet. */
const struct binding *observe_find(const struct fleet *fleet, const struct sim_workload *workload);

#endif
