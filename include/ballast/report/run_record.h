/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run writes, or has written, as the items of its record.
 */
#ifndef BALLAST_REPORT_RUN_RECORD_H
#define BALLAST_REPORT_RUN_RECORD_H

#include "ballast/record/record.h"
#include "ballast/report/report.h"

/* Fills what a report knows of a record: the fleet, when, what was taken back, and the items, in
 * `arena`. Without an outcome they are what is about to be written, "Pending". */
void run_record_fill(struct arena *arena, const struct report *report, struct record *record);

#endif
