/* SPDX-License-Identifier: Apache-2.0
 *
 * Bars: two of them, before and after, one above the other. They are drawn for
 * the eye; what they show has to stand beside them.
 */
#ifndef BALLAST_REPORT_HTML_BARS_H
#define BALLAST_REPORT_HTML_BARS_H

#include "html.h"

#define HTML_BAR_PARTS_MAX 4

struct html_bar_part {
    const char *class; /* "runs", "stuck", "comes", "taken", "room"; NULL: no more parts */
    double share;      /* of the width */
};

/* Writes the patterns that bars are filled with, and what they mean: once a page, before the first
 * bar. */
void html_legend(struct html *html);
/* Writes two bars, `before` above `after`. */
void html_bars(struct html *html, const struct html_bar_part before[HTML_BAR_PARTS_MAX],
               const struct html_bar_part after[HTML_BAR_PARTS_MAX]);
/* Returns what share of the whole a part is; 0 where the whole is nothing. */
double html_share(int64_t part, int64_t whole);

#endif
