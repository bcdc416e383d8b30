/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reports of explanations share.
 */
#ifndef BALLAST_REPORT_EXPLAIN_PAGE_H
#define BALLAST_REPORT_EXPLAIN_PAGE_H

#include "ballast/report/explain_report.h"
#include "printer.h"

/* One explanation being printed. */
struct explain_page {
    struct arena *arena;
    const struct printer *printer;
    const struct explanation *of;
    const struct report *report;
    const struct report_options *options;
};

void explain_document(FILE *stream, const struct explanations *explanations,
                      const struct report_options *options);
void explain_text(FILE *stream, const struct explanations *explanations,
                  const struct report_options *options);

/* Every cluster in a table, and below it why some get no more. */
void print_explained_clusters(const struct explain_page *page);

#endif
