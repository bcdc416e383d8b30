/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the reports of comparisons.
 */
#ifndef BALLAST_REPORT_COMPARE_PAGE_H
#define BALLAST_REPORT_COMPARE_PAGE_H

#include "ballast/report/compare_report.h"
#include "report/view/view.h"

/* Writes a comparison of two fleets as JSON or YAML. */
void comparison_document(FILE *stream, const struct comparison_report *compared,
                         const struct report_options *options);
/* Writes a comparison of two fleets for a terminal. */
void comparison_text(FILE *stream, const struct comparison_report *compared,
                     const struct report_options *options);

#endif
