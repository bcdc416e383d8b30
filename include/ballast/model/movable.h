/* SPDX-License-Identifier: Apache-2.0
 *
 * What may be done with the replicas of a kind. Karmada divides any kind that has
 * replicas; but one whose object it cannot revise runs a second time in a second
 * cluster, and not a part of it.
 */
#ifndef BALLAST_MODEL_MOVABLE_H
#define BALLAST_MODEL_MOVABLE_H

#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

enum movability {
    MOVABLE_IN_PARTS, /* and what has no replicas, or is a set of components */
    MOVABLE_AS_WHOLE,
    MOVABLE_WHEN_LOST, /* in parts, but only out of a cluster that is lost */
    MOVABLE_NOT,
};

enum movability binding_movability(const struct fleet *fleet, const struct binding *binding,
                                   const struct policy *policy);
/* It is a StatefulSet, of Kubernetes or of OpenKruise: its member ends the highest ordinals first.
 */
bool binding_is_stateful_set(const struct binding *binding);
/* A status of the workload says that it has run to its end. */
bool binding_has_ended(const struct binding *binding, enum ended ended);
/* A status of the workload says that it is suspended. Kinds of the group apps cannot be. */
bool binding_is_halted(const struct binding *binding, enum ended ended);

#endif
