/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the comparison of two looks at a fleet, for people (text) and for programs (JSON, YAML).
 */
#ifndef BALLAST_REPORT_COMPARE_REPORT_H
#define BALLAST_REPORT_COMPARE_REPORT_H

#include "ballast/compare/compare.h"
#include "ballast/report/report.h"

struct comparison_report {
    const struct comparison *comparison;
    const struct report *before, *after; /* of each look, without a plan */
};

/* Writes a comparison to `stream`. Uses these options: format (diff and HTML count as text),
 * colour, widths and, for text, the limit of bindings. False with err if the stream fails. */
bool report_write_comparison(FILE *stream, const struct comparison_report *compared,
                             const struct report_options *options, struct error *err);

#endif
