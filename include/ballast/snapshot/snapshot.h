/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet written down as a fleet directory while it is read, cut down to what a
 * decision reads (ballast/prune.h): the plan made of it is the plan made of what
 * was read. What was not seen of a member is not in it, so it stays unknown.
 *
 * All of it is written beside DIR first, readable by the user alone, and takes
 * the name when it is whole and on disk. What a killed run left there the next
 * snapshot of that name removes. Objects pass through: what is in memory is some
 * kilobytes a list, the pod templates' digests, and, where names are replaced,
 * the names.
 */
#ifndef BALLAST_SNAPSHOT_SNAPSHOT_H
#define BALLAST_SNAPSHOT_SNAPSHOT_H

#include "ballast/kinds/decode.h"

struct snapshot;

/* Begins a snapshot. NULL with err: INVALID if `path` exists (an empty directory is fine), IO. */
struct snapshot *snapshot_begin(const char *path, bool redact, struct error *err);
/* Returns the tap for the one reading; valid as long as the snapshot. */
const struct fleet_tap *snapshot_tap(const struct snapshot *snapshot);
/* Returns how many directories of killed runs were removed at the beginning. */
unsigned snapshot_leftovers(const struct snapshot *snapshot);
/* Writes the fleet that was read. True once the directory is in its place; false with err. */
bool snapshot_finish(struct snapshot *snapshot, const struct fleet *fleet, struct error *err);
uint64_t snapshot_objects(const struct snapshot *snapshot); /* Returns its number of objects. */
void snapshot_free(struct snapshot *snapshot); /* NULL is fine; removes an unfinished one */

#endif
