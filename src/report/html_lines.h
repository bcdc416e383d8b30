/* SPDX-License-Identifier: Apache-2.0
 *
 * What reports for a terminal print, as parts of a page: so that the page leaves
 * nothing out that they say.
 */
#ifndef BALLAST_REPORT_HTML_LINES_H
#define BALLAST_REPORT_HTML_LINES_H

#include "html.h"
#include "printer.h"

struct html_lines {
    struct html *html;
    bool has_titles; /* a bold line is one, of what follows */
    bool in_list;
};

/* A printer's `take`; its context is a struct html_lines. */
void html_take_line(void *context, enum ink ink, const char *text);
/* Behind the last line, or before other markup. */
void html_lines_end(struct html_lines *lines);

#endif
