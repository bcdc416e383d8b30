/* SPDX-License-Identifier: Apache-2.0
 *
 * Records as files: a directory with one each, ID.json. A record is there whole
 * or not at all, on disk before the run goes on, and no other run's is ever
 * overwritten. It is written twice: before anything is written to the fleet, so
 * that a run that is killed leaves what it was about to do, and again with what
 * became of it.
 */
#ifndef BALLAST_RECORD_RECORD_STORE_H
#define BALLAST_RECORD_RECORD_STORE_H

#include "ballast/base/clock.h"
#include "ballast/record/record.h"

/* Returns a new id "20260301T120000Z-1f2e3d4c5b6a7988", in `arena`: the clock, to the nanosecond,
 * and random bits. Ids sort by time. */
const char *record_id_new(struct arena *arena, const struct clock *clock);
/* Returns "DIR/ID.json", in `arena`. */
const char *record_path(struct arena *arena, const char *directory, const char *id);

/* Makes the file, and a missing directory (not its parents). CONFLICT: the file exists. */
bool record_create(const char *directory, const struct record *record, struct error *err);
/* Replaces the record that record_create() wrote. False with err. */
bool record_replace(const char *directory, const struct record *record, struct error *err);

/* Removes all but the `keep` latest records (0: keeps all). Returns the number removed. */
uint32_t record_prune(const char *directory, uint32_t keep);

/* Returns the path of the latest record, in `arena`. NULL with err: NOT_FOUND if there is none. */
const char *record_latest(struct arena *arena, const char *directory, struct error *err);
/* Lists the paths of all records, oldest first, in `arena`. False with err. */
bool record_list(struct arena *arena, const char *directory, struct str_list *ret,
                 struct error *err);
/* Reads and decodes a file, in `arena`. NULL with err, which begins with the path. */
const struct record *record_read(struct arena *arena, const char *path, struct error *err);

#endif
