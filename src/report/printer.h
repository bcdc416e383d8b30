/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for a terminal: what is printed is made safe, whatever the fleet says.
 */
#ifndef BALLAST_REPORT_PRINTER_H
#define BALLAST_REPORT_PRINTER_H

#include <stdio.h>

#include "ballast/text.h"
#include "view.h"

enum ink { INK_NONE, INK_BOLD, INK_DIM, INK_RED, INK_GREEN, INK_YELLOW };

struct printer {
    FILE *stream;
    bool colour;
};

#define NUMBER_TEXT_MAX 32

/* One line, in one colour; a line break within it becomes a space. */
void print_line(const struct printer *printer, enum ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "9,950" */
const char *number_text(int64_t number, char buffer[NUMBER_TEXT_MAX]);
/* "replica", "replicas" */
const char *plural(int64_t number, const char *one, const char *many);

/* What every report begins with: which fleet, what is done to it, what was seen. */
void print_heading(const struct printer *printer, const struct view *view);
/* What every report ends with: what was written, and whether all was seen. */
void print_ending(const struct printer *printer, const struct view *view);
/* The lines before and behind the bindings, the same for diff and table. */
void print_totals(const struct printer *printer, const struct view *view);
void print_summary(const struct printer *printer, const struct view *view);
/* How many of the shown bindings the limit lets through, and the line that says what it kept. */
uint32_t limited_rows(const struct view *view);
void print_limited(const struct printer *printer, const struct view *view);

#endif
