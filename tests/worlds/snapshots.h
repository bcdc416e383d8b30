/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of snapshots and summaries of a fleet.
 */
#ifndef BALLAST_WORLDS_SNAPSHOTS_H
#define BALLAST_WORLDS_SNAPSHOTS_H

#include "ballast/base/buf.h"
#include "ballast/model/policy.h"

/* Appends a line where the plan made of a snapshot of the objects (one behind the other, each ended
 * by a NUL) is another one by that policy, or, where `redacted`, that of one with new names is by
 * more than names. */
void snapshots_check(const struct buf *objects, const struct policy *policy, bool redacted,
                     struct buf *complaints);

/* Likewise where the members come out of 1, 2, 7 or 16 summaries; `crowded`: and one shows so many
 * pods more that these are packed in several pieces. */
void summaries_check(const struct buf *objects, const struct policy *policy, bool crowded,
                     struct buf *complaints);

#endif
