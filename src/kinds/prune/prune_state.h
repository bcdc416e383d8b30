/* SPDX-License-Identifier: Apache-2.0
 *
 * What a snapshot keeps of state preservation: the rules of
 * spec.failover.{application,cluster}.statePreservation, and of the status that a
 * member told what they read, so that they find there what they find here, or
 * miss it for the same reason. Private to this room.
 */
#ifndef BALLAST_KINDS_PRUNE_STATE_H
#define BALLAST_KINDS_PRUNE_STATE_H

#include "prune_walk.h"

/* Writes statePreservation.rules. A path holds names of the workload's: where names are replaced it
 * becomes the path of a member that prune_told_status writes, unless it finds nothing. */
void prune_state_rules(const struct walk *walk, const struct value *rules);

/* Writes aggregatedStatus[].status: the members that `counts` names, and what the rules read. */
void prune_told_status(const struct walk *walk, const struct field *counts,
                       const struct value *status);

#endif
