/* SPDX-License-Identifier: Apache-2.0
 *
 * The record that a run leaves: opened before anything is written, closed when it is known what
 * became of it.
 */
#ifndef BALLAST_CLI_WRITE_RUN_RECORD_H
#define BALLAST_CLI_WRITE_RUN_RECORD_H

#include "ballast/record/record_store.h"
#include "cli/options/invocation.h"
#include "run.h"

struct run_record {
    const struct invocation *invocation;
    const char *command;
    struct record record; /* its id is "" while no record is open */
    struct journal journal;
};

/* Prepares the record of a run, whose journal opens it before the first write. `run` must not move
 * until it is closed. */
void run_record_init(struct run_record *run, const struct invocation *invocation,
                     const char *command);
/* Returns the journal to give to the cycle; NULL: the run leaves no record. */
const struct journal *run_record_journal(const struct run_record *run);
/* Returns the id of the record; NULL: no record is open. */
const char *run_record_id(const struct run_record *run);
/* Writes into the record what became of the run, and into the report which record it is, and
 * removes records beyond those to keep. Does nothing where no record is open. False with err: the
 * record is still as it was before anything was written. */
bool run_record_close(struct run_record *run, struct report *report, struct error *err);

/* True if all records are of the fleet of that origin. False with ERROR_USAGE, which says which
 * record is not, and how the fleets differ. */
bool records_are_of(const struct undo_request *undo, const struct fleet_origin *origin,
                    struct error *err);

#endif
