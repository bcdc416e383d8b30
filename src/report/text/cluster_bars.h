/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints clusters before and after, a line each.
 */
#ifndef BALLAST_REPORT_CLUSTER_BARS_H
#define BALLAST_REPORT_CLUSTER_BARS_H

#include "ballast/simulate/simulate.h"
#include "report/print/printer.h"
#include "report/view/view.h"

struct cluster_row {
    const char *name;
    const char *word;                  /* the cluster's fate, or "" */
    const struct cluster_side *before; /* NULL: no such cluster; the ledger's `before` applies */
    const struct cluster_side *after;  /* NULL: no such cluster; the ledger's `after` applies */
};

/* Prints a table of clusters with bars, or with percentages for BARS_NONE. */
void print_cluster_rows(const struct printer *printer, const struct report_view *view,
                        const struct cluster_row *rows, uint32_t count);

#endif
