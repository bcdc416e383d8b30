/* SPDX-License-Identifier: Apache-2.0
 *
 * A small fleet made by hand, its plan and its report: a move, a blocked crash
 * loop, an object without replicas that cannot be placed, and one that is fine.
 */
#ifndef BALLAST_REPORT_FIXTURE_H
#define BALLAST_REPORT_FIXTURE_H

#include "ballast/base/timestamp.h"
#include "ballast/report/report.h"

#define NOW INT64_C(1777629600000000000) /* 2026-05-01T10:00:00Z */

extern const struct binding bindings[];
extern const struct fleet fleet;
extern const struct finding findings[];
extern const struct diagnosis diagnosis;
extern const struct decision decisions[];
extern const struct plan plan;
extern const struct policy policy;
extern const struct outcome outcome;
extern const struct outcome replanned;
extern const struct coverage coverage;
extern const struct fleet_origin directory;
extern const struct report report;

/* The report as text; to be freed. */
char *print_report(const struct report *what, const struct report_options *options);

#endif
