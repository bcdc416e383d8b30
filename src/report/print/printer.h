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
    /* gets each line instead of the stream, made safe; NULL: lines go to the stream */
    void (*take)(void *context, enum ink ink, const char *text);
    /* gets each table instead of the stream; NULL: tables are printed as lines */
    void (*take_grid)(void *context, const struct grid *grid);
    void *context;
};

#define PRINT_LINE_MAX ((size_t)1 << 20) /* bytes; what is longer is cut */

/* The lines of a report's head. */
struct printer;

/* --- printer.c --- */

/* Prints a formatted line in one colour, as print_text does. */
void print_line(const struct printer *printer, enum ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints a text as a line in one colour; a line break within it becomes a space. A line that is too
 * long goes on in further lines, below the text behind its label; no word is broken. */
void print_text(const struct printer *printer, enum ink ink, const char *text);
/* Prints a text as one line in one colour, however long: for the rows of tables. */
void print_row(const struct printer *printer, enum ink ink, const char *line);
/* Returns a text of the fleet as it is printed, for a caller that measures or cuts it: the text
 * itself, or a copy in `arena`. */
const char *safe_text(struct arena *arena, const char *text);
/* Returns a number with its thousands grouped, in `arena`: "9,950". */
const char *number_text(struct arena *arena, int64_t number);
/* Returns a number and its noun, in `arena`: "1 replica", "9,950 replicas". */
const char *counted(struct arena *arena, int64_t number, const char *one, const char *many);
/* Returns `one` for 1, else `many`: "replica", "replicas". */
const char *plural(int64_t number, const char *one, const char *many);
/* Returns a standing as texts call it, a constant: "ready", "LOST", "not ready", ... */
const char *health_word(enum cluster_standing standing);

/* --- workload_text.c --- */

/* Returns "NAMESPACE/NAME" of a binding's workload, in `arena`; without a namespace, "NAME". */
const char *workload_text(struct arena *arena, const struct binding *binding);

#endif
