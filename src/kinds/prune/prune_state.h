/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps state preservation in a snapshot: the rules of
 * spec.failover.{application,cluster}.statePreservation, and the parts of a member's status that
 * they read. The rules then find the same in the snapshot, or fail for the same reason. Private to
 * this room.
 */
#ifndef BALLAST_KINDS_PRUNE_STATE_H
#define BALLAST_KINDS_PRUNE_STATE_H

#include "prune_walk.h"

/* Writes statePreservation.rules. A path holds the workload's names. Where names are replaced, the
 * path becomes that of a member that prune_told_status writes, if the rule finds anything. */
void prune_state_rules(const struct walk *walk, const struct value *rules);

/* Writes aggregatedStatus[].status: the members that `counts` names, and those that rules read. */
void prune_told_status(const struct walk *walk, const struct field *counts,
                       const struct value *status);

#endif
