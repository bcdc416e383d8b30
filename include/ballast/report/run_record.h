/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the record of a run with its items.
 */
#ifndef BALLAST_REPORT_RUN_RECORD_H
#define BALLAST_REPORT_RUN_RECORD_H

#include "ballast/record/record.h"
#include "ballast/report/report.h"

/* Fills a record from a report: fleet, time, undone records and items, in `arena`. Without an
 * outcome, the items are "Pending". */
void run_record_fill(struct arena *arena, const struct report *report, struct record *record);

#endif
