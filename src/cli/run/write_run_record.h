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
    struct record record; /* "" for an id: none is open */
    struct journal journal;
};

void run_record_init(struct run_record *run, const struct invocation *invocation,
                     const char *command);
/* What the cycle is given; NULL: the run leaves none. */
const struct journal *run_record_journal(const struct run_record *run);
/* NULL: none is open. */
const char *run_record_id(const struct run_record *run);
/* Says in the record what became of the run, and in the report which record it is. Older ones than
 * are to be kept are removed. false with err: the record is still as it was before anything was
 * written. */
bool run_record_close(struct run_record *run, struct report *report, struct error *err);

/* The records are of the fleet of that origin. ERROR_USAGE says which is not, and what is
 * different. */
bool records_are_of(const struct undo_request *undo, const struct fleet_origin *origin,
                    struct error *err);

#endif
