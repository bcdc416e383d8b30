/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters as bars: what is taken, what waits for room, what is left.
 */
#ifndef BALLAST_REPORT_BARS_H
#define BALLAST_REPORT_BARS_H

#include "ballast/report/report.h"

#define BAR_LEAST 4
#define BAR_MOST 24
#define BAR_NUMBER 7 /* columns behind the cells, and the gap before them: " 100%" */
#define BAR_BYTES_MAX 256

/* Shares of what a cluster has; `stuck` is what waits for room, and may be more than is left. */
struct bar {
    double taken, stuck;
};

/* Returns the bar of one resource of a cluster that has `free` left and `waiting` waited for. Both
 * shares are 0 where the cluster has none of the resource. */
struct bar bar_of(const struct free_amount *amount, struct quantity free, struct quantity waiting);

/* Returns `width` cells and the share that is taken, in `arena`: "####!!..  52%"; for BARS_NONE
 * only the share. */
const char *bar_text(struct arena *arena, enum bar_style style, const struct bar *bar,
                     size_t width);

/* Returns how many cells each of some bars gets in a line of `columns`, where other columns take
 * `others` of them: at least BAR_LEAST, at most BAR_MOST. */
size_t bar_width(uint32_t columns, size_t others, size_t bars);

/* Returns what the marks mean, a constant. */
const char *bar_legend(enum bar_style style);

/* Returns what is needed of a resource, rounded up, in `arena`: "0.3", "1.5Gi", "300Mi". */
const char *room_need_text(struct arena *arena, enum ledger_resource resource,
                           struct quantity amount);
/* Returns an amount to the thousandth, rounded down, in `arena`: "99,999.980", "409,599.998Gi". */
const char *room_fine_text(struct arena *arena, enum ledger_resource resource,
                           struct quantity amount);

#endif
