/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether replicas of a kind may move. Karmada divides any kind that has replicas;
 * but a workload whose object it cannot revise runs a second time, as a whole, in
 * a second cluster.
 */
#ifndef BALLAST_MODEL_MOVABLE_H
#define BALLAST_MODEL_MOVABLE_H

#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

enum movability {
    MOVABLE_IN_PARTS,
    MOVABLE_AS_WHOLE,
    MOVABLE_WHEN_LOST, /* in parts, but only out of a lost cluster */
    MOVABLE_NOT,
};

/* Returns how replicas of the binding may move, by its kind and the kinds that the policy names.
 * MOVABLE_IN_PARTS for a set of components and for a binding without replicas. */
enum movability binding_movability(const struct fleet *fleet, const struct binding *binding,
                                   const struct policy *policy);
/* True for a StatefulSet of Kubernetes or OpenKruise: members remove its highest ordinals first. */
bool binding_is_stateful_set(const struct binding *binding);
/* True if `ended`, from the workload's status, means for its kind that it ran to its end. */
bool binding_has_ended(const struct binding *binding, enum ended ended);
/* True if `ended`, from the workload's status, means for its kind that it is suspended. False for
 * kinds that Ballast knows, except Job. */
bool binding_is_halted(const struct binding *binding, enum ended ended);

#endif
