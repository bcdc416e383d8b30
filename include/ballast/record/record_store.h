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

/* "20260301T120000Z-1f2e3d4c5b6a7988" of the clock, to the nanosecond, and chance: names sort by
 * time. */
const char *record_id_new(struct arena *arena, const struct clock *clock);
/* "DIR/ID.json" */
const char *record_path(struct arena *arena, const char *directory, const char *id);

/* Makes the directory where it is not there (not those above it), and the file; one of that name
 * that exists is an error (CONFLICT). */
bool record_create(const char *directory, const struct record *record, struct error *err);
/* Puts the record in the place of what record_create made of it. */
bool record_replace(const char *directory, const struct record *record, struct error *err);

/* Removes the oldest records but for `keep` (0: all are kept), and nothing that is not named as a
 * record is. Returns how many were removed. */
uint32_t record_prune(const char *directory, uint32_t keep);

/* The path of the latest record in a directory, in `arena`; NULL with err: NOT_FOUND where there is
 * none. */
const char *record_latest(struct arena *arena, const char *directory, struct error *err);
/* All of them, the oldest first. False with err. */
bool record_list(struct arena *arena, const char *directory, struct str_list *ret,
                 struct error *err);
/* A file, read and decoded in `arena`; err begins with its path. */
const struct record *record_read(struct arena *arena, const char *path, struct error *err);

#endif
