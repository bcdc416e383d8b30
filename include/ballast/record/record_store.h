/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores of records, and the store that is a directory: a file each, ID.json. A
 * record is there whole or not at all, stored before the run goes on, and no other
 * run's is ever overwritten. It is written twice: before anything is written to the
 * fleet, so that a run that is killed leaves what it was about to do, and again with
 * what became of it.
 */
#ifndef BALLAST_RECORD_RECORD_STORE_H
#define BALLAST_RECORD_RECORD_STORE_H

#include "ballast/base/clock.h"
#include "ballast/record/record.h"

/* Returns a new id "20260301T120000Z-1f2e3d4c5b6a7988", in `arena`: the clock, to the nanosecond,
 * and random bits. Ids sort by time. */
const char *record_id_new(struct arena *arena, const struct clock *clock);
/* True if a text has the form of an id. */
bool record_id_is_fine(const char *text, size_t length);
/* Returns the time in an id, whole seconds in nanoseconds since the epoch. TIME_NONE: it is no id.
 */
int64_t record_id_time(const char *id);

/* A place for records. Ids sort by time. */
struct record_store {
    void *context;
    const char *place; /* for messages: a directory, "ConfigMaps karmada-system/records-0 to 7" */
    /* Stores a new record, with writes that are pending. CONFLICT: the id is taken. */
    bool (*create)(void *context, const struct record *record, struct error *err);
    /* Stores what became of the writes of a record that create() stored. False with err. */
    bool (*replace)(void *context, const struct record *record, struct error *err);
    /* Removes all but the `keep` latest records (0: keeps all). Returns the number removed. */
    uint32_t (*prune)(void *context, uint32_t keep);
    /* Lists the ids of all records, oldest first, in `arena`. False with err. */
    bool (*list)(void *context, struct arena *arena, struct str_list *ret, struct error *err);
    /* Reads and decodes a record, in `arena`. NULL with err, which names the record. */
    const struct record *(*read)(void *context, struct arena *arena, const char *id,
                                 struct error *err);
    /* Returns where a record is, for a person, in `arena`. */
    const char *(*name)(void *context, struct arena *arena, const char *id);
};

/* Returns a directory as a store. The text must outlive the store. */
struct record_store record_directory(const char *directory);
/* Returns the id of the latest record, in `arena`. NULL with err: NOT_FOUND if there is none. */
const char *record_latest(const struct record_store *store, struct arena *arena, struct error *err);

/* Reads and decodes a file, in `arena`. NULL with err, which begins with the path. */
const struct record *record_read(struct arena *arena, const char *path, struct error *err);

#endif
