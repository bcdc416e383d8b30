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

/* Once a page, before the first bar: what bars are filled with, and what that means. */
void html_legend(struct html *html);
void html_bars(struct html *html, const struct html_bar_part before[HTML_BAR_PARTS_MAX],
               const struct html_bar_part after[HTML_BAR_PARTS_MAX]);
/* 0 of nothing. */
double html_share(int64_t part, int64_t whole);

#endif
