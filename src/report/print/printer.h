/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines, cells and members of documents, made fit for whoever reads them.
 */
#ifndef BALLAST_REPORT_PRINTER_H
#define BALLAST_REPORT_PRINTER_H

#include "ballast/base/text.h"
#include "ballast/report/simulate_report.h"
#include <stdio.h>

enum ink { INK_NONE, INK_BOLD, INK_DIM, INK_RED, INK_GREEN, INK_YELLOW };

struct grid;

struct printer {
    FILE *stream;
    bool colour;
    size_t width; /* columns at which a line of text is broken; 0: none is */
    /* NULL: to the stream; else who gets each line instead, made safe */
    void (*take)(void *context, enum ink ink, const char *text);
    void (*take_grid)(void *context, const struct grid *grid); /* likewise, a table */
    void *context;
};

#define PRINT_LINE_MAX ((size_t)1 << 20) /* bytes; what is longer is cut */

/* The lines of a report's head. */
struct printer;

/* --- printer.c --- */

/* One line, in one colour; a line break within it becomes a space. One that is too long goes on in
 * further lines, below the text behind its label; no word is broken. */
void print_line(const struct printer *printer, enum ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of one text. */
void print_text(const struct printer *printer, enum ink ink, const char *text);
/* As print_text, but in one line, however long: of a table. */
void print_row(const struct printer *printer, enum ink ink, const char *line);
/* A text of the fleet's as it is printed, for who measures or cuts it: itself, or in `arena`. */
const char *safe_text(struct arena *arena, const char *text);
/* "9,950", in `arena`. */
const char *number_text(struct arena *arena, int64_t number);
/* "1 replica", "9,950 replicas" */
const char *counted(struct arena *arena, int64_t number, const char *one, const char *many);
/* "replica", "replicas" */
const char *plural(int64_t number, const char *one, const char *many);
/* "ready", "LOST", "not ready", "settling" */
const char *health_word(enum cluster_standing standing);

/* --- workload_text.c --- */

/* "NAMESPACE/NAME" of a binding's workload, fit for a terminal. */
const char *workload_text(struct arena *arena, const struct binding *binding);

#endif
