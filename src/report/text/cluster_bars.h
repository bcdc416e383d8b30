/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters before and after, a line each.
 */
#ifndef BALLAST_REPORT_CLUSTER_BARS_H
#define BALLAST_REPORT_CLUSTER_BARS_H

#include "ballast/simulate/simulate.h"
#include "report/print/printer.h"
#include "report/view/view.h"

struct cluster_row {
    const char *name;
    const char *word;                  /* what becomes of it, "" */
    bool is_lost;                      /* nothing runs there any more */
    const struct cluster_side *before; /* NULL: it is not there; `before` of its room counts */
    const struct cluster_side *after;  /* NULL likewise; `after` of its room counts */
};

/* With bars where the options have them, and shares without. */
void print_cluster_rows(const struct printer *printer, const struct report_view *view,
                        const struct cluster_row *rows, uint32_t count);

#endif
