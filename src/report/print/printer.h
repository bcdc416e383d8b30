/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints lines and cells, after making them safe for a terminal.
 */
#ifndef BALLAST_REPORT_PRINTER_H
#define BALLAST_REPORT_PRINTER_H

#include "ballast/base/text.h"
#include "ballast/base/wording.h"
#include "ballast/report/simulate_report.h"
#include <stdio.h>

enum ink { INK_NONE, INK_BOLD, INK_DIM, INK_RED, INK_GREEN, INK_YELLOW };

struct grid;

struct printer {
    FILE *stream;
    bool colour;
    size_t width; /* columns at which lines wrap; 0: never */
    /* receives each safe line; NULL: lines go to `stream` */
    void (*take)(void *context, enum ink ink, const char *text);
    /* receives each table; NULL: tables are printed as lines */
    void (*take_grid)(void *context, const struct grid *grid);
    void *context;
};

#define PRINT_LINE_MAX ((size_t)1 << 20) /* bytes; longer lines are cut */

struct printer;

/* --- printer.c --- */

/* Prints a formatted line in one colour, wrapped like print_text. */
void print_line(const struct printer *printer, enum ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints a text in one colour, with spaces for its line breaks. Long texts wrap at blanks, and
 * align with the text after the label. */
void print_text(const struct printer *printer, enum ink ink, const char *text);
/* Prints one line in one colour without wrapping, for the rows of tables. */
void print_row(const struct printer *printer, enum ink ink, const char *line);
/* Returns a fleet's text as it is printed, for measuring and cutting: the text, or a copy in
 * `arena`. */
const char *safe_text(struct arena *arena, const char *text);
/* Returns the word for a standing, a constant: "ready", "LOST", "not ready", ... */
const char *health_word(enum cluster_standing standing);

/* --- workload_text.c --- */

/* Returns "NAMESPACE/NAME" of a binding's workload, or "NAME" without a namespace, in `arena`. */
const char *workload_text(struct arena *arena, const struct binding *binding);

#endif
