/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of runs, by their records: what each run wrote, and which of it a later undo took
 * back. An undo counts for a workload if its record says that the write was done, and if no later
 * undo took that undo back. Pure.
 */
#ifndef BALLAST_RECORD_HISTORY_H
#define BALLAST_RECORD_HISTORY_H

#include "ballast/record/record.h"

struct history_item {
    const struct record_item *item;
    const struct record *undone_by; /* NULL: not undone */
};

struct history_run {
    const struct record *record;
    const struct history_item *items; /* those that the question asks about */
    uint32_t n_items;
    uint32_t n_written, n_undone; /* of these items: written; written and undone since */
};

struct history {
    const struct history_run *runs; /* latest first; each has an item */
    uint32_t n_runs;
};

/* The workloads that a history is about. NULL: any. */
struct history_question {
    const char *namespace_;
    const char *kind; /* of the workload */
    const char *name; /* of the workload or the binding */
};

/* Returns the history of records, in `arena`. The records are sorted, oldest first, and outlive
 * it. */
const struct history *history_new(struct arena *arena, const struct record *const *records,
                                  uint32_t count, const struct history_question *question);
/* True if the write of an item was made. */
bool record_item_is_written(const struct record_item *item);

#endif
