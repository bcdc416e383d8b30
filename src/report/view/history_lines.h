/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers and words of the history of runs: one source for text, documents and pages.
 */
#ifndef BALLAST_REPORT_HISTORY_LINES_H
#define BALLAST_REPORT_HISTORY_LINES_H

#include "ballast/report/history_report.h"

/* Replicas that the listed writes of a run changed. Writes that were not made do not count. */
struct run_sums {
    int64_t moved; /* from one cluster to another; in mode Evict, taken away */
    int64_t added; /* no cluster lost them */
};

/* Returns what the listed writes of a run changed. */
struct run_sums run_sums_of(const struct history_run *run);
/* Returns "2 runs since TIME, by the records in DIR", in `arena`. */
const char *history_text_title(struct arena *arena, const struct history_report *report);
/* Returns "58 of 270 replicas down before, 2 homeless after; 56 moved, 1 added", in `arena`. A
 * record that does not say what was down gives only the last part. */
const char *run_replicas_text(struct arena *arena, const struct history_run *run);
/* Returns "3 of 4 workloads written, 1 undone since", in `arena`. */
const char *run_written_text(struct arena *arena, const struct history_run *run);
/* Returns what a run was configured by, in `arena`: "/etc/ballast/ballast.yaml; user ops, context
 * prod, host ballast-29". */
const char *record_origin_text(struct arena *arena, const struct record *record);
/* Returns the ids of the records that a record took back, in `arena`; "": none. */
const char *record_undoes_text(struct arena *arena, const struct record *record);
/* Returns a cluster that was in trouble, with the reason, in `arena`. */
const char *recorded_down_text(struct arena *arena, const struct record_reason *down);
/* Returns a reason of a write, in `arena`: "UnhealthyCluster oslo: Ready is False". */
const char *recorded_reason_text(struct arena *arena, const struct record_reason *reason);
/* Returns the workload of a write, in `arena`: "shop/web (Deployment)". */
const char *recorded_workload_text(struct arena *arena, const struct record_item *item);
/* Returns the action of a write and what it changed, in `arena`: "Move oslo 6→0, paris 0→6". A
 * write that was not made says so. */
const char *recorded_write_text(struct arena *arena, const struct record_item *item);
/* Returns what a write changed, in `arena`: "oregon 3→0, virginia 0→3". */
const char *recorded_split_text(struct arena *arena, const struct record_item *item);
/* Returns the command that takes a write back, in `arena`; `item` NULL: that takes all writes of
 * the record back. `flags` is appended as it is. */
const char *undo_command(struct arena *arena, const struct record *record,
                         const struct record_item *item, const char *flags);
/* Returns the command of a run for people, in `arena`. "": nothing to take back, or the question is
 * about one workload, whose writes have commands of their own. */
const char *run_take_back(struct arena *arena, const struct history_report *report,
                          const struct history_run *run);
/* Returns the command of a write for people, in `arena`. "": nothing to take back, or the run has a
 * command. */
const char *item_take_back(struct arena *arena, const struct history_report *report,
                           const struct history_run *run, const struct history_item *item);

#endif
