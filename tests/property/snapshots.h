/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of snapshots of a fleet.
 */
#ifndef BALLAST_PROPERTY_SNAPSHOTS_H
#define BALLAST_PROPERTY_SNAPSHOTS_H

#include <stdint.h>

#include "ballast/buf.h"

/* Appends a line where the plan made of a snapshot of the objects (one behind the other, each ended
 * by a NUL) is another one at the time `now`, or that of a redacted one is by more than names. */
void snapshots_check(const struct buf *objects, int64_t now, struct buf *complaints);

#endif
