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

/* Shares of what there is; stuck is what waits, and may be more than is left. */
struct bar {
    double taken, stuck;
};

/* Of one resource of a cluster of which so much is free, and so much is waited for. */
struct bar bar_of(const struct free_amount *amount, struct quantity free, struct quantity waiting);

/* So many cells, and the share that is taken: "####!!..  52%"; without a style only that. In
 * `arena`. */
const char *bar_text(struct arena *arena, enum bar_style style, const struct bar *bar,
                     size_t width);

/* The cells of each of some bars where the other columns of a line take so many. */
size_t bar_width(uint32_t columns, size_t others, size_t bars);

/* What the marks mean. */
const char *bar_legend(enum bar_style style);

/* What is needed of a resource, rounded up: "0.3", "1.5Gi", "300Mi". In `arena`. */
const char *room_need_text(struct arena *arena, enum ledger_resource resource,
                           struct quantity amount);
/* To the thousandth, rounded down: "99,999.980", "409,599.998Gi". */
const char *room_fine_text(struct arena *arena, enum ledger_resource resource,
                           struct quantity amount);

#endif
