/* SPDX-License-Identifier: Apache-2.0
 *
 * Bars of clusters: taken, waiting and free capacity.
 */
#ifndef BALLAST_REPORT_BARS_H
#define BALLAST_REPORT_BARS_H

#include "ballast/report/report.h"

#define BAR_LEAST 4
#define BAR_MOST 24
#define BAR_NUMBER 7 /* columns of the gap and percentage: " 100%" */
#define BAR_BYTES_MAX 256

/* Shares of a cluster's amount. `stuck` waits for capacity, and may exceed the free share. */
struct bar {
    double taken, stuck;
};

/* Returns the bar of one resource of a cluster: `free` is free, `waiting` is requested by pending
 * replicas. Both shares are 0 if the cluster lacks the resource. */
struct bar bar_of(const struct free_amount *amount, struct quantity free, struct quantity waiting);

/* Returns `width` cells and the taken percentage, in `arena`: "####!!..  52%". BARS_NONE has only
 * the percentage. */
const char *bar_text(struct arena *arena, enum bar_style style, const struct bar *bar,
                     size_t width);

/* Returns the cells for each of `bars` in a line of `columns`, of which other columns take
 * `others`: from BAR_LEAST to BAR_MOST. */
size_t bar_width(uint32_t columns, size_t others, size_t bars);

/* Returns the legend of the marks, a constant. */
const char *bar_legend(enum bar_style style);

/* Returns a needed amount, rounded up, in `arena`: "0.3", "1.5Gi", "300Mi". */
const char *room_need_text(struct arena *arena, enum ledger_resource resource,
                           struct quantity amount);
/* Returns an amount with three decimals, rounded down, in `arena`: "99,999.980",
 * "409,599.998Gi". */
const char *room_fine_text(struct arena *arena, enum ledger_resource resource,
                           struct quantity amount);

#endif
