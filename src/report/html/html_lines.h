/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns lines of terminal reports into parts of a page, so that the page has all of them.
 */
#ifndef BALLAST_REPORT_HTML_LINES_H
#define BALLAST_REPORT_HTML_LINES_H

#include "html.h"
#include "report/print/printer.h"

#define HTML_CAPTION_MAX 160

struct html_lines {
    struct html *html;
    bool has_titles; /* bold lines are titles */
    bool in_list;
    bool is_next;                /* the label of the current line is "next:" */
    char last[HTML_CAPTION_MAX]; /* last line of text, the caption of a following table */
};

/* Writes a line of a report: the `take` of a printer whose context is a struct html_lines. */
void html_take_line(void *context, enum ink ink, const char *text);
/* Writes a table: the `take_grid` of a printer whose context is a struct html_lines. The first cell
 * of a row is its head. */
void html_take_grid(void *context, const struct grid *grid);
/* Closes an open list: after the last line, and before other markup. */
void html_lines_end(struct html_lines *lines);

#endif
