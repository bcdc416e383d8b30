/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of bars, before and after. Screen readers skip bars, so numbers must stand beside them.
 */
#ifndef BALLAST_REPORT_HTML_BARS_H
#define BALLAST_REPORT_HTML_BARS_H

#include "html.h"

#define HTML_BAR_PARTS_MAX 4

struct html_bar_part {
    const char *class; /* "runs", "stuck", "comes"; NULL: end of the parts */
    double share;      /* of the width, from 0 to 1 */
};

/* Writes the fill patterns and the legend: once a page, before all bars. */
void html_legend(struct html *html);
/* Writes two bars, `before` above `after`. */
void html_bars(struct html *html, const struct html_bar_part before[HTML_BAR_PARTS_MAX],
               const struct html_bar_part after[HTML_BAR_PARTS_MAX]);
/* Returns a part's share of the whole, or 0 if the whole is 0. */
double html_share(int64_t part, int64_t whole);

#endif
