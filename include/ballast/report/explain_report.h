/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations, for people (text) and for programs (JSON, YAML).
 */
#ifndef BALLAST_REPORT_EXPLAIN_REPORT_H
#define BALLAST_REPORT_EXPLAIN_REPORT_H

#include "ballast/explain/explain.h"
#include "ballast/report/report.h"

struct explanations {
    const struct report *report; /* of the plan that they are of */
    const struct explanation *const *items;
    uint32_t count;
};

/* Of the options the format (diff stands for text), colour, widths, and `all`: each cluster in a
 * line of its own, however many there are. false with err when the stream fails. */
bool report_write_explanations(FILE *stream, const struct explanations *explanations,
                               const struct report_options *options, struct error *err);

#endif
