/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of a run: created before the first write, completed with the outcome of all writes.
 */
#ifndef BALLAST_CLI_WRITE_RUN_RECORD_H
#define BALLAST_CLI_WRITE_RUN_RECORD_H

#include "cli/options/invocation.h"
#include "records.h"
#include "run.h"

struct run_record {
    const struct invocation *invocation;
    const char *command;
    struct record record; /* id "": no record is open */
    struct records records;
    struct journal journal;
};

/* Prepares the record of a run, which the journal opens before the first write. `run` must not move
 * until run_record_close. */
void run_record_init(struct run_record *run, const struct invocation *invocation,
                     const char *command);
/* Returns the journal for the cycle. NULL: the run leaves no record. */
const struct journal *run_record_journal(const struct run_record *run);
/* Returns the id of the record. NULL: no record is open. */
const char *run_record_id(const struct run_record *run);
/* Completes the record with the run's outcome, names it in the report, and removes the oldest
 * records beyond the limit. Does nothing if no record is open. False with err: the record stays as
 * it was before the first write. */
bool run_record_close(struct run_record *run, struct report *report, struct error *err);
/* Closes the store of the record, also after a cycle that failed. */
void run_record_release(struct run_record *run);

/* True if all records are of the fleet with that origin. False with ERROR_USAGE, which names the
 * record, its fleet and this one. */
bool records_are_of(const struct undo_request *undo, const struct fleet_origin *origin,
                    struct error *err);

#endif
