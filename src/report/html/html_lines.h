/* SPDX-License-Identifier: Apache-2.0
 *
 * What reports for a terminal print, as parts of a page: so that the page leaves
 * nothing out that they say.
 */
#ifndef BALLAST_REPORT_HTML_LINES_H
#define BALLAST_REPORT_HTML_LINES_H

#include "html.h"
#include "report/print/printer.h"

#define HTML_CAPTION_MAX 160

struct html_lines {
    struct html *html;
    bool has_titles; /* a bold line is one, of what follows */
    bool in_list;
    char last[HTML_CAPTION_MAX]; /* the last line of text: what a table that follows is about */
};

/* A printer's `take`; its context is a struct html_lines. */
void html_take_line(void *context, enum ink ink, const char *text);
/* A printer's `take_grid`, likewise: the first cell of a row is its head. */
void html_take_grid(void *context, const struct grid *grid);
/* Behind the last line, or before other markup. */
void html_lines_end(struct html_lines *lines);

#endif
