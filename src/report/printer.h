/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for a terminal. Whatever the fleet says, no caller can print it raw: every
 * line passes print_row, and every cell grid_set, which make it fit for a terminal.
 */
#ifndef BALLAST_REPORT_PRINTER_H
#define BALLAST_REPORT_PRINTER_H

#include <stdio.h>

#include "ballast/base/text.h"
#include "fold.h"
#include "view.h"

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

/* One line, in one colour; a line break within it becomes a space. One that is too long goes on in
 * further lines, below the text behind its label; no word is broken. */
void print_line(const struct printer *printer, enum ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same of one text. */
void print_text(const struct printer *printer, enum ink ink, const char *text);
/* As print_text, but in one line, however long: of a table. */
void print_row(const struct printer *printer, enum ink ink, const char *line);
#define PRINT_LINE_MAX ((size_t)1 << 20) /* bytes; what is longer is cut */

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

/* What every report begins with: which fleet, what is done to it, what was seen. */
void print_heading(const struct printer *printer, const struct report_view *view);
/* The part of it that says where the fleet was read from, and what was seen of its members. */
void print_sources(const struct printer *printer, const struct report_view *view);
/* "Plan", "Run" or "Undo" */
const char *kind_text(const struct report_view *view);
/* What every report ends with: what was written, and whether all was seen. */
void print_ending(const struct printer *printer, const struct report_view *view);
/* The lines before and behind the bindings, the same for diff and table. */
void print_totals(const struct printer *printer, const struct report_view *view);
/* nodes.c: of each cluster, what is not ready of its nodes, where replicas are on these. */
void print_nodes(const struct printer *printer, const struct report_view *view);
/* blocked.c: the line of what is blocked, if anything is. */
void print_blocked(const struct printer *printer, const struct report_view *view);
void print_summary(const struct printer *printer, const struct report_view *view);
/* Of a diff that is longer than a screen, the totals again, and how to see less of it or all. */
void print_closing(const struct printer *printer, const struct report_view *view,
                   const struct entries *entries, uint32_t listed);
/* Puts those that the limit lets through first, and returns how many they are: what stands for
 * itself as far as the limit goes, and some of what stands for many. */
uint32_t limit_entries(const struct report_view *view, struct entries *entries);
/* What sums up the rest, in the view's memory; NULL where all are listed. */
const char *limited_text(const struct report_view *view, const struct entries *entries,
                         uint32_t listed);
/* The same as a line. */
void print_limited(const struct printer *printer, const struct report_view *view,
                   const struct entries *entries, uint32_t listed);
/* Appends "member1 13->4, member2 +9, 3 more" of a binding that changes. */
void write_changes(const struct report_view *view, const struct row *row, struct buf *out);
/* Of a large plan, what it comes to in each cluster and namespace. */
void print_cluster_table(const struct printer *printer, const struct report_view *view);
void print_namespace_table(const struct printer *printer, const struct report_view *view);

#endif
